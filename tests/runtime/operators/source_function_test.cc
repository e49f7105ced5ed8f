#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operators/source_function_operator.h"
#include "tests/runtime/operators/recording_input.h"
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
  ~SourceRig() { close(); }

  SourceOperatorBase& op() { return op_; }
  void close() {
    if (!std::exchange(closed_, true)) op_.close();
  }
  Lines& lines() { return output_.lines; }

  void pollToTheEnd() {
    while (true) {
      const PollResult result = op_.poll();
      if (result == PollResult::kEnd) return;
      if (result == PollResult::kNothing) waitUntilWoken();
    }
  }

  void pollUntilCheckpointBegins() {
    while (!op_.beginCheckpoint()) {
      if (op_.poll() == PollResult::kNothing) waitUntilWoken();
    }
  }

  void waitUntilWoken() { ASSERT_TRUE(woken_.pop()) << "the task was not woken"; }

 private:
  testing::AwaitedQueue<bool> woken_;
  OperatorContext context_;
  RecordingInput<int64_t> output_;
  SourceFunctionOperator<int64_t, F> op_;
  bool closed_ = false;
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

/// Puts out far more than waits in between under one lock, and notes it.
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
  rig.pollUntilCheckpointBegins();
  EXPECT_EQ(shared->noted, OneLock::kRecords);
  EXPECT_EQ(rig.lines().size(), OneLock::kRecords);
  rig.op().snapshotState(1);
  rig.op().endCheckpoint();
  rig.pollToTheEnd();
  EXPECT_EQ(rig.lines().size(), OneLock::kRecords);
}

TEST(SourceFunctionOperator, OneStepPutsOutABatchAtMost) {
  const auto shared = std::make_shared<OneLock::Shared>();
  SourceRig<OneLock> rig{OneLock(shared)};
  shared->locked.get_future().wait();
  while (true) {
    const size_t before = rig.lines().size();
    rig.op().beginCheckpoint();
    EXPECT_EQ(rig.lines().size(), before);
    const PollResult result = rig.op().poll();
    EXPECT_LE(rig.lines().size() - before, kBatchRecords);
    if (result == PollResult::kEnd) break;
    if (result == PollResult::kNothing) rig.waitUntilWoken();
  }
}

/// What a function under test and its test tell each other.
struct Talk {
  std::promise<void> locked;
  std::promise<void> go_on;
  std::atomic<bool> is_cancelled{false};
  std::vector<std::string> told;  // Guarded by the checkpoint lock.
};

/// Has the lock until the test says otherwise, or the task cancels it; then takes it again.
class LongLock : public SourceFunction<int64_t>,
                 public CheckpointedFunction,
                 public CheckpointListener {
 public:
  explicit LongLock(std::shared_ptr<Talk> talk) : talk_(std::move(talk)) {}

  void run(SourceContext& context) override {
    {
      std::lock_guard lock(context.getCheckpointLock());
      talk_->locked.set_value();
      talk_->go_on.get_future().wait();
    }
    if (talk_->is_cancelled) return;
    std::lock_guard lock(context.getCheckpointLock());
    talk_->told.push_back("run");
    context.collect(1);
  }
  void cancel() override {
    talk_->is_cancelled = true;
    talk_->go_on.set_value();
  }
  void initializeState(FunctionInitializationContext&) override {}
  void snapshotState(FunctionSnapshotContext&) override { talk_->told.push_back("snapshot"); }
  void notifyCheckpointComplete(int64_t id) override {
    talk_->told.push_back("complete " + std::to_string(id));
  }
  void notifyCheckpointAborted(int64_t id) override {
    talk_->told.push_back("aborted " + std::to_string(id));
  }

 private:
  std::shared_ptr<Talk> talk_;  // With the test.
};

TEST(SourceFunctionOperator, ACheckpointDoesNotHoldTheTaskUpWhileTheFunctionHasTheLock) {
  const auto talk = std::make_shared<Talk>();
  SourceRig<LongLock> rig{LongLock(talk)};
  talk->locked.get_future().wait();
  EXPECT_FALSE(rig.op().beginCheckpoint());
  EXPECT_EQ(rig.op().poll(), PollResult::kNothing);
  rig.close();  // As when the task is cancelled: the function is told to stop and is waited for.
  EXPECT_TRUE(talk->is_cancelled);
}

TEST(SourceFunctionOperator, ACheckpointComesBeforeTheFunctionLocksAgain) {
  const auto talk = std::make_shared<Talk>();
  SourceRig<LongLock> rig{LongLock(talk)};
  talk->locked.get_future().wait();
  EXPECT_FALSE(rig.op().beginCheckpoint());
  talk->go_on.set_value();
  rig.pollUntilCheckpointBegins();
  rig.op().snapshotState(1);
  EXPECT_EQ(rig.op().poll(), PollResult::kNothing);
  talk->told.push_back("saved");
  rig.op().endCheckpoint();
  rig.pollToTheEnd();
  EXPECT_EQ(talk->told, (Lines{"snapshot", "saved", "run"}));
  EXPECT_EQ(rig.lines(), Lines{"1"});
}

TEST(SourceFunctionOperator, AFunctionGoesOnWhenTheCheckpointIsNotToBeTaken) {
  const auto talk = std::make_shared<Talk>();
  SourceRig<LongLock> rig{LongLock(talk)};
  talk->locked.get_future().wait();
  EXPECT_FALSE(rig.op().beginCheckpoint());
  rig.op().endCheckpoint();
  talk->go_on.set_value();
  rig.pollToTheEnd();
  EXPECT_EQ(talk->told, Lines{"run"});
}

