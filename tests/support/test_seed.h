#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace wiesel::testing {

/// The seeds of a random test: 1..count, or only the one in WIESEL_TEST_SEED. A test prints the
/// seed of a failure (SCOPED_TRACE), which that variable then repeats.
inline std::vector<uint64_t> testSeeds(uint64_t count) {
  if (const char* only = std::getenv("WIESEL_TEST_SEED")) return {std::stoull(only)};
  std::vector<uint64_t> seeds;
  for (uint64_t seed = 1; seed <= count; ++seed) seeds.push_back(seed);
  return seeds;
}

}  // namespace wiesel::testing
