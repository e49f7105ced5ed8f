#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wiesel::runtime {

/// Remembers when each peer was last heard and says who has been silent for too long. Pure: the
/// caller reads the clock, sends the heartbeats and acts.
///
/// Units:   milliseconds of a clock that never goes back.
/// Threads: not thread-safe.
/// Flink:   HeartbeatManager, HeartbeatMonitor (1.20).
class HeartbeatMonitor {
 public:
  /// Requires timeout_ms > 0.
  explicit HeartbeatMonitor(int64_t timeout_ms);

  /// Begins to watch the peer, or hears it again.
  void heard(const std::string& peer, int64_t now_ms);
  /// Hears the peer if it is watched.
  void heardIfWatched(const std::string& peer, int64_t now_ms);
  void forget(const std::string& peer);

  /// The peers that have been silent for the timeout, in the order of their ids. They stay watched.
  std::vector<std::string> silentAt(int64_t now_ms) const;

 private:
  const int64_t timeout_ms_;
  std::map<std::string, int64_t> heard_ms_;
};

}  // namespace wiesel::runtime
