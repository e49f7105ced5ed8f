#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wiesel::runtime {

/// The state of a job as people and REST see it. Flink: JobStatus (1.20), in its order.
enum class JobStatus : uint8_t {
  kInitializing,
  kCreated,
  kRunning,
  kFailing,
  kFailed,
  kCancelling,
  kCanceled,
  kFinished,
  kRestarting,
  kSuspended,
  kReconciling,
};

constexpr int kNumJobStatuses = 11;

/// When a job entered each status, in epoch milliseconds; 0: never.
using StatusTimestamps = std::array<int64_t, kNumJobStatuses>;

/// Flink's name: "RUNNING".
std::string_view nameOf(JobStatus status);

/// FINISHED, CANCELED or FAILED.
bool isTerminal(JobStatus status);

}  // namespace wiesel::runtime
