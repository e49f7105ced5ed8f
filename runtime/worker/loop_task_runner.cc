#include "runtime/worker/loop_task_runner.h"

#include <utility>

namespace wiesel::runtime {
namespace {

/// What steps a task. Whoever may wake the task holds on to it, even longer than the task lives.
class LoopedTask : public std::enable_shared_from_this<LoopedTask> {
 public:
  LoopedTask(EventLoop& loop, std::weak_ptr<StreamTask> task, std::function<void()> on_done)
      : loop_(loop), task_(std::move(task)), on_done_(std::move(on_done)) {}

  void stepSoon() {
    if (is_due_ || task_.expired()) return;
    is_due_ = true;
    loop_.post([self = shared_from_this()] { self->step(); });
  }

 private:
  void step() {
    is_due_ = false;
    const std::shared_ptr<StreamTask> task = task_.lock();
    if (!task) return;
    if (timer_ != 0) loop_.cancelTimer(std::exchange(timer_, 0));
    const StepResult result = task->step();
    switch (result.kind) {
      case StepResult::Kind::kMore:
        return stepSoon();
      case StepResult::Kind::kIdle:
        if (result.wake_in_ms) {
          timer_ = loop_.postAfter(*result.wake_in_ms, [self = shared_from_this()] {
            self->timer_ = 0;
            self->stepSoon();
          });
        }
        return;
      case StepResult::Kind::kDone:
        task_.reset();
        on_done_();
        return;
    }
  }

  EventLoop& loop_;
  std::weak_ptr<StreamTask> task_;  // Its wakeup holds this; empty when done.
  std::function<void()> on_done_;
  uint64_t timer_ = 0;
  bool is_due_ = false;
};

}  // namespace

absl::Status LoopTaskRunner::run(std::shared_ptr<StreamTask> task, std::function<void()> on_done) {
  const auto looped = std::make_shared<LoopedTask>(new_loop_(), task, std::move(on_done));
  task->setWakeup([looped] { looped->stepSoon(); });
  looped->stepSoon();
  return absl::OkStatus();
}

}  // namespace wiesel::runtime
