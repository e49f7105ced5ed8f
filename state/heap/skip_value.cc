#include "state/heap/skip_value.h"

#include <cstdint>
#include <map>
#include <string>

namespace wiesel::state {
namespace {

enum class Shape : uint8_t {
  kText,
  kVoid,
  kSequence,  // A number of elements, then the elements.
  kMap,
  kParts,  // One value of each nested type.
  kTimer,
  kTagged,    // A tag from 1, then the value of that nested type.
  kVariant,   // A tag from 0, then the value of that nested type.
  kOptional,  // A byte, 1 for null.
};

const std::map<std::string, Shape>& shapes() {
  static const auto* known = [] {
    const SerializerSnapshot text = SerializerSnapshot::string();
    return new std::map<std::string, Shape>{
        {text.class_name, Shape::kText},
        {SerializerSnapshot::voidNamespace().class_name, Shape::kVoid},
        {SerializerSnapshot::list(text).class_name, Shape::kSequence},
        {SerializerSnapshot::map(text, text).class_name, Shape::kMap},
        {SerializerSnapshot::tuple({text}).class_name, Shape::kParts},
        {SerializerSnapshot::timer(text, text).class_name, Shape::kTimer},
        {SerializerSnapshot::taggedUnion(text, text).class_name, Shape::kTagged},
        {"wiesel.Variant", Shape::kVariant},
        {"wiesel.Optional", Shape::kOptional},
    };
  }();
  return *known;
}

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

void skipPojo(const SerializerSnapshot& type, DataInput& input) {
  constexpr uint8_t kNull = 1;
  constexpr uint8_t kExactClass = 2;
  const uint8_t flags = input.readByte();
  if (flags & kNull) return;
  if (!(flags & kExactClass)) return input.fail("a value of a subclass of " + type.pojo_class);
  for (const SerializerSnapshot& field : type.nested) {
    if (!input.ok()) return;
    const bool is_null = input.readBool();
    if (!is_null) skipValue(field, input);
  }
}

void skipAlternative(const SerializerSnapshot& type, int index, DataInput& input) {
  if (index < 0 || index >= static_cast<int>(type.nested.size())) {
    return input.fail("a value of " + type.typeName() + " has an unknown tag");
  }
  skipValue(type.nested[index], input);
}

void skipShape(Shape shape, const SerializerSnapshot& type, DataInput& input) {
  switch (shape) {
    case Shape::kText:
      return skipText(input);
    case Shape::kVoid:
      return input.skip(1);
    case Shape::kSequence: {
      const int32_t count = input.readCount();
      for (int32_t i = 0; i < count && input.ok(); ++i) skipValue(type.nested[0], input);
      return;
    }
    case Shape::kMap: {
      const int32_t count = input.readCount();
      for (int32_t i = 0; i < count && input.ok(); ++i) {
        skipValue(type.nested[0], input);
        const bool is_null = input.readBool();
        if (!is_null) skipValue(type.nested[1], input);
      }
      return;
    }
    case Shape::kTimer:
      input.skip(sizeof(int64_t));
      [[fallthrough]];
    case Shape::kParts:
      for (const SerializerSnapshot& part : type.nested) {
        if (input.ok()) skipValue(part, input);
      }
      return;
    case Shape::kTagged:
      return skipAlternative(type, input.readByte() - 1, input);
    case Shape::kVariant:
      return skipAlternative(type, input.readByte(), input);
    case Shape::kOptional: {
      const bool is_null = input.readBool();
      if (!is_null) skipValue(type.nested[0], input);
      return;
    }
  }
}

}  // namespace

void skipValue(const SerializerSnapshot& type, DataInput& input) {
  if (type.form == SerializerSnapshot::Form::kPojo) return skipPojo(type, input);
  const auto shape = shapes().find(type.class_name);
  if (shape != shapes().end()) return skipShape(shape->second, type, input);
  const int length = type.fixedLength();
  if (length < 0) return input.fail("values of type " + type.typeName() + " cannot be read");
  input.skip(length);
}

}  // namespace wiesel::state
