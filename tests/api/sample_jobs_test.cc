// What a program may look like, line by line: each sample is compiled as a user would write it,
// runs in an embedded cluster, and its result is compared.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/graph/job_plan.h"
#include "wiesel/wiesel.h"

namespace samples {

using namespace wiesel;  // NOLINT: samples are written as users write them.
using std::chrono::seconds;

struct Order {
  std::string user;
  double amount = 0;
  int64_t time_ms = 0;
};
WIESEL_DESCRIBE(Order, user, amount, time_ms)

/// Lines that jobs of this test have put out. Shared by the subtasks of a job.
class Lines {
 public:
  void add(const std::string& line) {
    std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(line);
  }
  std::vector<std::string> sorted() const {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> lines = lines_;
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;  // Guarded by mutex_.
};

class SampleJobsTest : public ::testing::Test {
 protected:
  using Strings = std::vector<std::string>;

  StreamExecutionEnvironment env_ = StreamExecutionEnvironment::getExecutionEnvironment();
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();

  template <class T>
  void collect(const DataStream<T>& stream) {
    stream.addSink([lines = lines_](const T& value) {
      std::ostringstream text;
      toText(text, value);
      lines->add(text.str());
    });
  }

  Strings run() {
    env_.execute("sample");
    return lines_->sorted();
  }