TEST(SourceFunctionOperator, NotificationsWaitForTheLock) {
  const auto talk = std::make_shared<Talk>();
  SourceRig<LongLock> rig{LongLock(talk)};
  talk->locked.get_future().wait();
  rig.op().notifyCheckpointComplete(1);
  rig.op().notifyCheckpointAborted(2);
  EXPECT_EQ(talk->told, Lines{}) << "the function has the lock";
  talk->go_on.set_value();
  rig.pollToTheEnd();
  EXPECT_EQ(talk->told, (Lines{"complete 1", "aborted 2", "run"}));
}

TEST(SourceFunctionOperator, WhatWasCompletedIsToldBeforeTheNextSnapshot) {
  const auto talk = std::make_shared<Talk>();
  SourceRig<LongLock> rig{LongLock(talk)};
  talk->locked.get_future().wait();
  rig.op().notifyCheckpointComplete(1);
  EXPECT_FALSE(rig.op().beginCheckpoint());
  talk->go_on.set_value();
  rig.pollUntilCheckpointBegins();
  rig.op().snapshotState(2);
  rig.op().endCheckpoint();
  rig.pollToTheEnd();
  EXPECT_EQ(talk->told, (Lines{"complete 1", "snapshot", "run"}));
}

/// Locks in everything that it does.
class LocksAlways : public SourceFunction<int64_t>,
                    public CheckpointedFunction,
                    public CheckpointListener {
 public:
  explicit LocksAlways(std::shared_ptr<std::promise<void>> locked) : locked_(std::move(locked)) {}

  void run(SourceContext& context) override {
    std::lock_guard lock(context.getCheckpointLock());
    lock_ = &context.getCheckpointLock();
    locked_->set_value();
    for (int64_t i = 0; i < 5000; ++i) context.collect(i);
  }
  void cancel() override { lockOnce(); }
  void initializeState(FunctionInitializationContext&) override {}
  void snapshotState(FunctionSnapshotContext&) override { lockOnce(); }
  void notifyCheckpointComplete(int64_t) override { lockOnce(); }
  void notifyCheckpointAborted(int64_t) override { lockOnce(); }

 private:
  void lockOnce() { const std::lock_guard lock(*lock_); }

  std::shared_ptr<std::promise<void>> locked_;  // With the test.
  CheckpointLock* lock_ = nullptr;
};

TEST(SourceFunctionOperator, WhatTheTaskCallsMayLockAgain) {
  const auto locked = std::make_shared<std::promise<void>>();
  SourceRig<LocksAlways> rig{LocksAlways(locked)};
  locked->get_future().wait();
  rig.op().notifyCheckpointComplete(1);
  rig.pollUntilCheckpointBegins();
  rig.op().snapshotState(2);
  rig.op().notifyCheckpointAborted(2);
  rig.op().endCheckpoint();
  rig.pollToTheEnd();
}

TEST(SourceFunctionOperator, CancelMayLockWhileTheFunctionWaitsForRoomWithTheLock) {
  const auto locked = std::make_shared<std::promise<void>>();
  SourceRig<LocksAlways> rig{LocksAlways(locked)};
  locked->get_future().wait();
  rig.close();
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
  EXPECT_NO_THROW(rig.close());
}

TEST(SourceFunctionOperator, ACheckpointOvertakesAFunctionThatAlwaysHasMore) {
  SourceRig<Endless> rig{Endless()};
  rig.waitUntilWoken();
  // The first step takes the lock; what waits then is bounded.
  for (int steps = 0; !rig.op().beginCheckpoint(); ++steps) {
    ASSERT_LT(steps, 10);
    rig.op().poll();
  }
  rig.op().endCheckpoint();
}

/// Cannot even be cancelled.
class FailsToCancel : public Endless {
 public:
  explicit FailsToCancel(std::shared_ptr<bool> is_closed) : is_closed_(std::move(is_closed)) {}
  void cancel() override { throw std::runtime_error("no"); }
  void close() override { *is_closed_ = true; }

 private:
  std::shared_ptr<bool> is_closed_;  // With the test.
};

TEST(SourceFunctionOperator, EndsAndClosesAFunctionWhoseCancelFails) {
  const auto is_closed = std::make_shared<bool>(false);
  SourceRig<FailsToCancel> rig{FailsToCancel(is_closed)};
  EXPECT_THROW(rig.close(), OperatorFailure);
  EXPECT_TRUE(*is_closed);
}

/// Counts how often it is cancelled.
class Short : public SourceFunction<int64_t> {
 public:
  explicit Short(std::shared_ptr<int> cancels) : cancels_(std::move(cancels)) {}
  void run(SourceContext&) override {}
  void cancel() override { ++*cancels_; }

 private:
  std::shared_ptr<int> cancels_;  // With the test.
};

TEST(SourceFunctionOperator, DoesNotCancelAFunctionThatHasReturned) {
  const auto cancels = std::make_shared<int>(0);
  SourceRig<Short> rig{Short(cancels)};
  rig.pollToTheEnd();
  rig.close();
  EXPECT_EQ(*cancels, 0);
}

}  // namespace
}  // namespace wiesel::runtime
