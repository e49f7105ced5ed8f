#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "runtime/graph/job_plan.h"
#include "tests/simulation/simulated_cluster.h"
#include "wiesel/wiesel.h"

namespace wiesel::tests {
namespace {

constexpr int64_t kRecords = 600;

struct Rule {
  std::string name;
  int timeout_ms;
  double records_per_second;  // 0: as fast as it goes.
  size_t first_lines;         // How many records arrive with the first one.
};

class BufferTimeoutTest : public ::testing::TestWithParam<Rule> {};

/// Numbers that one task sends and another prints.
runtime::JobPlan printingPlan(const Rule& rule) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setBufferTimeout(std::chrono::milliseconds(rule.timeout_ms));
  env.fromSource(DataGeneratorSource<int64_t>([](int64_t number) { return number; }, kRecords,
                                              rule.records_per_second),
                 "numbers")
      .rebalance()
      .print();
  auto plan = runtime::planJob(env.getStreamGraph(), env.getConfiguration(), "numbers");
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *std::move(plan);
}

TEST_P(BufferTimeoutTest, DecidesHowManyRecordsTravelTogether) {
  const runtime::JobPlan plan = printingPlan(GetParam());
  SimulatedCluster cluster(4711, plan);
  cluster.startTaskManager();
  cluster.submit();
  ASSERT_TRUE(cluster.world().runUntil([&cluster] { return !cluster.printed().empty(); }, 60'000));
  EXPECT_EQ(cluster.printed().size(), GetParam().first_lines);
  ASSERT_TRUE(cluster.runToEnd(60'000));
  EXPECT_EQ(cluster.printed().size(), static_cast<size_t>(kRecords));
}

INSTANTIATE_TEST_SUITE_P(Flink, BufferTimeoutTest,
                         ::testing::Values(Rule{"NoneWaitsForAFullBatch", -1, 100, 256},
                                           Rule{"NoneSendsTheRestAtTheEnd", -1, 1'000'000, 256},
                                           Rule{"SomeTimeSendsWhatIsThere", 100, 100, 1},
                                           Rule{"SomeTimeGathersWhatComesTogether", 100, 0, 256},
                                           Rule{"ZeroSendsEachRecord", 0, 100, 1},
                                           Rule{"ZeroSendsEachRecordAlsoOfMany", 0, 0, 1}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::tests
