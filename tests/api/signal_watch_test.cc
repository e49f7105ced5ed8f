#include "api/signal_watch.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace wiesel::internal {
namespace {

sigset_t setOf(int signal_number) {
  sigset_t signals;
  sigemptyset(&signals);
  if (signal_number != 0) sigaddset(&signals, signal_number);
  return signals;
}

bool isBlocked(int signal_number) {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return sigismember(&blocked, signal_number) == 1;
}

TEST(SignalWatchTest, LeavesTheMaskOfItsThreadAsItWas) {
  sigset_t former;
  for (const int blocked_before : {0, SIGINT, SIGTERM, SIGHUP}) {
    const sigset_t mask = setOf(blocked_before);
    pthread_sigmask(SIG_SETMASK, &mask, &former);
    {
      SignalWatch watch;
      EXPECT_TRUE(isBlocked(SIGINT));
      EXPECT_TRUE(isBlocked(SIGTERM));
    }
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
      EXPECT_EQ(isBlocked(signal_number), signal_number == blocked_before) << signal_number;
    }
    pthread_sigmask(SIG_SETMASK, &former, nullptr);
  }
}

}  // namespace
}  // namespace wiesel::internal
