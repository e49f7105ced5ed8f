#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operators/source_function_operator.h"
#include "tests/runtime/operators/operator_harness.h"
#include "tests/support/awaited_queue.h"

namespace wiesel::runtime {
namespace {

using Lines = std::vector<std::string>;

/// Runs a source function as a task does, in the thread of the test.
template <class F>
class SourceRig {
 public:
  explicit SourceRig(F function) : op_(std::move(function)) {
    context_.operator_name = "source";
    context_.wake_task = [this] { woken_.push(true); };
    op_.output()->addTarget(output_);
    op_.setUp(context_);
    op_.open();
  }
  ~SourceRig() { op_.close(); }

  SourceOperatorBase& op() { return op_; }
  Lines& lines() { return output_.lines; }

  void pollToTheEnd() {
    while (true) {
      const PollResult result = op_.poll();
      if (result == PollResult::kEnd) return;
      if (result == PollResult::kNothing) woken_.pop();
    }
  }

 private:
  testing::AwaitedQueue<bool> woken_;
  OperatorContext context_;
  RecordingInput<int64_t> output_;
  SourceFunctionOperator<int64_t, F> op_;
};

class Everything : public SourceFunction<int64_t> {
 public:
  void run(SourceContext& context) override {
    context.collect(1);
    context.collectWithTimestamp(2, 20);
    context.emitWatermark(15);
    context.markAsTemporarilyIdle();
    context.collect(3);
  }
  void cancel() override {}
};

TEST(SourceFunctionOperator, PutsOutInOrderWhatTheFunctionDoes) {
  SourceRig<Everything> rig{Everything()};
  rig.pollToTheEnd();
  EXPECT_EQ(rig.lines(), (Lines{"1", "2@20", "W 15", "idle", "active", "3"}));
}

class Fails : public SourceFunction<int64_t> {
 public:
  void run(SourceContext& context) override {
    context.collect(1);
    throw std::runtime_error("the disk is gone");
  }
  void cancel() override {}
};

TEST(SourceFunctionOperator, FailsWithWhatTheFunctionThrewBehindItsRecords) {
  SourceRig<Fails> rig{Fails()};
  try {
    rig.pollToTheEnd();
    FAIL() << "no failure";
  } catch (const OperatorFailure& failure) {
    EXPECT_STREQ(failure.what(), "the disk is gone");
    EXPECT_EQ(failure.operatorName(), "source");
  }
  EXPECT_EQ(rig.lines(), Lines{"1"});
}

/// Puts out far more than waits in between under one lock, then says so and goes on.
class OneLock : public SourceFunction<int64_t> {
 public:
  static constexpr int64_t kRecords = 5000;

  struct Shared {
    std::promise<void> locked;
    int64_t noted = 0;  // Guarded by the checkpoint lock.
  };

  explicit OneLock(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  void run(SourceContext& context) override {
    std::lock_guard outer(context.getCheckpointLock());
    shared_->locked.set_value();
    for (int64_t i = 0; i < kRecords; ++i) {
      std::lock_guard inner(context.getCheckpointLock());
      context.collect(i);
      shared_->noted = i + 1;
    }
  }
  void cancel() override {}

 private:
  std::shared_ptr<Shared> shared_;  // With the test.
};

TEST(SourceFunctionOperator, ACheckpointHasAllThatWasCollectedUnderTheLock) {
  const auto shared = std::make_shared<OneLock::Shared>();
  SourceRig<OneLock> rig{OneLock(shared)};
  shared->locked.get_future().wait();
  rig.op().prepareSnapshotPreBarrier(1);
  EXPECT_EQ(shared->noted, OneLock::kRecords);
  EXPECT_EQ(rig.lines().size(), OneLock::kRecords);
  rig.op().snapshotState(1);
  rig.pollToTheEnd();
  EXPECT_EQ(rig.lines().size(), OneLock::kRecords);
}

/// Never ends by itself, and ignores cancel() while it waits for room.
class Endless : public SourceFunction<int64_t> {
 public:
  void run(SourceContext& context) override {
    for (int64_t i = 0;; ++i) context.collect(i);
  }
  void cancel() override {}
};

TEST(SourceFunctionOperator, EndsAFunctionThatWaitsForRoom) {
  SourceRig<Endless> rig{Endless()};
  rig.op().poll();
  EXPECT_NO_THROW(rig.op().close());
}

}  // namespace
}  // namespace wiesel::runtime
