#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wiesel::connectors {

inline constexpr std::string_view kInProgress = ".inprogress";
inline constexpr std::string_view kPending = ".pending";

/// What a part file's name says of its writer.
struct PartName {
  std::string job;  // The first digits of the job's id, then of the sink operator's.
  int subtask = 0;
  int parallelism = 1;
  int attempt = 0;
  int64_t number = 0;
  std::string ending;  // Empty: committed.

  std::string toString() const;

  /// Nullopt for a file that is not ours.
  static std::optional<PartName> parse(std::string_view name);

  friend bool operator==(const PartName&, const PartName&) = default;
};

/// Whether the writer `writer` of a new attempt may remove the file `file` as one that was never
/// and will never be committed. Its subtask has committed what the restored checkpoint held.
///
/// A pending file of another parallelism stays: whoever was given it at the restore may not have
/// committed it yet.
bool isLeftover(const PartName& file, const PartName& writer);

}  // namespace wiesel::connectors
