// Functions of windows are opened, saved and told of checkpoints as any other.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/testing/program_harness.h"
#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;
using Lines = std::vector<std::string>;
using Log = std::shared_ptr<Lines>;

/// Writes down what it is told.
class Told : public CheckpointedFunction, public CheckpointListener {
 public:
  explicit Told(Log log) : log_(std::move(log)) {}
  void initializeState(FunctionInitializationContext& context) override {
    context.getOperatorStateStore().getListState(ListStateDescriptor<int64_t>{"list"});
    log_->push_back(context.isRestored() ? "restore" : "initialize");
  }
  void snapshotState(FunctionSnapshotContext& context) override {
    log_->push_back("snapshot " + std::to_string(context.getCheckpointId()));
  }
  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    log_->push_back("complete " + std::to_string(checkpoint_id));
  }
  void notifyCheckpointAborted(int64_t checkpoint_id) override {
    log_->push_back("aborted " + std::to_string(checkpoint_id));
  }

 protected:
  void tell(const std::string& what) { log_->push_back(what); }

 private:
  Log log_;  // With the test.
};

class KeyedProcess : public ProcessWindowFunction<int64_t, int64_t, int64_t>, public Told {
 public:
  using Told::Told;
  void open(const OpenContext&) override { tell("open"); }
  void close() override { tell("close"); }
  void process(const int64_t&, Context&, std::span<const int64_t>, Collector<int64_t>&) override {}
};

class AllProcess : public ProcessAllWindowFunction<int64_t, int64_t>, public Told {
 public:
  using Told::Told;
  void open(const OpenContext&) override { tell("open"); }
  void close() override { tell("close"); }
  void process(Context&, std::span<const int64_t>, Collector<int64_t>&) override {}
};

class Apply : public RichFunction, public Told {
 public:
  using Told::Told;
  void open(const OpenContext&) override { tell("open"); }
  void close() override { tell("close"); }
  void operator()(const int64_t&, const TimeWindow&, std::span<const int64_t>,
                  Collector<int64_t>&) {}
};

class CoGroup : public RichFunction, public Told {
 public:
  using Told::Told;
  void open(const OpenContext&) override { tell("open"); }
  void close() override { tell("close"); }
  void coGroup(std::span<const int64_t>, std::span<const int64_t>, Collector<int64_t>&) {}
};

class Join : public RichFunction, public Told {
 public:
  using Told::Told;
  void open(const OpenContext&) override { tell("open"); }
  void close() override { tell("close"); }
  int64_t join(const int64_t& left, const int64_t&) { return left; }
};

struct Sum : AggregateFunction<int64_t, int64_t, int64_t> {
  int64_t createAccumulator() const override { return 0; }
  int64_t add(const int64_t& value, int64_t sum) const override { return sum + value; }
  int64_t getResult(const int64_t& sum) const override { return sum; }
  int64_t merge(int64_t left, int64_t right) const override { return left + right; }
};

struct Case {
  std::string name;
  std::function<DataStream<int64_t>(const DataStream<int64_t>& input, Log log)> program;
};

int64_t self(int64_t value) { return value; }
int64_t add(int64_t left, int64_t right) { return left + right; }
auto tumbling() { return TumblingEventTimeWindows::of(milliseconds(10)); }
auto sliding() { return SlidingEventTimeWindows::of(milliseconds(10), milliseconds(5)); }

std::vector<Case> cases() {
  using Input = const DataStream<int64_t>&;
  return {
      {"ProcessOfTumblingWindows",
       [](Input in, Log log) {
         return in.keyBy(self).window(tumbling()).process(KeyedProcess(log));
       }},
      {"ProcessOfOtherWindows",
       [](Input in, Log log) {
         return in.keyBy(self).window(sliding()).process(KeyedProcess(log));
       }},
      {"ProcessBehindAnEvictor",
       [](Input in, Log log) {
         return in.keyBy(self)
             .window(tumbling())
             .evictor(CountEvictor::of(3))
             .process(KeyedProcess(log));
       }},
      {"ProcessBehindReduce",
       [](Input in, Log log) {
         return in.keyBy(self).window(tumbling()).reduce(add, KeyedProcess(log));
       }},
      {"ProcessBehindAggregate",
       [](Input in, Log log) {
         return in.keyBy(self).window(tumbling()).aggregate(Sum(), KeyedProcess(log));
       }},
      {"ProcessBehindAnEvictorAndReduce",
       [](Input in, Log log) {
         return in.keyBy(self)
             .window(tumbling())
             .evictor(CountEvictor::of(3))
             .reduce(add, KeyedProcess(log));
       }},
      {"ProcessBehindAnEvictorAndAggregate",
       [](Input in, Log log) {
         return in.keyBy(self)
             .window(tumbling())
             .evictor(CountEvictor::of(3))
             .aggregate(Sum(), KeyedProcess(log));
       }},
      {"Apply",
       [](Input in, Log log) { return in.keyBy(self).window(tumbling()).apply(Apply(log)); }},
      {"ProcessOfAllWindows",
       [](Input in, Log log) { return in.windowAll(tumbling()).process(AllProcess(log)); }},
      {"CoGroup",
       [](Input in, Log log) {
         return in.coGroup(in).where(self).equalTo(self).window(tumbling()).apply(CoGroup(log));
       }},
      {"CoGroupBehindAnEvictor",
       [](Input in, Log log) {
         return in.coGroup(in)
             .where(self)
             .equalTo(self)
             .window(tumbling())
             .evictor(CountEvictor::of(3))
             .apply(CoGroup(log));
       }},
      {"Join",
       [](Input in, Log log) {
         return in.join(in).where(self).equalTo(self).window(tumbling()).apply(Join(log));
       }},
  };
}

class WindowFunctionLifeTest : public ::testing::TestWithParam<Case> {};

TEST_P(WindowFunctionLifeTest, IsThatOfAnyFunction) {
  const auto log = std::make_shared<Lines>();
  testing::ProgramHarness harness;
  GetParam().program(harness.addInput<int64_t>(), log);
  harness.open();
  harness.process<int64_t>(0, 0, 1, 1);
  const auto snapshot = harness.snapshot();
  harness.notifyCheckpointComplete(1);
  harness.notifyCheckpointAborted(2);
  harness.restore(snapshot, 1);
  EXPECT_EQ(*log, (Lines{"initialize", "open", "snapshot 1", "complete 1", "aborted 2", "close",
                         "restore", "open"}));
}

INSTANTIATE_TEST_SUITE_P(All, WindowFunctionLifeTest, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel
