#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/seed_replay/job_host.h"

namespace wiesel::conformance {

/// One run of a job: its inputs, what it printed, and what it left in the checkpoint directory.
/// Paths; the last one is empty when nothing was recorded.
struct SeedRun {
  std::string input;
  std::string output;
  std::string tree;
};

/// One folder of recordings: a program in one variant, started once, or again from its own
/// checkpoint.
struct SeedCase {
  std::string program;
  std::string variant;  // The folder's name; "article" for the program's own folder.
  std::string directory;
  std::vector<SeedRun> runs;

  std::string name() const { return program + "/" + variant; }
  bool hasTrees() const;
};

/// Finds the cases in and below `directory`, sorted. Takes program and variant from the names of
/// the folders. Throws std::runtime_error when it cannot be read.
std::vector<SeedCase> findSeedCases(const std::string& directory);

/// How to start a case's program, and what is to be looked at.
struct SeedSetup {
  std::vector<std::string> arguments;     // Without ports, backend and checkpoints.
  std::map<int, std::string> port_flags;  // By recorded port.
  bool has_checkpoints = false;
  bool fails_always = false;  // The job is to end as FAILED.
  bool keeps_clear_of_minute_end = false;
  std::optional<std::chrono::milliseconds> cancel_after;  // Of a program that never ends.
};

/// Nullopt when no program of that name is known.
std::optional<SeedSetup> setupOf(const SeedCase& seed);

}  // namespace wiesel::conformance
