// Handles on streams of a program that is gone, or of another one.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

StreamExecutionEnvironment environment() {
  return StreamExecutionEnvironment::getExecutionEnvironment();
}

/// The text of the InvalidProgramException that `write` throws.
std::string refusalOf(const std::function<void()>& write) {
  try {
    write();
  } catch (const InvalidProgramException& refusal) {
    return refusal.what();
  }
  return "not refused";
}

TEST(StreamHandle, OfAnExecutedJobTakesNoMoreOperators) {
  auto env = environment();
  auto numbers = env.fromElements(1, 2);
  numbers.addSink([](int) {});
  env.execute();
  constexpr const char* kWayOut =
      "write all of a job before execute(), and begin the next one with its sources";
  EXPECT_EQ(
      refusalOf([&] { numbers.map([](int value) { return value; }); }),
      std::string("'Map' cannot be added to a stream whose job has been executed: ") + kWayOut);
  const auto windows = numbers.windowAll(TumblingEventTimeWindows::of(std::chrono::seconds(1)));
  EXPECT_EQ(
      refusalOf([&] { windows.reduce([](int a, int b) { return a + b; }); }),
      std::string("'Window(TumblingEventTimeWindows(1000), EventTimeTrigger, ReduceFunction)' "
                  "cannot be added to a stream whose job has been executed: ") +
          kWayOut);
  EXPECT_EQ(
      refusalOf([&] { numbers.name("numbers"); }),
      std::string("the settings of 'Source: Collection Source' cannot be changed, its job has "
                  "been executed: ") +
          kWayOut);
}

TEST(StreamHandle, TheNextJobOfAnEnvironmentIsAnother) {
  auto env = environment();
  const auto old = env.fromElements(1);
  old.addSink([](int) {});
  env.execute();
  const auto fresh = env.fromElements(2);
  EXPECT_EQ(refusalOf([&] { old.unionWith(fresh); }),
            "the stream of 'Source: Collection Source' and the stream of 'Source: Collection "
            "Source' cannot meet: they are not of one environment, or one is of a job that has "
            "been executed");
  const auto sum = std::make_shared<int>(0);
  fresh.addSink([sum](int value) { *sum += value; });
  env.execute();
  EXPECT_EQ(*sum, 2);
}

struct AddBoth {
  int map1(const int& value) { return value; }
  int map2(const int& value) { return value; }
};

TEST(StreamHandle, StreamsOfTwoEnvironmentsDoNotMeet) {
  auto left_env = environment();
  auto right_env = environment();
  const auto left = left_env.fromElements(1).map([](int value) { return value; }).name("left");
  const auto right = right_env.fromElements(2).map([](int value) { return value; }).name("right");
  const std::string refusal =
      "the stream of 'left' and the stream of 'right' cannot meet: they are not of one "
      "environment, or one is of a job that has been executed";
  const auto self = [](int value) { return value; };
  const auto add = [](int a, int b) { return a + b; };
  EXPECT_EQ(refusalOf([&] { left.unionWith(right); }), refusal);
  EXPECT_EQ(refusalOf([&] { left.connect(right).map(AddBoth()); }), refusal);
  EXPECT_EQ(refusalOf([&] { left.keyBy(self).connect(right.keyBy(self)).map(AddBoth()); }),
            refusal);
  EXPECT_EQ(refusalOf([&] {
              left.join(right)
                  .where(self)
                  .equalTo(self)
                  .window(TumblingProcessingTimeWindows::of(std::chrono::seconds(1)))
                  .apply(add);
            }),
            refusal);
}

TEST(StreamHandle, ThatWasOnlyDeclaredIsRefused) {
  DataStream<int> nothing;
  EXPECT_EQ(refusalOf([&] { nothing.map([](int value) { return value; }); }),
            "'Map' cannot be added to a stream that comes from nowhere: it was declared, but no "
            "stream was assigned to it");
  EXPECT_EQ(refusalOf([&] { environment().fromElements(1).unionWith(nothing); }),
            "the stream of 'Source: Collection Source' and a stream that comes from nowhere cannot "
            "meet: they are not of one environment, or one is of a job that has been executed");
}

}  // namespace
}  // namespace wiesel
