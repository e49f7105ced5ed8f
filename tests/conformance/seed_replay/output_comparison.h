#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wiesel::conformance {

/// Something that a job printed: one line, or lines that belong together.
struct OutputItem {
  /// What must come in the recorded order is in one stream; the order between streams is free.
  /// Named so that people know what it holds, say "firings of id 6".
  std::string stream;
  std::string text;  // Without what differs from run to run.

  friend bool operator==(const OutputItem&, const OutputItem&) = default;
};

/// Takes apart what a program of the recordings printed, by the rules of its README. Throws
/// std::runtime_error for a line that it cannot have printed.
std::vector<OutputItem> readOutput(const std::string& program, const std::string& variant,
                                   const std::string& output);

/// The first difference, in the order of what was expected; nullopt when there is none.
std::optional<std::string> compareOutput(const std::vector<OutputItem>& expected,
                                         const std::vector<OutputItem>& actual);

/// The first difference between what a program printed when it was recorded and what it prints now,
/// by all rules for this variant. `stretch` is that of the timeline.
std::optional<std::string> findOutputDifference(const std::string& program,
                                                const std::string& variant,
                                                const std::string& recorded,
                                                const std::string& actual, double stretch);

/// Whether the failures of the left join, "attempt failing at MS" each, are as far apart as a
/// restart delay of ten seconds makes them. `stretch` is that of the timeline.
std::optional<std::string> checkFailureTimes(const std::string& output, double stretch);

}  // namespace wiesel::conformance
