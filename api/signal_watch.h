#pragma once

#include <signal.h>

#include <functional>
#include <mutex>
#include <thread>

namespace wiesel::internal {

/// Takes SIGINT and SIGTERM while it lives and calls a function instead of ending the process. A
/// second signal ends the process as usual. Its destructor gives the thread back the signal mask
/// that it had.
///
/// Threads: made and destroyed by one thread before and after others exist, since the threads that
///          are made meanwhile inherit what it blocks.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  /// `call` runs for each signal, on a thread of its own, and at once for one that has come
  /// already. Null: nothing is called any more, once this has returned.
  void onSignal(std::function<void()> call);

 private:
  void watch();

  int end_event_;
  sigset_t former_mask_{};  // Of the thread that made this.
  std::mutex mutex_;
  std::function<void()> call_;  // Guarded by mutex_, as below.
  bool signalled_ = false;
  std::thread thread_;
};

}  // namespace wiesel::internal
