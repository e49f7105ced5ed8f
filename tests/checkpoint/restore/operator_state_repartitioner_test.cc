#include "checkpoint/restore/operator_state_repartitioner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/checkpoint/sample_job.h"

namespace wiesel::checkpoint {
namespace {

using state::DistributionMode;
using state::OperatorStateHandle;
using Handles = std::vector<std::vector<OperatorStateHandle>>;

/// "stream{state:offset,offset ...} ..." for each subtask.
std::vector<std::string> describe(const Handles& subtasks) {
  std::vector<std::string> texts;
  for (const auto& handles : subtasks) {
    std::string text;
    for (const OperatorStateHandle& handle : handles) {
      text += (text.empty() ? "" : " ") + handle.stream.bytes + "{";
      for (size_t i = 0; i < handle.states.size(); ++i) {
        text += (i == 0 ? "" : " ") + handle.states[i].name + ":";
        for (size_t j = 0; j < handle.states[i].offsets.size(); ++j) {
          text += (j == 0 ? "" : ",") + std::to_string(handle.states[i].offsets[j]);
        }
      }
      text += "}";
    }
    texts.push_back(text);
  }
  return texts;
}

struct Rule {
  std::string name;
  Handles old_subtasks;
  int new_parallelism;
  std::vector<std::string> expected;
};

std::vector<Rule> rules() {
  const auto split = [](const std::string& stream, std::vector<int64_t> offsets) {
    return listState("s", std::move(offsets), stream);
  };
  const auto all = [](const std::string& stream, std::vector<int64_t> offsets) {
    return listState("u", std::move(offsets), stream, DistributionMode::kUnion);
  };
  const auto copy = [](const std::string& stream) {
    return listState("b", {5}, stream, DistributionMode::kBroadcast);
  };
  OperatorStateHandle two_lists = listState("a", {1, 2, 3}, "A");
  two_lists.states.push_back({"b", DistributionMode::kSplit, {4, 5}});
  OperatorStateHandle mixed = split("A", {1, 2});
  mixed.states.push_back({"u", DistributionMode::kUnion, {7}});
  return {
      {"SplitStateStaysWhenTheParallelismDoes",
       {{split("A", {1, 2, 3})}, {}, {split("C", {4})}},
       3,
       {"A{s:1,2,3}", "", "C{s:4}"}},
      {"SplitStateIsDealtOutOverMore",
       {{split("A", {1, 2, 3})}, {split("B", {4, 5})}},
       3,
       {"A{s:1,2}", "A{s:3} B{s:4}", "B{s:5}"}},
      {"SplitStateIsDealtOutOverFewer",
       {{split("A", {1, 2})}, {split("B", {3})}, {split("C", {4, 5})}},
       2,
       {"A{s:1,2} B{s:3}", "C{s:4,5}"}},
      {"SomeGetNothingWhenThereIsNotEnough", {{split("A", {1})}}, 3, {"A{s:1}", "", ""}},
      {"TheNextStateGoesOnWhereTheOddElementsEnded",
       {{two_lists}},
       2,
       {"A{a:1,2 b:5}", "A{a:3 b:4}"}},
      {"UnionStateGoesToAll",
       {{all("A", {1})}, {all("B", {2, 3})}},
       3,
       {"A{u:1} B{u:2,3}", "A{u:1} B{u:2,3}", "A{u:1} B{u:2,3}"}},
      {"UnionStateGoesToAllAlsoWhenTheParallelismStays",
       {{mixed}, {all("B", {3})}},
       2,
       {"A{s:1,2 u:7} B{u:3}", "A{u:7} B{u:3}"}},
      {"BroadcastStateStaysWhenTheParallelismDoes",
       {{copy("A")}, {copy("B")}},
       2,
       {"A{b:5}", "B{b:5}"}},
      {"EachGetsOneCopyOfTheBroadcastState",
       {{copy("A")}, {copy("B")}},
       3,
       {"A{b:5}", "B{b:5}", "A{b:5}"}},
      {"NothingStaysNothing", {{}, {}}, 3, {"", "", ""}},
  };
}

class RepartitionerTest : public ::testing::TestWithParam<Rule> {};

TEST_P(RepartitionerTest, DealsOutAsFlinkDoes) {
  EXPECT_EQ(describe(repartitionOperatorState(GetParam().old_subtasks, GetParam().new_parallelism)),
            GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Flink, RepartitionerTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::checkpoint
