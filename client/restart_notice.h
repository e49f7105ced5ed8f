#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wiesel::client {

/// What somebody who waits for a job is told about its restarts: the first at once, later ones at
/// growing intervals, each with the number of all so far and the newest cause.
///
/// Units: ticks, as often as look() is called.
class RestartNotice {
 public:
  /// A job that was well for so long is told of at once again; the longest interval, too.
  static constexpr int kMaxIntervalTicks = 32;

  /// "it broke: the job has restarted 3 times"; nullopt when there is nothing to say now.
  std::optional<std::string> look(int64_t restarts, const std::string& cause);

 private:
  int64_t seen_ = 0;  // Restarts.
  int64_t said_ = 0;
  int ticks_since_seen_ = 0;
  int ticks_since_said_ = 0;
  int interval_ticks_ = 1;
};

}  // namespace wiesel::client