  DataStream<Order> orders() {
    return env_
        .fromElements(Order{"alice", 1, 1000}, Order{"bob", 2, 2000}, Order{"alice", 4, 9000},
                      Order{"alice", 8, 11000})
        .assignTimestampsAndWatermarks(
            WatermarkStrategy<Order>::forBoundedOutOfOrderness(seconds(1))
                .withTimestampAssigner([](const Order& order, int64_t) { return order.time_ms; }));
  }
};

TEST_F(SampleJobsTest, FailureIsAnExceptionWithTheCauseFirst) {
  env_.fromElements(1, 2)
      .map([](int value) -> int {
        if (value == 2) throw std::runtime_error("two is too much");
        return value;
      })
      .print();
  try {
    env_.execute("failing");
    FAIL() << "execute() did not throw";
  } catch (const JobExecutionException& error) {
    EXPECT_TRUE(
        std::string(error.what()).starts_with("two is too much (operator 'Map', subtask 1/1"))
        << error.what();
  }
}

TEST_F(SampleJobsTest, AFunctionCanEndItsJobInSpiteOfTheRestartStrategy) {
  env_.setRestartStrategy(
      RestartStrategies::fixedDelayRestart(1'000'000, std::chrono::milliseconds(0)));
  env_.fromElements(1)
      .map([](int value) -> int {
        if (value == 1) throw SuppressRestartsException("no attempt will do");
        return value;
      })
      .print();
  try {
    env_.execute("failing");
    FAIL() << "execute() did not throw";
  } catch (const JobExecutionException& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("no attempt will do (operator 'Map'"))
        << error.what();
  }
}

TEST_F(SampleJobsTest, ABufferTimeoutOfMinusOneIsNone) {
  using std::chrono::milliseconds;
  const auto timeoutMs = [this] {
    env_.fromElements(1).print();
    const auto plan = runtime::planJob(env_.getStreamGraph(), env_.getConfiguration(), "sample");
    return plan->graph.buffer_timeout_ms();
  };
  EXPECT_EQ(timeoutMs(), 100);
  env_.setBufferTimeout(milliseconds(-1));
  EXPECT_EQ(timeoutMs(), -1);
  env_.setBufferTimeout(milliseconds(0));
  EXPECT_EQ(timeoutMs(), 0);
  EXPECT_THROW(env_.setBufferTimeout(milliseconds(-2)), InvalidProgramException);
  EXPECT_EQ(timeoutMs(), 0);
}

TEST_F(SampleJobsTest, AWrongGraphIsAnInvalidProgram) {
  env_.fromElements(1).uid("same").map([](int value) { return value; }).uid("same").print();
  EXPECT_THROW(env_.execute(), InvalidProgramException);
}

TEST_F(SampleJobsTest, StreamsAndEnvironmentsAreValuesThatDefaultConstruct) {
  DataStream<int> stream;
  stream = env_.fromElements(3);
  const auto copy = stream;
  collect(copy);
  EXPECT_EQ(run(), Strings{"3"});
}

TEST_F(SampleJobsTest, AFunctionThatCannotBeCopiedIsMadePerSubtask) {
  collect(env_.fromElements(1, 2).map(perSubtask(
      [] { return [big = std::make_unique<int>(10)](int value) { return value * *big; }; })));
  EXPECT_EQ(run(), (Strings{"10", "20"}));
}

TEST_F(SampleJobsTest, WindowAndJoinFunctionsThatCannotBeCopiedAreMadePerSubtask) {
  const auto windows = TumblingEventTimeWindows::of(seconds(10));
  const auto add = perSubtask([] {
    return [one = std::make_unique<double>(1)](const Order& left, const Order& right) {
      return Order{left.user, left.amount + right.amount * *one, left.time_ms};
    };
  });
  const auto name = [](const std::string& text) {
    return perSubtask([text] {
      return [owned = std::make_unique<std::string>(text)](
                 const std::string& user, const TimeWindow&, const auto&,
                 Collector<std::string>& out) { out.collect(*owned + user); };
    });
  };
  const auto keyed = orders().keyBy(&Order::user).window(windows);
  collect(keyed.reduce(add));
  collect(keyed.reduce(add, perSubtask([] {
                         return [owned = std::make_unique<std::string>("reduced ")](
                                    const std::string& user, const TimeWindow&, const Order&,
                                    Collector<std::string>& out) { out.collect(*owned + user); };
                       })));
  collect(keyed.apply<std::string>(name("applied ")));
  const auto joined = [&](auto builder) {
    return builder.where(&Order::user).equalTo(&Order::user).window(windows);
  };
  collect(joined(orders().join(orders())).apply(perSubtask([] {
    return [owned = std::make_unique<std::string>("joined ")](const Order& left, const Order&) {
      return *owned + left.user;
    };
  })));
  collect(joined(orders().coGroup(orders())).apply(perSubtask([] {
    return [owned = std::make_unique<std::string>("grouped ")](
               std::span<const Order> left, std::span<const Order>, Collector<std::string>& out) {
      out.collect(*owned + left[0].user);
    };
  })));
  EXPECT_EQ(run(), (Strings{"Order(alice,5.0,1000)", "Order(alice,8.0,11000)",
                            "Order(bob,2.0,2000)", "applied alice", "applied alice", "applied bob",
                            "grouped alice", "grouped alice", "grouped bob", "joined alice",
                            "joined alice", "joined alice", "joined alice", "joined alice",
                            "joined bob", "reduced alice", "reduced alice", "reduced bob"}));
}

TEST_F(SampleJobsTest, APartitionerThatCannotBeCopiedIsMadePerSubtask) {
  env_.setParallelism(2);
  const auto second =
      perSubtask([] { return [chosen = std::make_unique<int>(1)](int, int) { return *chosen; }; });
  struct AddSubtask : RichFunction {
    int map(int value) { return value + 10 * getRuntimeContext().getIndexOfThisSubtask(); }
  };
  collect(env_.fromElements(1, 2)
              .partitionCustom(second, [](int value) { return value; })
              .map(AddSubtask()));
  EXPECT_EQ(run(), (Strings{"11", "12"}));
}

TEST_F(SampleJobsTest, FunctionsTakeConstReferencesOrValuesToMoveFrom) {
  collect(env_.fromElements(std::string("a b"), std::string("c"))
              .filter([](const std::string& line) { return !line.empty(); })
              .flatMap([](const std::string& line, Collector<std::string>& out) {
                for (char letter : line) {
                  if (letter != ' ') out.collect(std::string(1, letter));
                }
              })
              .map([](std::string&& word) { return std::move(word) + "!"; }));
  EXPECT_EQ(run(), (Strings{"a!", "b!", "c!"}));
}

TEST_F(SampleJobsTest, AGenericLambdaSaysWhatItPutsOut) {
  collect(env_.fromElements(2, 3).flatMap<std::string>(
      [](const auto& value, auto& out) { out.collect(std::to_string(value)); }));
  EXPECT_EQ(run(), (Strings{"2", "3"}));
}

TEST_F(SampleJobsTest, KeysArePointersToMembersReferencesOrNames) {
  collect(orders().keyBy(&Order::user).sum(&Order::amount));
  collect(
      orders().keyBy([](const Order& o) -> const std::string& { return o.user; }).sum("amount"));
  collect(orders().keyBy("user").sum("amount"));
  Strings expected;
  for (const char* line : {"Order(alice,1.0,1000)", "Order(alice,13.0,1000)",
                           "Order(alice,5.0,1000)", "Order(bob,2.0,2000)"}) {
    expected.insert(expected.end(), 3, line);
  }
  EXPECT_EQ(run(), expected);
}

TEST_F(SampleJobsTest, AnUnknownFieldNameIsAnInvalidProgramThatListsTheFields) {
  try {
    orders().keyBy("usr");
    FAIL() << "keyBy() did not throw";
  } catch (const InvalidProgramException& error) {
    EXPECT_STREQ(error.what(),
                 "keyBy(\"usr\"): Order has no such field; it has user, amount, time_ms");
  }
}

TEST_F(SampleJobsTest, WindowFunctionsGetSpans) {
  collect(orders()
              .keyBy(&Order::user)
              .window(TumblingEventTimeWindows::of(seconds(10)))
              .apply([](const std::string& user, const TimeWindow& window,
                        std::span<const Order> orders, Collector<std::string>& out) {
                out.collect(user + "@" + std::to_string(window.getEnd()) + ":" +
                            std::to_string(orders.size()));
              }));
  EXPECT_EQ(run(), (Strings{"alice@10000:2", "alice@20000:1", "bob@10000:1"}));
}

TEST_F(SampleJobsTest, CoGroupFunctionsGetASpanOfEachSide) {
  const auto left = orders();
  const auto right = orders().filter([](const Order& order) { return order.user == "alice"; });
  collect(left.coGroup(right)
              .where(&Order::user)
              .equalTo(&Order::user)
              .window(TumblingEventTimeWindows::of(seconds(10)))
              .apply([](std::span<const Order> left_orders, std::span<const Order> right_orders,
                        Collector<std::string>& out) {
                out.collect(std::to_string(left_orders.size()) + "|" +
                            std::to_string(right_orders.size()));
              }));
  EXPECT_EQ(run(), (Strings{"1|0", "1|1", "2|2"}));
}

/// Counts by user in a value, remembers amounts in a map with null values.
class CountOrders : public KeyedProcessFunction<std::string, Order, std::string> {
 public:
  void open(const OpenContext&) override {
    count_ = getRuntimeContext().getState<int64_t>({"count"});
    amounts_ = getRuntimeContext().getMapState<int64_t, std::optional<double>>({"amounts"});
  }

