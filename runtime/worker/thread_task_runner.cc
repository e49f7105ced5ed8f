#include "runtime/worker/thread_task_runner.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"

namespace wiesel::runtime {
namespace {

/// A place to sleep until somebody calls wake(). A wake() between two sleeps is not lost.
class Parking {
 public:
  void wake() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      woken_ = true;
    }
    changed_.notify_one();
  }

  void sleep(std::optional<int64_t> at_most_ms) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto is_woken = [this] { return woken_; };
    if (at_most_ms) {
      changed_.wait_for(lock, std::chrono::milliseconds(std::min(*at_most_ms, kLongestMs)),
                        is_woken);
    } else {
      changed_.wait(lock, is_woken);
    }
    woken_ = false;
  }

 private:
  static constexpr int64_t kLongestMs = 60'000;  // A timer may be for the end of time.

  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;  // Guarded by mutex_.
};

void drive(StreamTask& task, Parking& parking) {
  while (true) {
    const StepResult result = task.step();
    if (result.kind == StepResult::Kind::kDone) return;
    if (result.kind == StepResult::Kind::kIdle) parking.sleep(result.wake_in_ms);
  }
}

std::thread startThread(std::function<void()> body) { return std::thread(std::move(body)); }

}  // namespace

ThreadTaskRunner::ThreadTaskRunner() : ThreadTaskRunner(startThread) {}

ThreadTaskRunner::~ThreadTaskRunner() {
  std::list<Runner> all;
  {
    // A task may be over before run() has put its thread into the list.
    std::lock_guard<std::mutex> lock(mutex_);
    all.swap(runners_);
  }
  for (Runner& runner : all) runner.thread.join();
}

absl::Status ThreadTaskRunner::run(std::shared_ptr<StreamTask> task,
                                   std::function<void()> on_done) {
  joinFinished();
  // Whoever wakes the task may do so after its end, so both keep the parking alive.
  auto parking = std::make_shared<Parking>();
  task->setWakeup([parking] { parking->wake(); });
  std::lock_guard<std::mutex> lock(mutex_);
  Runner& runner = runners_.emplace_back();
  runner.task_name = task->name();
  auto body = [this, &runner, parking, task = std::move(task),
               on_done = std::move(on_done)]() mutable {
    pthread_setname_np(pthread_self(), ("task-" + task->ref().vertex_id().substr(0, 8)).c_str());
    drive(*task, *parking);
    task.reset();
    on_done();
    std::lock_guard<std::mutex> done_lock(mutex_);
    runner.done = true;
    changed_.notify_all();
  };
  try {
    runner.thread = start_thread_(std::move(body));
  } catch (const std::system_error& error) {
    runners_.pop_back();
    return absl::ResourceExhaustedError(absl::StrFormat(
        "the system gives no thread for a task, while %d others have theirs (%s): raise the limit "
        "on processes and threads (ulimit -u, pids.max), or spread the job over more TaskManagers",
        runners_.size(), error.what()));
  }
  return absl::OkStatus();
}

std::vector<std::string> ThreadTaskRunner::awaitAll(int64_t timeout_ms) {
  const auto is_done = [](const Runner& runner) { return runner.done; };
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                    [&] { return std::all_of(runners_.begin(), runners_.end(), is_done); });
  std::vector<std::string> running;
  for (const Runner& runner : runners_) {
    if (!is_done(runner)) running.push_back(runner.task_name);
  }
  return running;
}

void ThreadTaskRunner::joinFinished() {
  std::list<Runner> finished;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto runner = runners_.begin(); runner != runners_.end();) {
      const auto next = std::next(runner);
      if (runner->done) finished.splice(finished.end(), runners_, runner);
      runner = next;
    }
  }
  for (Runner& runner : finished) runner.thread.join();
}

}  // namespace wiesel::runtime
