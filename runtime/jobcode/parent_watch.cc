#include "runtime/jobcode/parent_watch.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

namespace wiesel::runtime {

namespace {

constexpr int kTaskManagerGone = 1;

void waitForTheEnd(int pipe_fd) {
  char nothing = 0;
  while (::read(pipe_fd, &nothing, 1) < 0 && errno == EINTR) {
  }
  ::_exit(kTaskManagerGone);
}

// Before main(), which may take its time.
const bool kWatching = [] {
  watchTaskManager();
  return true;
}();

}  // namespace

void watchTaskManager() {
  static bool watching = false;  // Written once before main().
  const char* descriptor = std::getenv(kParentPipeVariable);
  if (descriptor == nullptr || watching) return;
  watching = true;
  const int fd = std::atoi(descriptor);
  if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return;  // Not ours: started by hand.
  // Ends a process that is stopped, too. Should the TaskManager have ended before this, the pipe
  // tells.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // The user's handlers run in the user's threads.
  std::thread watcher([fd] { waitForTheEnd(fd); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(watcher.native_handle(), "parent_watch");
  watcher.detach();
}

}  // namespace wiesel::runtime
