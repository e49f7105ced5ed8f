#include "api/signal_watch.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <utility>

#include "common/check.h"

namespace wiesel::internal {
namespace {

sigset_t watchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

SignalWatch::SignalWatch() : end_event_(eventfd(0, EFD_CLOEXEC)) {
  WIESEL_CHECK(end_event_ >= 0);
  const sigset_t signals = watchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, &former_mask_);
  thread_ = std::thread([this] { watch(); });
}

SignalWatch::~SignalWatch() {
  const uint64_t one = 1;
  WIESEL_CHECK(write(end_event_, &one, sizeof(one)) == sizeof(one));
  thread_.join();
  close(end_event_);
  pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
}

void SignalWatch::onSignal(std::function<void()> call) {
  std::lock_guard<std::mutex> lock(mutex_);
  call_ = std::move(call);
  if (signalled_ && call_) call_();
}

void SignalWatch::watch() {
  const sigset_t signals = watchedSignals();
  const int signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
  WIESEL_CHECK(signal_fd >= 0);
  pollfd waits[] = {{signal_fd, POLLIN, 0}, {end_event_, POLLIN, 0}};
  while (true) {
    if (poll(waits, 2, -1) < 0) continue;  // Interrupted.
    if (waits[1].revents != 0) break;
    signalfd_siginfo info;
    if (read(signal_fd, &info, sizeof(info)) != sizeof(info)) continue;
    std::lock_guard<std::mutex> lock(mutex_);
    if (std::exchange(signalled_, true)) {
      // The first signal was not enough: die as if nobody had watched.
      signal(static_cast<int>(info.ssi_signo), SIG_DFL);
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      raise(static_cast<int>(info.ssi_signo));
    }
    if (call_) call_();
  }
  close(signal_fd);
}

}  // namespace wiesel::internal
