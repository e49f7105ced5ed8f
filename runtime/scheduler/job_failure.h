#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/proto/control.pb.h"

namespace wiesel::runtime {

/// Whether a job may start again after a failure.
enum class Recovery {
  kByStrategy,    // The restart strategy decides.
  kOnceDeployed,  // So does it, but only for a job that has been deployed before.
  kNever,
};

/// Why a job failed, where and when.
struct JobFailure {
  /// `message` is the root cause in one line; `operator_name` and `task_name` are empty when it was
  /// not in a task. `subtask` counts from 0. Texts are bounded (runtime/graph/failure_text.h).
  proto::Failure info;
  int64_t timestamp_ms = 0;     // Epoch.
  int32_t attempt = 0;          // Of the task, when there is one.
  std::string task_manager_id;  // Empty when it was not in a task.
  Recovery recovery = Recovery::kByStrategy;

  /// Not empty: the failure is the end of this worker. Why it ended may be learnt a little later
  /// than that it did; until then `cause_known` is false.
  std::string lost_worker_id;
  bool cause_known = true;
};

/// What people read: the root cause first, in one line, with operator and subtask: "it broke
/// (operator 'map', subtask 1/2)".
std::string failureLine(const JobFailure& failure);

/// One failure of the job, as the exception history shows it.
struct ExceptionEntry {
  /// Flink's JobException around the failure that ended the job, such as "Recovery is suppressed by
  /// NoRestartBackoffTimeStrategy"; empty when the job was restarted.
  std::string job_exception;
  JobFailure root;
  std::vector<JobFailure> concurrent;  // Other failures before the job was started again.

  /// Flink's form: the JobException, if any, then "Caused by: " and the cause, trace included.
  std::string flinkText() const;
};

/// The newest failures of a job, newest first.
///
/// Flink: BoundedFIFOQueue<RootExceptionHistoryEntry> in SchedulerBase (1.20).
class ExceptionHistory {
 public:
  static constexpr size_t kMaxConcurrent = 16;  // Of one entry; further ones are dropped.

  /// Keeps at most `max_entries` (web.exception-history-size, at least 1).
  explicit ExceptionHistory(size_t max_entries);

  /// The failure led to a restart, or with a `job_exception` ended the job.
  void add(JobFailure root, std::string job_exception);
  /// Belongs to the newest entry. Ignored when there is none.
  void addConcurrent(JobFailure failure);

  /// The worker ended because of `cause`. Replaces what the newest entry says about its end, and
  /// returns true, when the cause was not known yet.
  bool learnCause(std::string_view worker_id, const std::string& cause);

  const std::deque<ExceptionEntry>& entries() const { return entries_; }

 private:
  const size_t max_entries_;
  std::deque<ExceptionEntry> entries_;
};

}  // namespace wiesel::runtime
