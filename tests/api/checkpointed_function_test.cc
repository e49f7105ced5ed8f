#include "runtime/functions/checkpointed_function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/connected_streams.h"
#include "tests/api/output_lines.h"

namespace wiesel {
namespace {

using Lines = std::vector<std::string>;

/// What functions under test were told, in order.
using Log = std::shared_ptr<Lines>;

/// Keeps all records until "flush" comes; a function that is no RichFunction.
class Buffer : public CheckpointedFunction, public CheckpointListener {
 public:
  explicit Buffer(Log log) : log_(std::move(log)) {}

  void flatMap(const std::string& record, Collector<std::string>& out) {
    if (record != "flush") return buffered_.push_back(record);
    for (const std::string& one : buffered_) out.collect(one);
    buffered_.clear();
  }

  void initializeState(FunctionInitializationContext& context) override {
    state_ =
        context.getOperatorStateStore().getListState(ListStateDescriptor<std::string>{"buffered"});
    buffered_ = state_.get();
    log_->push_back("initialize " + std::to_string(context.getRestoredCheckpointId().value_or(-1)));
  }
  void snapshotState(FunctionSnapshotContext& context) override {
    state_.update(buffered_);
    log_->push_back("snapshot " + std::to_string(context.getCheckpointId()));
  }
  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    log_->push_back("complete " + std::to_string(checkpoint_id));
  }
  void notifyCheckpointAborted(int64_t checkpoint_id) override {
    log_->push_back("aborted " + std::to_string(checkpoint_id));
  }

 private:
  Log log_;
  ListState<std::string> state_;
  std::vector<std::string> buffered_;
};

TEST(CheckpointedFunctionTest, ElementsOfAListAreDealtOutAnew) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto log = std::make_shared<Lines>();
  lines.listen(harness, harness.addInput<std::string>().flatMap<std::string>(Buffer(log)));
  harness.open();
  for (const char* record : {"a", "b", "c", "d"}) harness.process<std::string>(0, 0, record, {});
  const auto snapshot = harness.snapshot();
  harness.notifyCheckpointComplete(snapshot.checkpoint_id);
  harness.notifyCheckpointAborted(7);
  EXPECT_EQ(*log, (Lines{"initialize -1", "snapshot 1", "complete 1", "aborted 7"}));

  log->clear();
  harness.restore(snapshot, 2);
  EXPECT_EQ(*log, (Lines{"initialize 1", "initialize 1"}));
  harness.process<std::string>(0, 0, "flush", {});
  EXPECT_EQ(lines.take().size(), 2u) << "half of the elements";
  harness.process<std::string>(1, 0, "flush", {});
  EXPECT_EQ(lines.take().size(), 2u);
}

/// Tells all that it knows, which is what all subtasks saw before the last restore.
class KnowAll : public CheckpointedFunction {
 public:
  std::string map(const std::string& record) {
    std::string known;
    for (const std::string& one : known_) known += one;
    own_.push_back(record);
    return known;
  }
  void initializeState(FunctionInitializationContext& context) override {
    state_ =
        context.getOperatorStateStore().getUnionListState(ListStateDescriptor<std::string>{"seen"});
    known_ = state_.get();
    std::sort(known_.begin(), known_.end());
  }
  void snapshotState(FunctionSnapshotContext&) override { state_.update(own_); }

 private:
  ListState<std::string> state_;
  std::vector<std::string> known_;
  std::vector<std::string> own_;
};

TEST(CheckpointedFunctionTest, UnionListGoesToEverySubtaskAsAWhole) {
  testing::ProgramHarness harness;
  OutputLines lines;
  lines.listen(harness, harness.addInput<std::string>().map(KnowAll()));
  harness.open(2);
  harness.process<std::string>(0, 0, "a", {});
  harness.process<std::string>(1, 0, "b", {});
  harness.process<std::string>(1, 0, "c", {});
  EXPECT_EQ(lines.take(), (Lines{"", "1> ", "1> "}));
  harness.restore(harness.snapshot(), 3);
  for (int subtask = 0; subtask < 3; ++subtask) {
    harness.process<std::string>(subtask, 0, "d", {});
  }
  EXPECT_EQ(lines.take(), (Lines{"abc", "1> abc", "2> abc"}));
}

