#include "common/thread_event_loop.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "common/check.h"

namespace wiesel {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

int64_t nowNs() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
}

/// The id of what is posted after stop(): no timer has it.
constexpr uint64_t kDroppedTimer = std::numeric_limits<uint64_t>::max();

thread_local const ThreadEventLoop* current_loop = nullptr;

}  // namespace

ThreadEventLoop::ThreadEventLoop(const std::string& name) : thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
}

ThreadEventLoop::~ThreadEventLoop() { stop(); }

void ThreadEventLoop::post(std::function<void()> closure) { push(0, std::move(closure)); }

uint64_t ThreadEventLoop::postAfter(int64_t delay_ms, std::function<void()> closure) {
  WIESEL_CHECK(delay_ms >= 0);
  return push(delay_ms, std::move(closure));
}

uint64_t ThreadEventLoop::push(int64_t delay_ms, std::function<void()> closure) {
  WIESEL_CHECK(closure != nullptr);
  // A delay beyond a hundred years is "never"; the sum must not overflow.
  constexpr int64_t kMaxDelayMs = int64_t{100} * 365 * 24 * 3600 * 1000;
  const int64_t delay_ns = std::min(delay_ms, kMaxDelayMs) * 1'000'000;
  uint64_t id = 0;
  bool becomes_first = false;
  {
    const MutexLock lock(mutex_);
    // The time is read under the lock, so that posts keep the order in which they got it.
    const int64_t due_ns = nowNs() + delay_ns;
    const std::optional<int64_t> first_due_ns = queue_.nextDueNs();
    becomes_first = !first_due_ns.has_value() || due_ns < *first_due_ns;
    if (stopped_) return kDroppedTimer;
    id = queue_.push(due_ns, std::move(closure));
  }
  if (becomes_first) changed_.notify_one();
  return id;
}

void ThreadEventLoop::cancelTimer(uint64_t timer_id) {
  std::function<void()> cancelled;  // Destroyed after the lock is released.
  const MutexLock lock(mutex_);
  cancelled = queue_.cancel(timer_id);
}

bool ThreadEventLoop::runsHere() const { return current_loop == this; }

void ThreadEventLoop::stop() {
  WIESEL_CHECK(!runsHere()) << "an event loop cannot stop itself";
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  DelayQueue dropped;
  {
    const MutexLock lock(mutex_);
    std::swap(dropped, queue_);
  }
}

void ThreadEventLoop::run() {
  current_loop = this;
  while (std::function<void()> closure = takeNext()) closure();
}

std::function<void()> ThreadEventLoop::takeNext() {
  const MutexLock lock(mutex_);
  while (!stopped_) {
    const std::optional<int64_t> due_ns = queue_.nextDueNs();
    if (!due_ns.has_value()) {
      changed_.wait(mutex_);
    } else if (*due_ns > nowNs()) {
      changed_.wait_until(mutex_, SteadyTime(std::chrono::nanoseconds(*due_ns)));
    } else {
      return queue_.pop();
    }
  }
  return nullptr;
}

}  // namespace wiesel
