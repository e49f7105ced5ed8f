#include "common/hash/murmur.h"

#include <cstddef>
#include <cstring>

namespace wiesel {
namespace {

constexpr uint64_t kFirstFactor = 0x87c37b91114253d5u;
constexpr uint64_t kSecondFactor = 0x4cf5ad432745937fu;
constexpr size_t kBlock = 16;

uint64_t mixFirst(uint64_t word) { return std::rotl(word * kFirstFactor, 31) * kSecondFactor; }
uint64_t mixSecond(uint64_t word) { return std::rotl(word * kSecondFactor, 33) * kFirstFactor; }

uint64_t finish(uint64_t half) {
  half = (half ^ half >> 33) * 0xff51afd7ed558ccdu;
  half = (half ^ half >> 33) * 0xc4ceb9fe1a85ec53u;
  return half ^ half >> 33;
}

}  // namespace

std::array<uint8_t, 16> murmur3_128(std::string_view bytes) {
  const uint64_t length = bytes.size();
  uint64_t first = 0;
  uint64_t second = 0;
  uint64_t words[2];
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
    std::memcpy(words, bytes.data(), kBlock);
    first = std::rotl(first ^ mixFirst(words[0]), 27) + second;
    first = first * 5 + 0x52dce729u;
    second = std::rotl(second ^ mixSecond(words[1]), 31) + first;
    second = second * 5 + 0x38495ab5u;
  }
  words[0] = words[1] = 0;
  if (!bytes.empty()) std::memcpy(words, bytes.data(), bytes.size());
  // A tail word of zeros mixes to zero, so no length needs to be looked at.
  first ^= mixFirst(words[0]);
  second ^= mixSecond(words[1]);

  first ^= length;
  second ^= length;
  first += second;
  second += first;
  first = finish(first);
  second = finish(second);
  first += second;
  second += first;

  std::array<uint8_t, 16> hash;
  std::memcpy(hash.data(), &first, sizeof(first));
  std::memcpy(hash.data() + sizeof(first), &second, sizeof(second));
  return hash;
}

}  // namespace wiesel
