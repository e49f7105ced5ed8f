#include "runtime/process/process_end.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/check.h"

namespace wiesel::runtime {

namespace {

int openSignalFd() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  return ::signalfd(-1, &ending, SFD_CLOEXEC);
}

}  // namespace

ProcessEnd::ProcessEnd() : signal_fd_(openSignalFd()), failed_fd_(::eventfd(0, EFD_CLOEXEC)) {
  WIESEL_CHECK(signal_fd_ >= 0 && failed_fd_ >= 0);
}

ProcessEnd::~ProcessEnd() {
  ::close(signal_fd_);
  ::close(failed_fd_);
}

void ProcessEnd::fail(std::string why) {
  {
    MutexLock lock(mutex_);
    if (why_.empty()) why_ = std::move(why);
  }
  ::eventfd_write(failed_fd_, 1);
}

std::string ProcessEnd::wait() {
  pollfd ends[] = {{signal_fd_, POLLIN, 0}, {failed_fd_, POLLIN, 0}};
  while (::poll(ends, 2, -1) < 0 && errno == EINTR) {
  }
  MutexLock lock(mutex_);
  return why_;
}

}  // namespace wiesel::runtime
