#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wiesel::conformance {

/// What is below the checkpoint directory of one job.
struct JobTree {
  std::set<int> complete;    // Numbers of the checkpoints that have their metadata.
  std::set<int> incomplete;  // Of those that have not.
  std::set<std::string> others;

  friend auto operator<=>(const JobTree&, const JobTree&) = default;
};

/// By job id.
using CheckpointTree = std::map<std::string, JobTree>;

/// Reads a recorded listing, `type path size` a line.
CheckpointTree parseTree(const std::string& listing);

/// Reads a checkpoint directory; empty when there is none. Files that go meanwhile are left out.
CheckpointTree scanTree(const std::string& directory);

/// Compares how many jobs have how many checkpoints, complete or not, and what lies beside them;
/// ids and numbers differ from run to run.
std::optional<std::string> compareTrees(const CheckpointTree& recorded,
                                        const CheckpointTree& actual);

}  // namespace wiesel::conformance
