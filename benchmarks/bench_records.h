#pragma once

#include <cstdint>

#include "wiesel/wiesel.h"

// The records and hashes of the benchmark's definition. All arithmetic is on 64-bit words and
// wraps.

namespace wiesel::benchmarks {

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15u;

constexpr uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Output number `n` of splitmix64 that starts at `seed`.
constexpr uint64_t randomNumber(uint64_t seed, uint64_t n) { return mix(seed + (n + 1) * kGolden); }

/// What a result adds to the checksum of its run.
constexpr uint64_t resultHash(uint64_t a, uint64_t b) { return mix(a * kGolden + b); }
constexpr uint64_t resultHash(uint64_t a, uint64_t b, uint64_t c) {
  return mix((a * kGolden + b) * kGolden + c);
}

/// A record: key, value, event time in milliseconds.
struct Ev {
  int64_t k = 0;
  int64_t v = 0;
  int64_t t = 0;
};
WIESEL_DESCRIBE(Ev, k, v, t)

/// Makes record `n` of a stream with uniform keys.
struct EvGenerator {
  uint64_t seed = 42;
  uint64_t keys = 1'000'000;
  uint64_t records_per_ms = 100;
  uint64_t late_ms = 0;

  Ev operator()(int64_t n) const {
    const uint64_t r = randomNumber(seed, static_cast<uint64_t>(n));
    const auto time_ms = static_cast<int64_t>(60000 + static_cast<uint64_t>(n) / records_per_ms) -
                         static_cast<int64_t>((((r >> 16) & 0xFFFF) * late_ms) >> 16);
    return {static_cast<int64_t>(((r >> 32) * keys) >> 32), static_cast<int64_t>(r & 0xFFFF),
            time_ms};
  }
};

}  // namespace wiesel::benchmarks
