#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "tests/conformance/seed_replay/timeline.h"

namespace wiesel::conformance {

/// How a timeline is played.
struct PlayOptions {
  double stretch = 1;  // Multiplies every sleep.
  /// Waits before the first send when the next minute is near: a job that takes its event time from
  /// the clock must see its first records within one minute.
  bool keeps_clear_of_minute_end = false;
  std::function<void(const std::string& file)> on_touch;
  /// Whether the job has ended, so that nobody will connect any more. May be called often.
  std::function<bool()> job_has_ended;
  std::stop_token stop;
};

/// Serves the sockets that a job reads, as a timeline says.
///
/// Errors: std::runtime_error that names the step.
class TimelinePlayer {
 public:
  /// Opens a free port for each port of the timeline.
  explicit TimelinePlayer(Timeline timeline);
  ~TimelinePlayer();
  TimelinePlayer(const TimelinePlayer&) = delete;
  TimelinePlayer& operator=(const TimelinePlayer&) = delete;

  /// The free port that stands for a recorded one.
  uint16_t portFor(int recorded) const;

  /// Plays the steps, then closes all connections.
  void play(const PlayOptions& options);

 private:
  using Milliseconds = std::chrono::milliseconds;

  struct Server {
    int listener = -1;
    uint16_t port = 0;
    std::vector<int> connections;  // -1: closed.
  };

  void playStep(const TimelineStep& step, const PlayOptions& options);
  void awaitConnection(const TimelineStep& step, const PlayOptions& options);
  void send(const TimelineStep& step, const PlayOptions& options);
  void closeConnection(Server& server);
  /// Takes in connections for that long.
  void acceptFor(Milliseconds duration, const std::stop_token& stop);
  void acceptWaiting();

  const Timeline timeline_;
  std::map<int, Server> servers_;  // By recorded port.
  bool has_sent_ = false;
};

}  // namespace wiesel::conformance
