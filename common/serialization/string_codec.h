#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"

/// Text between C++ and Java. A Java String is a sequence of UTF-16 units, ours is bytes that are
/// usually UTF-8.
///
/// Bytes that are no UTF-8 travel as lone low surrogates U+DC80..DCFF and come back as they were,
/// for every sequence of bytes. The other lone surrogates that a Java String may hold become the
/// three bytes that UTF-8 would give them, and come back too, except a high one before something
/// that is no valid UTF-8, and low ones of U+DC80..DCFF that happen to spell valid UTF-8.
///
/// Flink: StringValue.writeString, readString (1.20); String.hashCode.
namespace wiesel::internal {

inline bool isAscii(const char* text, size_t size) {
  constexpr uint64_t kHighBits = 0x8080808080808080u;
  uint64_t word;
  if (size < sizeof(word)) {
    unsigned char bits = 0;
    for (size_t i = 0; i < size; ++i) bits |= static_cast<unsigned char>(text[i]);
    return bits < 0x80;
  }
  uint64_t bits = 0;
  for (size_t i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
    std::memcpy(&word, text + i, sizeof(word));
    bits |= word;
  }
  std::memcpy(&word, text + size - sizeof(word), sizeof(word));
  return ((bits | word) & kHighBits) == 0;
}

void writeLongOrNonAsciiString(std::string_view text, DataOutput& output);
bool readLongOrNonAsciiString(std::string& target, DataInput& input);
int32_t javaHashOfNonAscii(std::string_view text);

/// Writes modified UTF-8 without a length.
void writeModifiedUtf8(std::string_view text, DataOutput& output);
/// Decodes modified UTF-8; malformed input fails.
std::string readModifiedUtf8(std::string_view bytes, DataInput& input);

/// Writes a varint of the number of units + 1, then each unit as a varint. A unit below 0x80 is its
/// own varint, so ASCII is copied as it is.
inline void writeString(std::string_view text, DataOutput& output) {
  if (text.size() < 0x7F && isAscii(text.data(), text.size())) [[likely]] {
    char* target = output.append(text.size() + 1);
    *target = static_cast<char>(text.size() + 1);
    std::memcpy(target + 1, text.data(), text.size());
    return;
  }
  writeLongOrNonAsciiString(text, output);
}

inline void writeNullString(DataOutput& output) { output.writeByte(0); }

/// Reads into `target`; returns false, and clears it, for null or after a failure.
inline bool readString(std::string& target, DataInput& input) {
  if (input.remaining() > 0) {
    const uint8_t first = static_cast<uint8_t>(*input.cursor());
    const size_t units = first - size_t{1};
    if (first - 1u < 0x7Fu && units < input.remaining() && isAscii(input.cursor() + 1, units)) {
      target.assign(input.cursor() + 1, units);
      input.skip(units + 1);
      return true;
    }
  }
  return readLongOrNonAsciiString(target, input);
}

/// h = 31 * h + unit over the UTF-16 units, from 0.
inline int32_t javaStringHash(std::string_view text) {
  if (!isAscii(text.data(), text.size())) [[unlikely]]
    return javaHashOfNonAscii(text);
  constexpr uint32_t k2 = 31u * 31u, k3 = k2 * 31u, k4 = k3 * 31u;
  const char* unit = text.data();
  const char* const end = unit + text.size();
  uint32_t hash = 0;
  for (; end - unit >= 4; unit += 4) {  // Four at a time, so that the multiplications overlap.
    hash = hash * k4 + static_cast<uint32_t>(unit[0]) * k3 + static_cast<uint32_t>(unit[1]) * k2 +
           static_cast<uint32_t>(unit[2]) * 31u + static_cast<uint32_t>(unit[3]);
  }
  for (; unit != end; ++unit) hash = hash * 31u + static_cast<uint32_t>(*unit);
  return static_cast<int32_t>(hash);
}

}  // namespace wiesel::internal
