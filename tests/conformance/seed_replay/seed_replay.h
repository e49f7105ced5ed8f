#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "tests/conformance/seed_replay/seed_case.h"

namespace wiesel::conformance {

enum class Mode { kEmbedded, kCluster };

/// One case in one surrounding.
struct SeedReplay {
  SeedCase seed;
  Mode mode = Mode::kEmbedded;
  std::string backend;  // As in state.backend.type.

  std::string name() const;
};

/// Where the programs are.
struct SeedPrograms {
  std::string examples;  // The folder of the examples.
  std::string wiesel;    // The program.
};

/// Why the replay cannot be done with what is built, if so.
std::optional<std::string> reasonToSkip(const SeedReplay& replay, const SeedPrograms& programs);

/// Replays a case; its files go to `directory`, which exists and is empty. Returns the first
/// difference to what was recorded.
std::optional<std::string> replaySeed(const SeedReplay& replay, const SeedPrograms& programs,
                                      const std::string& directory, double stretch,
                                      const std::stop_token& stop);

}  // namespace wiesel::conformance