/// Has no state, and says whether it was restored.
class Stateless : public CheckpointedFunction {
 public:
  explicit Stateless(Log log) : log_(std::move(log)) {}
  std::string map(const std::string& record) const { return record; }
  void initializeState(FunctionInitializationContext& context) override {
    log_->push_back(context.isRestored() ? "restored" : "new");
  }
  void snapshotState(FunctionSnapshotContext&) override {}

 private:
  Log log_;
};

TEST(CheckpointedFunctionTest, IsNotRestoredFromACheckpointWithoutAnyState) {
  testing::ProgramHarness harness;
  const auto log = std::make_shared<Lines>();
  harness.addInput<std::string>().map(Stateless(log));
  harness.open();
  harness.restore(harness.snapshot(), 1);
  EXPECT_EQ(*log, (Lines{"new", "new"}));
}

TEST(CheckpointedFunctionTest, IsRestoredWithTheStateOfAnotherFunction) {
  testing::ProgramHarness harness;
  const auto log = std::make_shared<Lines>();
  harness.addInput<std::string>().map(KnowAll()).map(Stateless(log));
  harness.open();
  harness.restore(harness.snapshot(), 1);
  EXPECT_EQ(*log, (Lines{"new", "restored"}));
}

/// A rich one: its context is valid, and its state initialized, when it is opened.
class OpenedLast : public RichFunction, public CheckpointedFunction {
 public:
  void initializeState(FunctionInitializationContext& context) override {
    subtask_ = getRuntimeContext().getIndexOfThisSubtask();
    sum_ = context.getKeyedStateStore().getState(ValueStateDescriptor<int64_t>{"sum"});
  }
  void open(const OpenContext&) override { opened_at_ = subtask_; }
  void snapshotState(FunctionSnapshotContext&) override {}
  int64_t map(const int64_t& value) { return (sum_.getOrInsert() += value) + opened_at_; }

 private:
  int subtask_ = -1;
  int opened_at_ = -1;
  ValueState<int64_t> sum_;
};

TEST(CheckpointedFunctionTest, IsInitializedBeforeItIsOpenedAndMayHaveKeyedState) {
  testing::ProgramHarness harness;
  OutputLines lines;
  lines.listen(harness, harness.addInput<int64_t>()
                            .keyBy([](const int64_t& value) { return value % 2; })
                            .map(OpenedLast()));
  harness.open();
  for (int64_t value : {1, 2, 3}) harness.process<int64_t>(0, 0, value, {});
  EXPECT_EQ(lines.take(), (Lines{"1", "2", "4"}));
}

/// A sink.
class CountingSink : public CheckpointListener {
 public:
  explicit CountingSink(Log log) : log_(std::move(log)) {}
  void invoke(const int64_t&) { ++records_; }
  void notifyCheckpointComplete(int64_t) override {
    log_->push_back(std::to_string(records_) + " records are safe");
  }

 private:
  Log log_;
  int records_ = 0;
};

TEST(CheckpointedFunctionTest, SinksListenToo) {
  testing::ProgramHarness harness;
  const auto log = std::make_shared<Lines>();
  harness.addInput<int64_t>().addSink(CountingSink(log));
  harness.open();
  harness.process<int64_t>(0, 0, 1, {});
  harness.process<int64_t>(0, 0, 2, {});
  harness.notifyCheckpointComplete(harness.snapshot().checkpoint_id);
  EXPECT_EQ(*log, Lines{"2 records are safe"});
}

/// What a failing snapshot throws is the function's failure.
struct NoSnapshot : CheckpointedFunction {
  int64_t map(const int64_t& value) const { return value; }
  void initializeState(FunctionInitializationContext&) override {}
  void snapshotState(FunctionSnapshotContext&) override { throw std::runtime_error("disk full"); }
};

TEST(CheckpointedFunctionTest, FailureOfASnapshotNamesTheOperator) {
  testing::ProgramHarness harness;
  harness.addInput<int64_t>().map(NoSnapshot()).name("unsafe");
  harness.open();
  try {
    harness.snapshot();
    FAIL() << "nothing was thrown";
  } catch (const runtime::OperatorFailure& failure) {
    EXPECT_EQ(failure.operatorName(), "unsafe");
    EXPECT_STREQ(failure.what(), "disk full");
  }
}

}  // namespace
}  // namespace wiesel
