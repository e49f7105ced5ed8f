#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace wiesel {

/// Spreads a Java hash code over 0 .. 2^31-1: one 32-bit block of murmur3, without its sign.
/// Flink: MathUtils.murmurHash (1.20).
constexpr int32_t murmurHash(int32_t hash_code) {
  uint32_t code = static_cast<uint32_t>(hash_code) * 0xcc9e2d51u;
  code = std::rotl(code, 15) * 0x1b873593u;
  code = std::rotl(code, 13) * 5u + 0xe6546b64u;
  code ^= 4u;  // The length of the block.
  code = (code ^ code >> 16) * 0x85ebca6bu;
  code = (code ^ code >> 13) * 0xc2b2ae35u;
  code ^= code >> 16;
  const uint32_t magnitude = static_cast<int32_t>(code) < 0 ? 0u - code : code;
  return magnitude == 0x80000000u ? 0 : static_cast<int32_t>(magnitude);
}

/// The 128-bit murmur3 for 64-bit machines with seed 0, both halves little-endian, the first one
/// first. Over the UTF-8 bytes of a uid it is the operator's id.
/// Flink: StreamGraphHasherV2.generateUserSpecifiedHash (1.20).
std::array<uint8_t, 16> murmur3_128(std::string_view bytes);

}  // namespace wiesel
