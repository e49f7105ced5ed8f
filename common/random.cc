#include "common/random.h"

#include <bit>
#include <random>

#include "common/check.h"

namespace wiesel {
namespace {

uint64_t splitMix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

}  // namespace

uint64_t RandomSource::below(uint64_t bound) {
  WIESEL_CHECK(bound > 0);
  // Draws beyond the last whole multiple of `bound` would favour small results.
  const uint64_t surplus = (-bound) % bound;  // 2^64 mod bound
  uint64_t drawn = next();
  while (drawn < surplus) drawn = next();
  return drawn % bound;
}

double RandomSource::nextDouble() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

uint64_t SystemRandom::next() {
  std::random_device device;
  return (static_cast<uint64_t>(device()) << 32) | device();
}

SeededRandom::SeededRandom(uint64_t seed) {
  for (uint64_t& word : state_) word = splitMix64(seed);
}

uint64_t SeededRandom::next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

}  // namespace wiesel
