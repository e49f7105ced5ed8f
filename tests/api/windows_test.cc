// Windows as a user may write them: assigners, triggers and evictors of one's own, and what is
// refused. What Flink's own ones do is compared in tests/conformance.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/testing/program_harness.h"
#include "wiesel/wiesel.h"

namespace windows_test {

using namespace wiesel;  // NOLINT: samples are written as users write them.
using std::chrono::milliseconds;

struct Visit {
  std::string user;
  int64_t pages = 0;
  int64_t time_ms = 0;
};
WIESEL_DESCRIBE(Visit, user, pages, time_ms)

struct CountPages : AggregateFunction<Visit, int64_t, int64_t> {
  int64_t createAccumulator() const override { return 0; }
  int64_t add(const Visit& visit, int64_t sum) const override { return sum + visit.pages; }
  int64_t getResult(const int64_t& sum) const override { return sum; }
  int64_t merge(int64_t left, int64_t right) const override { return left + right; }
};

/// Windows of 10 ms for users whose name begins with "a", of 100 ms for others.
class WindowsByUser final : public WindowAssigner<Visit, TimeWindow> {
 public:
  void assignWindows(const Visit& visit, int64_t timestamp_ms, WindowAssignerContext&,
                     std::vector<TimeWindow>& windows) const override {
    const int64_t size_ms = visit.user.starts_with("a") ? 10 : 100;
    const int64_t start_ms = TimeWindow::startOf(timestamp_ms, 0, size_ms);
    windows.push_back({start_ms, start_ms + size_ms});
  }
  bool isEventTime() const override { return true; }
  AnyTrigger<Visit, TimeWindow> getDefaultTrigger() const override {
    return EventTimeTrigger::create();
  }
  std::string toString() const override { return "WindowsByUser()"; }
};

/// Fires for each visit of at least so many pages, and remembers how often in its state.
class BigVisitTrigger final : public Trigger<Visit, TimeWindow> {
 public:
  explicit BigVisitTrigger(int64_t pages) : pages_(pages) {}

  TriggerResult onElement(const Visit& visit, int64_t, const TimeWindow& window,
                          TriggerContext& context) override {
    context.registerEventTimeTimer(window.maxTimestamp());
    if (visit.pages < pages_) return TriggerResult::CONTINUE;
    auto fired = context.getPartitionedState(fired_);
    fired.add(1);
    return fired.get() <= 2 ? TriggerResult::FIRE : TriggerResult::CONTINUE;
  }
  TriggerResult onProcessingTime(int64_t, const TimeWindow&, TriggerContext&) override {
    return TriggerResult::CONTINUE;
  }
  TriggerResult onEventTime(int64_t, const TimeWindow&, TriggerContext&) override {
    return TriggerResult::PURGE;
  }
  void clear(const TimeWindow&, TriggerContext& context) override {
    context.getPartitionedState(fired_).clear();
  }

 private:
  int64_t pages_;
  ReducingStateDescriptor<int64_t> fired_{
      "fired", [](const int64_t& left, const int64_t& right) { return left + right; }};
};

/// Removes visits of one page before the function, and everything after it.
class OnlyLongVisits final : public Evictor<Visit, TimeWindow> {
 public:
  void evictBefore(Elements& elements, const TimeWindow&, EvictorContext&) override {
    std::erase_if(elements, [](const auto& element) { return element.getValue().pages <= 1; });
  }
  void evictAfter(Elements& elements, const TimeWindow&, EvictorContext&) override {
    elements.clear();
  }
};

/// Plays a window function's stream and writes down what it puts out.
class WindowsTest : public ::testing::Test {
 protected:
  using Results = std::vector<std::string>;

  WindowsTest() : visits_(harness_.addInput<Visit>()) {}

  auto keyed() const { return visits_.keyBy(&Visit::user); }

  void listen(const DataStream<int64_t>& stream) {
    harness_.listen<int64_t>(stream, [this](int, int64_t value, std::optional<int64_t> ts) {
      results_.push_back(std::to_string(value) + "@" + std::to_string(ts.value_or(-1)));
    });
    harness_.open();
  }

