#pragma once

#include <array>
#include <cstdint>

namespace wiesel {

/// Where random numbers come from. Whoever draws takes a RandomSource in its constructor.
class RandomSource {
 public:
  virtual ~RandomSource() = default;

  /// 64 uniform random bits.
  virtual uint64_t next() = 0;

  /// Uniform in [0, bound). Requires bound > 0.
  uint64_t below(uint64_t bound);

  /// Uniform in [0, 1).
  double nextDouble();
};

/// The kernel's random numbers. Thread-safe.
class SystemRandom final : public RandomSource {
 public:
  uint64_t next() override;
};

/// The same numbers for the same seed, on every machine (xoshiro256**, seeded by splitmix64). Not
/// thread-safe.
class SeededRandom final : public RandomSource {
 public:
  explicit SeededRandom(uint64_t seed);
  uint64_t next() override;

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace wiesel
