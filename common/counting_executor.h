#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "common/executor.h"

namespace wiesel {

/// Hands closures on to another executor and knows whether some of them are still there: waiting or
/// running. One that is destroyed unrun counts as over.
///
/// Borrows: the other executor. Closures may outlive this object.
/// Threads: thread-safe.
class CountingExecutor final : public Executor {
 public:
  explicit CountingExecutor(Executor& executor) : executor_(executor) {}

  void execute(std::function<void()> closure) override {
    // Counted as long as any copy of the closure lives, what it captured included.
    auto counted = std::make_shared<Counted>(count_, std::move(closure));
    executor_.execute([counted] { counted->closure(); });
  }

  bool isIdle() const { return count_->load(std::memory_order_acquire) == 0; }

 private:
  using Count = std::shared_ptr<std::atomic<int>>;

  struct Counted {
    Counted(Count total, std::function<void()> call)
        : count(std::move(total)), closure(std::move(call)) {
      count->fetch_add(1, std::memory_order_relaxed);
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() {
      closure = nullptr;
      count->fetch_sub(1, std::memory_order_release);
    }

    const Count count;
    std::function<void()> closure;
  };

  Executor& executor_;
  const Count count_ = std::make_shared<std::atomic<int>>(0);  // Shared with the closures.
};

}  // namespace wiesel
