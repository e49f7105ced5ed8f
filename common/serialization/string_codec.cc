#include "common/serialization/string_codec.h"

#include <limits>
#include <utility>

#include "common/check.h"

namespace wiesel::internal {
namespace {

constexpr uint32_t kEscapedByte = 0xDC00;  // U+DC80..DCFF stand for the bytes 80..FF.

constexpr bool isHighSurrogate(uint32_t unit) { return unit - 0xD800 < 0x400; }
constexpr bool isLowSurrogate(uint32_t unit) { return unit - 0xDC00 < 0x400; }
constexpr bool isEscapedByte(uint32_t unit) { return unit - 0xDC80 < 0x80; }

struct Step {
  uint32_t code;  // A code point, or a lone surrogate.
  size_t bytes;   // What it took; 0 for invalid.
};

uint8_t at(std::string_view text, size_t index) { return static_cast<uint8_t>(text[index]); }
bool continues(std::string_view text, size_t index) {
  return index < text.size() && (at(text, index) & 0xC0) == 0x80;
}
uint32_t payload(std::string_view text, size_t index) { return at(text, index) & 0x3Fu; }

/// Decodes the first code point of `text`, which is not empty, as strict UTF-8.
Step decodeStrict(std::string_view text) {
  constexpr Step kInvalid = {0, 0};
  const uint32_t first = at(text, 0);
  if (first < 0x80) return {first, 1};
  if (first < 0xC2 || first > 0xF4 || !continues(text, 1)) return kInvalid;
  if (first < 0xE0) return {(first & 0x1F) << 6 | payload(text, 1), 2};
  if (!continues(text, 2)) return kInvalid;
  if (first < 0xF0) {
    const uint32_t code = (first & 0x0F) << 12 | payload(text, 1) << 6 | payload(text, 2);
    return code < 0x800 || code - 0xD800 < 0x800 ? kInvalid : Step{code, 3};
  }
  if (!continues(text, 3)) return kInvalid;
  const uint32_t code =
      (first & 0x07) << 18 | payload(text, 1) << 12 | payload(text, 2) << 6 | payload(text, 3);
  return code < 0x10000 || code > 0x10FFFF ? kInvalid : Step{code, 4};
}

/// Decodes a lone surrogate in the form of UTF-8, if it will be read back as the same bytes: what
/// reads as a pair or as an escaped byte would not.
Step decodeSurrogate(std::string_view text) {
  constexpr Step kInvalid = {0, 0};
  if (at(text, 0) != 0xED || !continues(text, 1) || !continues(text, 2)) return kInvalid;
  const Step step = {0xD000 | payload(text, 1) << 6 | payload(text, 2), 3};
  if (isLowSurrogate(step.code)) return isEscapedByte(step.code) ? kInvalid : step;
  if (!isHighSurrogate(step.code)) return kInvalid;
  return text.size() == 3 || decodeStrict(text.substr(3)).bytes > 0 ? step : kInvalid;
}

template <class Visitor>
void forEachUnit(std::string_view text, Visitor&& visit) {
  while (!text.empty()) {
    Step step = decodeStrict(text);
    if (step.bytes == 0) step = decodeSurrogate(text);
    if (step.bytes == 0) step = {kEscapedByte | at(text, 0), 1};
    if (step.code >= 0x10000) {
      visit(0xD800 | (step.code - 0x10000) >> 10);
      visit(0xDC00 | ((step.code - 0x10000) & 0x3FF));
    } else {
      visit(step.code);
    }
    text.remove_prefix(step.bytes);
  }
}

/// Collects UTF-16 units as bytes.
class UnitsToBytes {
 public:
  explicit UnitsToBytes(std::string& target) : target_(target) {}

  void add(uint32_t unit) {
    const uint32_t high = std::exchange(high_, 0);
    if (high != 0 && isLowSurrogate(unit)) {
      return append(0x10000 + ((high & 0x3FF) << 10) + (unit & 0x3FF));
    }
    if (high != 0) append(high);
    if (isHighSurrogate(unit)) {
      high_ = unit;
    } else if (isEscapedByte(unit)) {
      target_.push_back(static_cast<char>(unit & 0xFF));
    } else {
      append(unit);
    }
  }

  void finish() {
    if (high_ != 0) append(std::exchange(high_, 0));
  }

 private:
  void append(uint32_t code) {
    if (code < 0x80) return push(code);
    if (code < 0x800) {
      push(0xC0 | code >> 6);
    } else if (code < 0x10000) {
      push(0xE0 | code >> 12);
      push(0x80 | (code >> 6 & 0x3F));
    } else {
      push(0xF0 | code >> 18);
      push(0x80 | (code >> 12 & 0x3F));
      push(0x80 | (code >> 6 & 0x3F));
    }
    push(0x80 | (code & 0x3F));
  }
  void push(uint32_t byte) { target_.push_back(static_cast<char>(byte)); }

