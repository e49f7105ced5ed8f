#include "runtime/worker/loop_task_runner.h"

#include <utility>

namespace wiesel::runtime {
namespace {

/// A task between its steps.
class LoopedTask : public std::enable_shared_from_this<LoopedTask> {
 public:
  LoopedTask(EventLoop& loop, std::shared_ptr<StreamTask> task, std::function<void()> on_done)
      : loop_(loop), task_(std::move(task)), on_done_(std::move(on_done)) {}

  void begin() {
    // The task holds its runner and the runner the task, until the task is done.
    task_->setWakeup([self = shared_from_this()] { self->stepSoon(); });
    stepSoon();
  }

 private:
  void stepSoon() {
    if (is_due_ || !task_) return;
    is_due_ = true;
    loop_.post([self = shared_from_this()] { self->step(); });
  }

  void step() {
    is_due_ = false;
    if (!task_) return;
    if (timer_ != 0) loop_.cancelTimer(std::exchange(timer_, 0));
    const StepResult result = task_->step();
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
  std::shared_ptr<StreamTask> task_;  // Shared with the task executor; null when done.
  std::function<void()> on_done_;
  uint64_t timer_ = 0;
  bool is_due_ = false;
};

}  // namespace

void LoopTaskRunner::run(std::shared_ptr<StreamTask> task, std::function<void()> on_done) {
  std::make_shared<LoopedTask>(new_loop_(), std::move(task), std::move(on_done))->begin();
}

}  // namespace wiesel::runtime
