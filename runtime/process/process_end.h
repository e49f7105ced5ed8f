#pragma once

#include <string>

#include "common/mutex.h"

namespace wiesel::runtime {

/// Decides when a process of the cluster ends: on SIGTERM or SIGINT, or because a part of it cannot
/// go on. To be made on the main thread before any other thread is started; one a process.
class ProcessEnd {
 public:
  /// Keeps the two signals from every thread of the process, and ignores SIGPIPE.
  ProcessEnd();
  ProcessEnd(const ProcessEnd&) = delete;
  ProcessEnd& operator=(const ProcessEnd&) = delete;
  ~ProcessEnd();

  /// The process is to end with exit status 1; `why` is one line for people. Any thread; the first
  /// one counts.
  void fail(std::string why) ABSL_LOCKS_EXCLUDED(mutex_);

  /// Waits for the end. Empty after a signal, else why.
  std::string wait() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const int signal_fd_;
  const int failed_fd_;

  Mutex mutex_;
  std::string why_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace wiesel::runtime
