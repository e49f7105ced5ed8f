#include "common/delay_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel {
namespace {

struct Push {
  int64_t due_ns;
  std::string name;
};

struct Rule {
  std::string name;
  std::vector<Push> pushes;
  std::vector<size_t> cancelled;  // Indices into `pushes`.
  std::vector<std::string> order;
};

std::vector<Rule> rules() {
  return {
      {"IsEmptyAtFirst", {}, {}, {}},
      {"SortsByDueTime", {{30, "c"}, {10, "a"}, {20, "b"}}, {}, {"a", "b", "c"}},
      {"KeepsTheOrderOfEqualTimes", {{10, "a"}, {10, "b"}, {5, "first"}}, {}, {"first", "a", "b"}},
      {"LeavesOutWhatWasCancelled", {{10, "a"}, {20, "b"}, {30, "c"}}, {1, 0}, {"c"}},
      {"CancelsOnce", {{10, "a"}}, {0, 0}, {}},
  };
}

class DelayQueueTest : public ::testing::TestWithParam<Rule> {};

TEST_P(DelayQueueTest, GivesTheOrder) {
  DelayQueue queue;
  std::vector<std::string> order;
  std::vector<uint64_t> ids;
  for (const Push& push : GetParam().pushes) {
    ids.push_back(queue.push(push.due_ns, [&order, name = push.name] { order.push_back(name); }));
  }
  for (const size_t index : GetParam().cancelled) queue.cancel(ids[index]);
  EXPECT_EQ(queue.size(), GetParam().order.size());
  while (queue.nextDueNs().has_value()) queue.pop()();
  EXPECT_EQ(order, GetParam().order);
  EXPECT_TRUE(queue.empty());
}

INSTANTIATE_TEST_SUITE_P(Order, DelayQueueTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(DelayQueueCancelTest, GivesTheClosureBackUncalled) {
  DelayQueue queue;
  int calls = 0;
  const uint64_t id = queue.push(1, [&calls] { ++calls; });
  DelayQueue::Closure closure = queue.cancel(id);
  EXPECT_EQ(calls, 0);
  closure();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(queue.cancel(id), nullptr);
}

}  // namespace
}  // namespace wiesel
