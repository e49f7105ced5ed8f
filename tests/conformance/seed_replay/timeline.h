#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wiesel::conformance {

/// One thing to do to a job that reads from sockets.
struct TimelineStep {
  enum class Kind { kAwait, kSend, kSleep, kClose, kTouch };

  Kind kind = Kind::kSleep;
  int port = 0;                           // As recorded; kAwait, kSend, kClose.
  int connection = 0;                     // kAwait: until that many have come, counted from 1.
  std::string text;                       // kSend: what to send; kTouch: the file's name.
  std::chrono::milliseconds duration{0};  // kSleep.
};

/// What was done to a job while its output was recorded.
struct Timeline {
  std::set<int> ports;
  std::vector<TimelineStep> steps;

  /// Whether the job is cancelled on the way.
  bool cancels() const;
};

/// The file whose creation means that the job is to be cancelled.
inline constexpr std::string_view kCancelFile = "cancel.flag";

/// Reads a timeline: one JSON object a line, see the recordings' README. Throws std::runtime_error
/// that names the line.
Timeline parseTimeline(std::string_view text);

}  // namespace wiesel::conformance
