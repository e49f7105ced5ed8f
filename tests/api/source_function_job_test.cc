// Jobs whose source function holds the checkpoint lock for long.

#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/support/temporary_directory.h"
#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

/// Holds the lock until it is cancelled or told to go on; puts out 1 with it, and then 2.
class LongLock : public SourceFunction<int64_t> {
 public:
  struct Shared {
    std::promise<void> go_on;
    std::shared_future<void> may_go_on = go_on.get_future().share();
  };

  explicit LongLock(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  void run(SourceContext& context) override {
    {
      std::lock_guard lock(context.getCheckpointLock());
      context.collect(1);
      shared_->may_go_on.wait();
    }
    std::lock_guard lock(context.getCheckpointLock());
    context.collect(2);
  }
  void cancel() override { shared_->go_on.set_value(); }

 private:
  std::shared_ptr<Shared> shared_;  // Of the job's one subtask and its test.
};

Configuration checkpointsTo(const testing::TemporaryDirectory& directory) {
  Configuration configuration;
  configuration.setString("execution.checkpointing.interval", "10");
  configuration.setString("execution.checkpointing.dir", "file://" + directory.path());
  configuration.setString("restart-strategy.type", "none");
  return configuration;
}

struct FailsAtACheckpoint : CheckpointedFunction {
  int64_t map(int64_t value) const { return value; }
  void initializeState(FunctionInitializationContext&) override {}
  void snapshotState(FunctionSnapshotContext&) override { throw std::runtime_error("no snapshot"); }
};

TEST(SourceFunctionJob, IsCancelledWhileACheckpointWaitsForItsLock) {
  testing::TemporaryDirectory directory;
  auto env = StreamExecutionEnvironment::getExecutionEnvironment(checkpointsTo(directory));
  env.addSource(LongLock(std::make_shared<LongLock::Shared>())).addSink([](int64_t) {});
  env.fromSequence(0, INT64_MAX / 2).map(FailsAtACheckpoint()).addSink([](int64_t) {});
  try {
    env.execute();
    FAIL() << "no failure";
  } catch (const JobExecutionException& failure) {
    EXPECT_NE(std::string(failure.what()).find("no snapshot"), std::string::npos) << failure.what();
  }
}

/// Lets the source go on when a checkpoint was aborted.
class OnAbort : public CheckpointListener {
 public:
  explicit OnAbort(std::shared_ptr<LongLock::Shared> shared) : shared_(std::move(shared)) {}
  int64_t map(int64_t value) {
    sum_ += value;
    return sum_;
  }
  void notifyCheckpointComplete(int64_t) override {}
  void notifyCheckpointAborted(int64_t) override {
    if (!std::exchange(was_told_, true)) shared_->go_on.set_value();
  }

 private:
  std::shared_ptr<LongLock::Shared> shared_;  // With the source.
  int64_t sum_ = 0;
  bool was_told_ = false;
};

TEST(SourceFunctionJob, GoesOnAfterACheckpointThatItsLockKeptWaiting) {
  testing::TemporaryDirectory directory;
  Configuration configuration = checkpointsTo(directory);
  configuration.setString("execution.checkpointing.timeout", "20");
  configuration.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000000");
  auto env = StreamExecutionEnvironment::getExecutionEnvironment(configuration);
  const auto shared = std::make_shared<LongLock::Shared>();
  const auto last_sum = std::make_shared<int64_t>(0);
  env.addSource(LongLock(shared)).rebalance().map(OnAbort(shared)).addSink([last_sum](int64_t sum) {
    *last_sum = sum;
  });
  env.execute();
  EXPECT_EQ(*last_sum, 3);
}

}  // namespace
}  // namespace wiesel