  void processElement(const Order& order, Context& context, Collector<std::string>&) override {
    const bool known = count_.value().has_value();
    count_.getOrInsert(0) += 1;
    amounts_.put(order.time_ms, known ? std::optional(order.amount) : std::nullopt);
    context.timerService().registerEventTimeTimer(15000);
  }

  void onTimer(int64_t, OnTimerContext& context, Collector<std::string>& out) override {
    int nulls = 0;
    amounts_.forEach([&nulls](int64_t, const std::optional<double>& amount) { nulls += !amount; });
    out.collect(context.getCurrentKey() + "=" + std::to_string(*count_.value()) + ", nulls " +
                std::to_string(nulls));
    count_.clear();
  }

 private:
  ValueState<int64_t> count_;
  MapState<int64_t, std::optional<double>> amounts_;
};

TEST_F(SampleJobsTest, KeyedFunctionsHaveStateAndTimers) {
  collect(orders().keyBy(&Order::user).process(CountOrders()));
  EXPECT_EQ(run(), (Strings{"alice=3, nulls 1", "bob=1, nulls 1"}));
}

TEST_F(SampleJobsTest, ArgumentsBringTheConfiguration) {
  const char* argv[] = {"job", "--name", "x", "-D", "parallelism.default=2"};
  const auto args = ParameterTool::fromArgs(5, argv);
  auto env = StreamExecutionEnvironment::getExecutionEnvironment(args.configuration());
  EXPECT_EQ(args.get("name", ""), "x");
  EXPECT_EQ(env.getConfiguration().getString("parallelism.default"), "2");
}

TEST_F(SampleJobsTest, PartitionedStreamsReachEverySubtask) {
  env_.setParallelism(3);
  collect(env_.fromElements(1, 2, 3, 4).rebalance().map([](int value) { return value; }));
  collect(env_.fromElements(7).broadcast().map([](int value) { return value; }).setParallelism(3));
  EXPECT_EQ(run(), (Strings{"1", "2", "3", "4", "7", "7", "7"}));
}

TEST_F(SampleJobsTest, AUnionKeepsHowEachStreamIsDealtOut) {
  env_.setParallelism(3);
  collect(env_.fromElements(1, 2)
              .rebalance()
              .unionWith(env_.fromElements(7).broadcast())
              .map([](int value) { return value; }));
  EXPECT_EQ(run(), (Strings{"1", "2", "7", "7", "7"}));
}

TEST_F(SampleJobsTest, ACollectionIsReadByOneSubtask) {
  auto stream = env_.fromElements(1, 2);
  EXPECT_THROW(stream.setParallelism(2), InvalidProgramException);
  stream.setParallelism(1);
}

/// Says how many pairs a window has, in the words that open() gives.
class CountPairs : public RichFunction {
 public:
  void open(const OpenContext&) override {
    prefix_ = "subtask " + std::to_string(getRuntimeContext().getIndexOfThisSubtask()) + ": ";
  }
  void coGroup(std::span<const Order> left, std::span<const Order> right,
               Collector<std::string>& out) {
    out.collect(prefix_ + std::to_string(left.size() * right.size()));
  }

