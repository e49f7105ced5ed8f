#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wiesel::runtime {

/// Decides which of a job's failures are worth a line of the log, for one that fails again and
/// again for the same reason would fill the disk with them: the first is, then one after each
/// interval, which doubles every time.
///
/// Units:   milliseconds of a clock that never goes back; the caller reads it.
/// Threads: not thread-safe; belongs to one job.
class RepeatedFailures {
 public:
  static constexpr int64_t kFirstIntervalMs = 1'000;
  /// Also: a cause that was not seen for so long is new again.
  static constexpr int64_t kMaxIntervalMs = 60'000;
  /// Causes that are remembered; beyond it the one that was seen last the longest ago is forgotten.
  static constexpr size_t kMaxCauses = 16;

  /// Counts a failure. How many there were for this cause since it was last worth a line, this one
  /// included; nullopt when it is not.
  std::optional<int64_t> onFailure(const std::string& cause, int64_t now_ms);

 private:
  struct Known {
    std::string cause;
    int64_t seen_ms = 0;
    int64_t said_ms = 0;
    int64_t interval_ms = kFirstIntervalMs;
    int64_t unsaid = 0;
  };

  std::vector<Known> known_;  // The one that was seen last at the end.
};

}  // namespace wiesel::runtime
