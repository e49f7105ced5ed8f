#include "common/ids.h"

#include <algorithm>
#include <cstring>

namespace wiesel {
namespace {

int hexValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<Id128> Id128::fromHex(std::string_view hex) {
  if (hex.size() != 2 * kSize) return std::nullopt;
  Id128 id;
  for (size_t i = 0; i < kSize; ++i) {
    const int high = hexValue(hex[2 * i]);
    const int low = hexValue(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes_[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return id;
}

std::optional<Id128> Id128::fromBytes(std::string_view bytes) {
  if (bytes.size() != kSize) return std::nullopt;
  Id128 id;
  std::copy(bytes.begin(), bytes.end(), id.bytes_.begin());
  return id;
}

std::string Id128::toHex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * kSize);
  for (const uint8_t byte : bytes_) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string Id128::toBytes() const { return std::string(bytes_.begin(), bytes_.end()); }

Id128 randomId(RandomSource& random) {
  std::array<uint8_t, Id128::kSize> bytes;
  for (size_t i = 0; i < Id128::kSize; i += sizeof(uint64_t)) {
    const uint64_t word = random.next();
    for (size_t j = 0; j < sizeof(uint64_t); ++j) {
      bytes[i + j] = static_cast<uint8_t>(word >> 8 * j);
    }
  }
  return Id128(bytes);
}

}  // namespace wiesel

size_t std::hash<wiesel::Id128>::operator()(const wiesel::Id128& id) const noexcept {
  // Random ids are uniform, hashed ones too; folding the halves is enough.
  uint64_t halves[2];
  std::memcpy(halves, id.bytes().data(), sizeof(halves));
  return static_cast<size_t>(halves[0] ^ (halves[1] * 0x9e3779b97f4a7c15));
}
