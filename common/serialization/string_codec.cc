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
    if (at(text, 0) < 0x80) {
      visit(at(text, 0));
      text.remove_prefix(1);
      continue;
    }
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

/// Turns UTF-16 units into bytes, in the memory of a string.
class UnitsToBytes {
 public:
  /// Makes room for `max_units` units.
  UnitsToBytes(std::string& target, size_t max_units) : target_(target) {
    target.resize(kMaxBytesPerUnit * max_units);
    end_ = target.data();
  }

  void add(uint32_t unit) {
    if (high_ != 0) {
      const uint32_t high = std::exchange(high_, 0);
      if (isLowSurrogate(unit)) {
        return append(0x10000 + ((high & 0x3FF) << 10) + (unit & 0x3FF));
      }
      append(high);
    }
    if (unit < 0x80) {
      push(unit);
    } else if (isHighSurrogate(unit)) {
      high_ = unit;
    } else if (isEscapedByte(unit)) {
      push(unit & 0xFF);
    } else {
      append(unit);
    }
  }

  void finish() {
    if (high_ != 0) append(high_);
    target_.resize(static_cast<size_t>(end_ - target_.data()));
  }

 private:
  static constexpr size_t kMaxBytesPerUnit = 3;

  /// Writes a code of 0x80 or more.
  void append(uint32_t code) {
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
  void push(uint32_t byte) { *end_++ = static_cast<char>(byte); }

  std::string& target_;
  char* end_ = nullptr;
  uint32_t high_ = 0;  // A high surrogate that waits for its low one; 0 for none.
};

char* putVarint(uint32_t value, char* target) {
  for (; value >= 0x80; value >>= 7) *target++ = static_cast<char>(value | 0x80);
  *target++ = static_cast<char>(value);
  return target;
}

size_t varintLength(uint64_t value) {
  size_t length = 1;
  for (; value >= 0x80; value >>= 7) ++length;
  return length;
}

/// Takes a varint of up to `max_bytes` bytes from `cursor`; -1 if there is none before `end`.
inline int64_t takeVarint(int max_bytes, const char*& cursor, const char* end) {
  int64_t value = 0;
  for (int shift = 0; shift < 7 * max_bytes && cursor != end; shift += 7) {
    const uint8_t byte = static_cast<uint8_t>(*cursor++);
    value |= int64_t{byte & 0x7F} << shift;
    if (byte < 0x80) return value;
  }
  return -1;
}

char* putModified(uint32_t unit, char* target) {
  if (unit != 0 && unit < 0x80) {
    *target++ = static_cast<char>(unit);
    return target;
  }
  if (unit < 0x800) {
    *target++ = static_cast<char>(0xC0 | unit >> 6);
  } else {
    *target++ = static_cast<char>(0xE0 | unit >> 12);
    *target++ = static_cast<char>(0x80 | (unit >> 6 & 0x3F));
  }
  *target++ = static_cast<char>(0x80 | (unit & 0x3F));
  return target;
}

// What one byte of a C++ string becomes at most, in either format: a byte that is no UTF-8 is one
// unit of three bytes.
constexpr size_t kMaxBytesPerByte = 3;

}  // namespace

void writeModifiedUtf8(std::string_view text, DataOutput& output) {
  const size_t start = output.size();
  char* const first = output.append(kMaxBytesPerByte * text.size());
  char* end = first;
  forEachUnit(text, [&end](uint32_t unit) { end = putModified(unit, end); });
  output.truncate(start + static_cast<size_t>(end - first));
}

void writeLongOrNonAsciiString(std::string_view text, DataOutput& output) {
  WIESEL_CHECK(text.size() < size_t{std::numeric_limits<int32_t>::max()})
      << "a string of " << text.size() << " bytes is longer than its format allows";
  const size_t max_prefix = varintLength(text.size() + 1);
  if (isAscii(text.data(), text.size())) {
    putVarint(static_cast<uint32_t>(text.size() + 1), output.append(max_prefix));
    return output.writeRaw(text);
  }
  const size_t start = output.size();
  char* const prefix = output.append(max_prefix + kMaxBytesPerByte * text.size());
  char* const first = prefix + max_prefix;
  char* end = first;
  uint32_t units = 0;
  forEachUnit(text, [&end, &units](uint32_t unit) {
    end = putVarint(unit, end);
    ++units;
  });
  const size_t size = static_cast<size_t>(end - first);
  const size_t length = static_cast<size_t>(putVarint(units + 1, prefix) - prefix);
  if (length < max_prefix) std::memmove(prefix + length, first, size);
  output.truncate(start + length + size);
}

bool readLongOrNonAsciiString(std::string& target, DataInput& input) {
  constexpr int kMaxLengthBytes = 5;
  constexpr int kMaxUnitBytes = 3;
  target.clear();
  const char* cursor = input.cursor();
  const char* const end = cursor + input.remaining();
  const int64_t length = takeVarint(kMaxLengthBytes, cursor, end);
  if (length < 0) {
    input.fail("a string has no length");
    return false;
  }
  input.skip(static_cast<size_t>(cursor - input.cursor()));
  if (length == 0) return false;
  const size_t units = static_cast<size_t>(length) - 1;
  if (units > input.remaining()) {
    input.fail("a string of " + std::to_string(units) + " characters does not fit into the " +
               std::to_string(input.remaining()) + " bytes after its length");
    return false;
  }
  if (isAscii(cursor, units)) {
    target = input.readRaw(units);
    return true;
  }
  UnitsToBytes bytes(target, units);
  for (size_t i = 0; i < units; ++i) {
    const int64_t unit = takeVarint(kMaxUnitBytes, cursor, end);
    if (unit < 0 || unit > 0xFFFF) {
      input.fail("a string ends too early or has a character above U+FFFF");
      return false;
    }
    bytes.add(static_cast<uint32_t>(unit));
  }
  bytes.finish();
  input.skip(static_cast<size_t>(cursor - input.cursor()));
  return true;
}

std::string readModifiedUtf8(std::string_view bytes, DataInput& input) {
  std::string text;
  UnitsToBytes target(text, bytes.size());
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
