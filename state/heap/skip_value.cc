#include "state/heap/skip_value.h"

namespace wiesel::state {
namespace {

constexpr int kTimestampLength = sizeof(int64_t);
constexpr int kFlagLength = 1;
constexpr int kVoidLength = 1;  // What counts as 0 is stored as one byte.

uint32_t readVarint(DataInput& input) {
  uint32_t value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    const uint8_t byte = input.readByte();
    value |= static_cast<uint32_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  input.fail("a length has too many bytes");
  return 0;
}

/// A string: its UTF-16 units, one more than there are (0: null), then each unit.
void skipText(DataInput& input) {
  const uint32_t units = readVarint(input);
  for (uint32_t i = 1; i < units && input.ok(); ++i) readVarint(input);
}

}  // namespace

ValueSkipper::Shape ValueSkipper::shapeOf(const SerializerSnapshot& type) {
  if (type.form == SerializerSnapshot::Form::kPojo) return Shape::kPojo;
  const SerializerSnapshot text = SerializerSnapshot::string();
  const auto is = [&type](const SerializerSnapshot& other) {
    return type.class_name == other.class_name;
  };
  if (is(text)) return Shape::kText;
  if (is(SerializerSnapshot::list(text))) return Shape::kSequence;
  if (is(SerializerSnapshot::map(text, text))) return Shape::kMap;
  if (is(SerializerSnapshot::tuple({text}))) return Shape::kParts;
  if (is(SerializerSnapshot::timeToLive(text))) return Shape::kParts;
  if (is(SerializerSnapshot::timer(text, text))) return Shape::kTimer;
  if (is(SerializerSnapshot::taggedUnion(text, text))) return Shape::kTagged;
  if (is(SerializerSnapshot::streamElement(text))) return Shape::kStreamRecord;
  if (is(SerializerSnapshot::bufferEntry(text))) return Shape::kEntry;
  if (type.class_name == "wiesel.Variant") return Shape::kVariant;
  if (type.class_name == "wiesel.Optional" && type.nested.size() == 1) return Shape::kOptional;
  return type.fixedLength() < 0 ? Shape::kUnknown : Shape::kFixed;
}

ValueSkipper::ValueSkipper(const SerializerSnapshot& type)
    : shape_(shapeOf(type)), type_name_(type.typeName()) {
  if (shape_ == Shape::kFixed) {
    const bool is_void =
        type == SerializerSnapshot::voidNamespace() || type == SerializerSnapshot::globalWindow();
    length_ = is_void ? kVoidLength : type.fixedLength();
    return;
  }
  for (const SerializerSnapshot& part : type.nested) parts_.emplace_back(part);
  becomeFixedIfPartsAre();
}

void ValueSkipper::becomeFixedIfPartsAre() {
  if (shape_ != Shape::kParts && shape_ != Shape::kTimer) return;
  int sum = shape_ == Shape::kTimer ? kTimestampLength : 0;
  for (const ValueSkipper& part : parts_) {
    if (part.storedLength() < 0) return;
    sum += part.storedLength();
  }
  shape_ = Shape::kFixed;
  length_ = sum;
}

void ValueSkipper::skip(DataInput& input) const {
  switch (shape_) {
    case Shape::kFixed:
      return input.skip(length_);
    case Shape::kText:
      return skipText(input);
    case Shape::kSequence:
      return skipSequence(input);
    case Shape::kMap:
      return skipMap(input);
    case Shape::kTimer:
      input.skip(kTimestampLength);
      return skipParts(input);
    case Shape::kEntry:
      input.skip(kFlagLength);
      return skipParts(input);
    case Shape::kParts:
      return skipParts(input);
    case Shape::kPojo:
      return skipPojo(input);
    case Shape::kTagged:
      return skipAlternative(input.readByte() - 1, input);
    case Shape::kStreamRecord:
      return skipStreamRecord(input);
    case Shape::kVariant:
      return skipAlternative(input.readByte(), input);
    case Shape::kOptional:
      return skipUnlessNull(parts_[0], input);
    case Shape::kUnknown:
      return input.fail("values of type " + type_name_ + " cannot be read");
  }
}

void ValueSkipper::skipParts(DataInput& input) const {
  for (const ValueSkipper& part : parts_) {
    if (input.ok()) part.skip(input);
  }
}

void ValueSkipper::skipSequence(DataInput& input) const {
  const int32_t count = input.readCount();
  for (int32_t i = 0; i < count && input.ok(); ++i) parts_[0].skip(input);
}

void ValueSkipper::skipMap(DataInput& input) const {
  const int32_t count = input.readCount();
  for (int32_t i = 0; i < count && input.ok(); ++i) {
    parts_[0].skip(input);
    skipUnlessNull(parts_[1], input);
  }
}

void ValueSkipper::skipPojo(DataInput& input) const {
  constexpr uint8_t kNull = 1;
  constexpr uint8_t kExactClass = 2;
  const uint8_t flags = input.readByte();
  if (flags & kNull) return;
  if (!(flags & kExactClass)) return input.fail("a value of a subclass of " + type_name_);
  for (const ValueSkipper& field : parts_) {
    if (input.ok()) skipUnlessNull(field, input);
  }
}

void ValueSkipper::skipAlternative(int index, DataInput& input) const {
  if (index < 0 || index >= static_cast<int>(parts_.size())) {
    return input.fail("a value of " + type_name_ + " has an unknown tag");
  }
  parts_[index].skip(input);
}

void ValueSkipper::skipStreamRecord(DataInput& input) const {
  constexpr uint8_t kWithTimestamp = 0;
  if (input.readByte() == kWithTimestamp) input.skip(kTimestampLength);
  parts_[0].skip(input);
}

void ValueSkipper::skipUnlessNull(const ValueSkipper& value, DataInput& input) {
  const bool is_null = input.readBool();
  if (!is_null) value.skip(input);
}

void skipValue(const SerializerSnapshot& type, DataInput& input) { ValueSkipper(type).skip(input); }

}  // namespace wiesel::state