  std::string& target_;
  uint32_t high_ = 0;  // A high surrogate that waits for its low one; 0 for none.
};

void writeVarint(uint32_t value, DataOutput& output) {
  for (; value >= 0x80; value >>= 7) output.writeByte(static_cast<uint8_t>(value | 0x80));
  output.writeByte(static_cast<uint8_t>(value));
}

/// Reads up to `max_bytes` bytes of 7 bits; a longer one fails.
uint64_t readVarint(int max_bytes, DataInput& input) {
  uint64_t value = 0;
  for (int i = 0; i < max_bytes; ++i) {
    const uint8_t byte = input.readByte();
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if (byte < 0x80) return value;
  }
  input.fail("a number of a string is too long");
  return 0;
}

void writeModified(uint32_t unit, DataOutput& output) {
  if (unit != 0 && unit < 0x80) return output.writeByte(static_cast<uint8_t>(unit));
  if (unit < 0x800) {
    output.writeByte(static_cast<uint8_t>(0xC0 | unit >> 6));
  } else {
    output.writeByte(static_cast<uint8_t>(0xE0 | unit >> 12));
    output.writeByte(static_cast<uint8_t>(0x80 | (unit >> 6 & 0x3F)));
  }
  output.writeByte(static_cast<uint8_t>(0x80 | (unit & 0x3F)));
}

}  // namespace

size_t countUnits(std::string_view text) {
  size_t count = 0;
  forEachUnit(text, [&count](uint32_t) { ++count; });
  return count;
}

void writeUnits(std::string_view text, UnitFormat format, DataOutput& output) {
  if (format == UnitFormat::kVarint) {
    forEachUnit(text, [&output](uint32_t unit) { writeVarint(unit, output); });
  } else {
    forEachUnit(text, [&output](uint32_t unit) { writeModified(unit, output); });
  }
}

void writeLongOrNonAsciiString(std::string_view text, DataOutput& output) {
  const bool ascii = isAscii(text.data(), text.size());
  const size_t units = ascii ? text.size() : countUnits(text);
  WIESEL_CHECK(units < size_t{std::numeric_limits<int32_t>::max()})
      << "a string of " << units << " characters is longer than its format allows";
  writeVarint(static_cast<uint32_t>(units + 1), output);
  if (ascii) return output.writeRaw(text);
  writeUnits(text, UnitFormat::kVarint, output);
}

bool readLongOrNonAsciiString(std::string& target, DataInput& input) {
  target.clear();
  const uint64_t length = readVarint(5, input);
  if (length == 0) return false;
  const uint64_t units = length - 1;
  if (units > input.remaining()) {
    input.fail("a string of " + std::to_string(units) + " characters does not fit into the " +
               std::to_string(input.remaining()) + " bytes after its length");
    return false;
  }
  if (isAscii(input.cursor(), units)) {
    target = input.readRaw(units);
    return true;
  }
  target.reserve(units);
  UnitsToBytes bytes(target);
  for (uint64_t i = 0; i < units && input.ok(); ++i) {
    const uint64_t unit = readVarint(3, input);
    if (unit > 0xFFFF) input.fail("a character of a string is above U+FFFF");
    bytes.add(static_cast<uint32_t>(unit));
  }
  bytes.finish();
  return input.ok();
}

std::string readModifiedUtf8(std::string_view bytes, DataInput& input) {
  std::string text;
  text.reserve(bytes.size());
  UnitsToBytes target(text);
  for (size_t i = 0; i < bytes.size();) {
    const uint32_t first = at(bytes, i);
    if (first < 0x80) {
      target.add(first);
      i += 1;
    } else if ((first & 0xE0) == 0xC0 && continues(bytes, i + 1)) {
      target.add((first & 0x1F) << 6 | payload(bytes, i + 1));
      i += 2;
    } else if ((first & 0xF0) == 0xE0 && continues(bytes, i + 1) && continues(bytes, i + 2)) {
      target.add((first & 0x0F) << 12 | payload(bytes, i + 1) << 6 | payload(bytes, i + 2));
      i += 3;
    } else {
      input.fail("a name is no modified UTF-8");
      return {};
    }
  }
  target.finish();
  return text;
}

int32_t javaHashOfNonAscii(std::string_view text) {
  uint32_t hash = 0;
  forEachUnit(text, [&hash](uint32_t unit) { hash = 31 * hash + unit; });
  return static_cast<int32_t>(hash);
}

}  // namespace wiesel::internal
