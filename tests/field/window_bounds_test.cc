// Where windows begin and end: before 1970, with offsets, and when they touch.

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/api/shared_lines.h"
#include "tests/field/scripted_source.h"

namespace wiesel::field {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

template <class Assigner>
Lines countsOf(std::vector<Row> rows, Assigner assigner) {
  testing::SharedLines lines;
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  count(env.fromCollection(std::move(rows)).assignTimestampsAndWatermarks(onlyAtTheEnd()), assigner)
      .addSink(lines.sink());
  env.execute("counts");
  return lines.takeSorted();
}

TEST(WindowBounds, AreRoundedDownAlsoBefore1970) {
  EXPECT_EQ(countsOf({{"k", "1", -1}, {"k", "1", -5000}, {"k", "1", -5001}, {"k", "1", 0}},
                     TumblingEventTimeWindows::of(milliseconds(5000))),
            (Lines{"k,[-10000,-5000),1", "k,[-5000,0),2", "k,[0,5000),1"}));
}

TEST(WindowBounds, OfADayCanFollowATimeZoneEastOfGreenwich) {
  EXPECT_EQ(countsOf({{"k", "1", 1710086399000}, {"k", "1", 1710086400000}},
                     TumblingEventTimeWindows::of(hours(24), hours(-8))),
            (Lines{"k,[1710000000000,1710086400000),1", "k,[1710086400000,1710172800000),1"}));
}

/// The text of what `make` throws.
template <class Make>
std::string refusalOf(Make make) {
  try {
    make();
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "not refused";
}

TEST(WindowBounds, AnOffsetOfASizeOrMoreIsRefused) {
  for (const hours offset : {hours(25), hours(-25), hours(24)}) {
    EXPECT_EQ(refusalOf([&] { TumblingEventTimeWindows::of(hours(24), offset); }),
              "TumblingEventTimeWindows need a size above 0 and an offset smaller than the size, "
              "got size 86400000 ms and offset " +
                  std::to_string(milliseconds(offset).count()) + " ms");
    EXPECT_NE(refusalOf([&] { TumblingProcessingTimeWindows::of(hours(24), offset); }),
              "not refused");
    EXPECT_NE(refusalOf([&] { SlidingEventTimeWindows::of(hours(48), hours(24), offset); }),
              "not refused");
    EXPECT_NE(refusalOf([&] { SlidingProcessingTimeWindows::of(hours(48), hours(24), offset); }),
              "not refused");
  }
}

TEST(Sessions, ThatOnlyTouchAreOne) {
  EXPECT_EQ(countsOf({{"k", "1", 0}, {"k", "1", 3000}, {"j", "1", 0}, {"j", "1", 3001}},
                     EventTimeSessionWindows::withGap(milliseconds(3000))),
            (Lines{"j,[0,3000),1", "j,[3001,6001),1", "k,[0,6000),2"}));
}

}  // namespace
}  // namespace wiesel::field