 private:
  std::string prefix_;
};

TEST_F(SampleJobsTest, RichFunctionsOfWindowsAreOpened) {
  collect(orders()
              .coGroup(orders())
              .where(&Order::user)
              .equalTo(&Order::user)
              .window(TumblingEventTimeWindows::of(seconds(10)))
              .apply(CountPairs()));
  EXPECT_EQ(run(), (Strings{"subtask 0: 1", "subtask 0: 1", "subtask 0: 4"}));
}

TEST_F(SampleJobsTest, AChainHasTheKeyGroupsOfItsKeyedHead) {
  env_.setParallelism(2);
  orders()
      .keyBy(&Order::user)
      .sum(&Order::amount)
      .setMaxParallelism(128)
      .map([](const Order& order) { return order.amount; })
      .setMaxParallelism(256)
      .print();
  const auto plan = runtime::planJob(env_.getStreamGraph(), env_.getConfiguration(), "sample");
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->vertices.back().operators.size(), 3u);
  EXPECT_EQ(plan->vertices.back().max_parallelism, 128);
}

struct Limit {
  std::string user;
  double at_most = 0;
};
WIESEL_DESCRIBE(Limit, user, at_most)

const OutputTag<std::string> kWithoutLimit("without limit");

/// Compares, when all has come, what a user ordered with the user's limit.
class CompareWithLimit : public KeyedCoProcessFunction<std::string, Order, Limit, std::string> {
 public:
  void open(const OpenContext&) override {
    RuntimeContext& context = getRuntimeContext();
    sum_ = context.getReducingState(
        ReducingStateDescriptor<double>("sum", [](double a, double b) { return a + b; }));
    limit_ = context.getState(ValueStateDescriptor<double>{"limit"});
  }
  void processElement1(const Order& order, Context& context, Collector<std::string>&) override {
    sum_.add(order.amount);
    context.timerService().registerEventTimeTimer(20000);
  }
  void processElement2(const Limit& limit, Context&, Collector<std::string>&) override {
    limit_.update(limit.at_most);
  }
  void onTimer(int64_t, OnTimerContext& context, Collector<std::string>& out) override {
    const std::string& user = context.getCurrentKey();
    if (!limit_.value()) return context.output(kWithoutLimit, user + " has no limit");
    out.collect(user + (*sum_.get() > *limit_.value() ? " is above" : " is below"));
  }

 private:
  ReducingState<double> sum_;
  ValueState<double> limit_;
};

TEST_F(SampleJobsTest, RecordsOfTwoStreamsMeetByTheirKeys) {
  env_.setParallelism(2);
  const auto limits = env_.fromElements(Limit{"alice", 10}, Limit{"carol", 1});
  const auto compared =
      orders().connect(limits).keyBy(&Order::user, &Limit::user).process(CompareWithLimit());
  collect(compared);
  collect(compared.getSideOutput(kWithoutLimit));
  EXPECT_EQ(run(), (Strings{"alice is above", "bob has no limit"}));
}

}  // namespace samples