  void visit(const std::string& user, int64_t pages, int64_t time_ms) {
    harness_.process<Visit>(0, 0, {user, pages, time_ms}, time_ms);
  }
  void watermark(int64_t time_ms) { harness_.watermark(0, time_ms); }

  Results take() { return std::exchange(results_, {}); }

  wiesel::testing::ProgramHarness harness_;
  DataStream<Visit> visits_;
  Results results_;
};

TEST_F(WindowsTest, AnAssignerOfOnesOwnSaysWhereARecordBelongs) {
  listen(keyed().window(WindowsByUser()).aggregate(CountPages()));
  visit("ann", 1, 3);
  visit("ann", 2, 12);
  visit("bob", 4, 3);
  visit("bob", 8, 12);
  watermark(19);
  EXPECT_EQ(take(), (Results{"1@9", "2@19"}));
  watermark(99);
  EXPECT_EQ(take(), (Results{"12@99"}));
}

TEST_F(WindowsTest, ATriggerOfOnesOwnHasStateOfItsWindow) {
  listen(keyed()
             .window(TumblingEventTimeWindows::of(milliseconds(100)))
             .trigger(BigVisitTrigger(5))
             .aggregate(CountPages()));
  visit("ann", 1, 1);
  EXPECT_EQ(take(), Results{});
  visit("ann", 5, 2);
  visit("ann", 6, 3);
  visit("ann", 7, 4);
  EXPECT_EQ(take(), (Results{"6@99", "12@99"}));
  watermark(99);
  visit("ann", 5, 101);
  EXPECT_EQ(take(), (Results{"5@199"}));
}

TEST_F(WindowsTest, AnEvictorOfOnesOwnRemovesBeforeAndAfter) {
  listen(keyed()
             .window(TumblingEventTimeWindows::of(milliseconds(100)))
             .trigger(CountTrigger::of(2))
             .evictor(OnlyLongVisits())
             .aggregate(CountPages()));
  visit("ann", 1, 1);
  visit("ann", 5, 2);
  visit("ann", 7, 3);
  visit("ann", 9, 4);
  EXPECT_EQ(take(), (Results{"5@99", "16@99"}));
}

TEST_F(WindowsTest, ALateRecordOfAWindowThatHasFiredBeforeARestoreFiresItAgain) {
  listen(keyed()
             .window(TumblingEventTimeWindows::of(milliseconds(100)))
             .allowedLateness(milliseconds(50))
             .aggregate(CountPages()));
  visit("ann", 1, 1);
  watermark(120);
  harness_.restore(harness_.snapshot(), 1);
  visit("ann", 2, 2);
  watermark(121);
  EXPECT_EQ(take(), (Results{"1@99", "3@99"}));
}

/// The second of two faults of Flink that are not copied.
TEST_F(WindowsTest, ASessionThatIsThereAlreadyKeepsItsRecords) {
  const auto gap = [](const Visit& visit) { return milliseconds(visit.pages); };
  listen(keyed().window(EventTimeSessionWindows::withDynamicGap(gap)).aggregate(CountPages()));
  visit("ann", 5, 0);   // [0,5)
  visit("ann", 6, 4);   // Makes it [0,10), kept under [0,5).
  visit("ann", 10, 0);  // [0,10) again.
  watermark(9);
  EXPECT_EQ(take(), (Results{"21@9"}));
}

/// The first one: a record is in several windows, and each sums for itself.
TEST_F(WindowsTest, WindowsThatOverlapSumEachForItself) {
  const auto sums = keyed()
                        .window(SlidingEventTimeWindows::of(milliseconds(20), milliseconds(10)))
                        .sum(&Visit::pages);
  listen(sums.map([](const Visit& visit) { return visit.pages; }));
  visit("ann", 1, 12);
  visit("ann", 2, 15);
  visit("ann", 4, 21);
  watermark(40);
  EXPECT_EQ(take(), (Results{"3@19", "7@29", "4@39"}));
}

TEST_F(WindowsTest, ContinuousFiresOfAGlobalWindowEndWithTheStream) {
  listen(keyed()
             .window(GlobalWindows::create())
             .trigger(ContinuousEventTimeTrigger::of(milliseconds(10)))
             .aggregate(CountPages()));
  visit("ann", 1, 5);
  watermark(10);
  EXPECT_EQ(take().size(), 1u);
  watermark(std::numeric_limits<int64_t>::max());
  EXPECT_LE(take().size(), 2u);
}

TEST_F(WindowsTest, AReduceOfAWindowThatItsEvictorHasEmptiedGivesNothing) {
  const auto sums = keyed()
                        .window(TumblingEventTimeWindows::of(milliseconds(10)))
                        .evictor(CountEvictor::of(0))
                        .sum("pages");
  listen(sums.map([](const Visit& visit) { return visit.pages; }));
  visit("ann", 1, 1);
  watermark(9);
  EXPECT_EQ(take(), Results{});
}

TEST_F(WindowsTest, MergingWindowsRefuseATriggerThatCannotMerge) {
  const auto sessions = keyed().window(EventTimeSessionWindows::withGap(milliseconds(5)));
  try {
    (void)sessions.trigger(BigVisitTrigger(5));
    FAIL() << "nothing was thrown";
  } catch (const InvalidProgramException& refusal) {
    EXPECT_EQ(std::string(refusal.what()),
              "trigger(): windows of EventTimeSessionWindows(5) merge, which BigVisitTrigger does "
              "not support: use another trigger, or give it canMerge() and onMerge()");
  }
  EXPECT_THROW(
      (void)sessions.trigger(DeltaTrigger::of(1, [](const Visit&, const Visit&) { return 0.0; })),
      InvalidProgramException);
}

TEST_F(WindowsTest, SpansThatMakeNoWindowsAreRefused) {
  const milliseconds none(0);
  const milliseconds ten(10);
  EXPECT_THROW(SlidingEventTimeWindows::of(none, ten), std::invalid_argument);
  EXPECT_THROW(SlidingEventTimeWindows::of(ten, none), std::invalid_argument);
  EXPECT_THROW(SlidingProcessingTimeWindows::of(ten, ten, ten), std::invalid_argument);
  EXPECT_THROW(TumblingProcessingTimeWindows::of(ten, -ten), std::invalid_argument);
  EXPECT_THROW(EventTimeSessionWindows::withGap(none), std::invalid_argument);
  EXPECT_THROW(ContinuousEventTimeTrigger::of(none), std::invalid_argument);
  EXPECT_THROW((void)keyed().window(WindowsByUser()).allowedLateness(-ten),
               InvalidProgramException);
}

TEST(WindowsOfAProgramTest, ByEventTimeNeedWatermarks) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  const auto visits = env.fromElements(Visit{"ann", 1, 1}).keyBy(&Visit::user);
  try {
    visits.window(TumblingEventTimeWindows::of(milliseconds(10))).sum("pages");
    FAIL() << "nothing was thrown";
  } catch (const InvalidProgramException& refusal) {
    const std::string text = refusal.what();
    EXPECT_TRUE(text.starts_with(
        "'Window(TumblingEventTimeWindows(10), EventTimeTrigger, ReduceFunction)' works by event "
        "time, but nothing before it makes watermarks"))
        << text;
  }
  visits.window(TumblingProcessingTimeWindows::of(milliseconds(10))).sum("pages");
}

TEST(WindowsOfAProgramTest, RunInAJob) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  std::mutex mutex;
  std::vector<int64_t> counts;
  env.fromElements(Visit{"ann", 1, 1}, Visit{"ann", 2, 4}, Visit{"ann", 4, 40})
      .assignTimestampsAndWatermarks(
          WatermarkStrategy<Visit>::forMonotonousTimestamps().withTimestampAssigner(
              [](const Visit& visit, int64_t) { return visit.time_ms; }))
      .keyBy(&Visit::user)
      .window(EventTimeSessionWindows::withGap(milliseconds(10)))
      .aggregate(CountPages())
      .addSink([&](int64_t count) {
        std::lock_guard<std::mutex> lock(mutex);
        counts.push_back(count);
      });
  env.execute("sessions");
  EXPECT_EQ(counts, (std::vector<int64_t>{3, 4}));
}

}  // namespace windows_test
