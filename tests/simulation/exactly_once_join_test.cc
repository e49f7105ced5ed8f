// The windowed join with a replayable source and the exactly-once sink, in a simulated cluster
// whose TaskManagers are killed: whatever the interleaving and the moment, the committed output is
// that of the plain computation.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/wiesel.h"
#include "common/filesystem/file_system.h"
#include "runtime/graph/job_plan.h"
#include "tests/simulation/simulated_cluster.h"
#include "tests/support/test_seed.h"

namespace wiesel::tests {
namespace {

struct Reading {
  int64_t key = 0;
  int64_t value = 0;
  int64_t time_ms = 0;
};
WIESEL_DESCRIBE(Reading, key, value, time_ms)

constexpr uint64_t kSeeds = 200;
constexpr int64_t kRecords = 600;
constexpr double kRecordsPerSecond = 1000;
constexpr int64_t kKeys = 7;
constexpr int64_t kWindowMs = 100;
constexpr int64_t kDelayMs = 20;
constexpr char kOutput[] = "/output";
constexpr char kCheckpoints[] = "/checkpoints";

Reading reading(int64_t seed, int64_t number) {
  const auto random = state::mixBits(static_cast<uint64_t>(seed * 1'000'003 + number));
  return {static_cast<int64_t>(random % kKeys), number,
          number - static_cast<int64_t>((random >> 8) % kDelayMs)};
}

std::string joinedLine(const Reading& left, const Reading& right) {
  return std::to_string(left.key) + ":" + std::to_string(left.value) + "+" +
         std::to_string(right.value);
}

DataStream<Reading> readings(const StreamExecutionEnvironment& env, int64_t seed) {
  const std::string name = "readings-" + std::to_string(seed);
  return env
      .fromSource(DataGeneratorSource<Reading>([seed](int64_t n) { return reading(seed, n); },
                                               kRecords, kRecordsPerSecond),
                  name)
      .uid(name)
      .assignTimestampsAndWatermarks(
          WatermarkStrategy<Reading>::forBoundedOutOfOrderness(std::chrono::milliseconds(kDelayMs))
              .withTimestampAssigner([](const Reading& r, int64_t) { return r.time_ms; }));
}

runtime::JobPlan joinPlan() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(2);
  env.enableCheckpointing(std::chrono::milliseconds(70));
  env.setCheckpointDirectory(kCheckpoints);
  env.setAutoWatermarkInterval(std::chrono::milliseconds(10));
  env.setRestartStrategy(
      RestartStrategies::fixedDelayRestart(1'000'000, std::chrono::milliseconds(0)));
  readings(env, 1)
      .join(readings(env, 2))
      .where(&Reading::key)
      .equalTo(&Reading::key)
      .window(TumblingEventTimeWindows::of(std::chrono::milliseconds(kWindowMs)))
      .apply([](const Reading& left, const Reading& right) { return joinedLine(left, right); })
      .uid("join")
      .sinkTo(TextFileSink(kOutput))
      .uid("output");
  auto plan = runtime::planJob(env.getStreamGraph(), env.getConfiguration(), "join");
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *std::move(plan);
}

/// What the job has to put out, computed without any of it.
std::vector<std::string> expectedLines() {
  std::map<std::pair<int64_t, int64_t>, std::pair<std::vector<Reading>, std::vector<Reading>>>
      windows;
  for (int64_t number = 0; number < kRecords; ++number) {
    const Reading left = reading(1, number);
    const Reading right = reading(2, number);
    windows[{left.key, TimeWindow::startOf(left.time_ms, 0, kWindowMs)}].first.push_back(left);
    windows[{right.key, TimeWindow::startOf(right.time_ms, 0, kWindowMs)}].second.push_back(right);
  }
  std::vector<std::string> lines;
  for (const auto& [window, sides] : windows) {
    for (const Reading& left : sides.first) {
      for (const Reading& right : sides.second) lines.push_back(joinedLine(left, right));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> committedLines(const FileSystem& files) {
  std::vector<std::string> lines;
  const auto names = files.list(kOutput);
  if (!names.ok()) return lines;
  for (const std::string& name : *names) {
    if (!name.starts_with("part-") || name.ends_with(".inprogress") || name.ends_with(".pending")) {
      continue;
    }
    const auto content = files.readAll(std::string(kOutput) + "/" + name);
    if (!content.ok()) continue;
    for (size_t begin = 0; begin < content->size();) {
      const size_t end = content->find('\n', begin);
      lines.push_back(content->substr(begin, end - begin));
      begin = end + 1;
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Kills TaskManagers at moments that the seed picks, and starts a new one for each.
void killNowAndThen(SimulatedCluster& cluster, int kills) {
  RandomSource& random = cluster.world().random();
  for (int i = 0; i < kills && !cluster.result(); ++i) {
    cluster.world().runUntil([&cluster] { return cluster.result().has_value(); },
                             static_cast<int64_t>(random.below(400)));
    if (cluster.result()) return;
    std::vector<int> alive;
    for (int number = 0; number < cluster.taskManagerCount(); ++number) {
      if (cluster.isAlive(number)) alive.push_back(number);
    }
    cluster.killTaskManager(alive[random.below(alive.size())]);
    if (random.below(2) == 0) cluster.world().runFor(static_cast<int64_t>(random.below(100)));
    cluster.startTaskManager();
  }
}

TEST(ExactlyOnceJoinTest, CommitsTheSameLinesWhateverIsKilled) {
  const runtime::JobPlan plan = joinPlan();
  const std::vector<std::string> expected = expectedLines();
  ASSERT_GT(expected.size(), 1000u);
  for (const uint64_t seed : testing::testSeeds(kSeeds)) {
    SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
    SimulatedCluster cluster(seed, plan);
    for (int i = 0; i < 3; ++i) cluster.startTaskManager();
    cluster.submit();
    killNowAndThen(cluster, static_cast<int>(cluster.world().random().below(5)));
    ASSERT_TRUE(cluster.runToEnd(600'000)) << "the job has not ended";
    ASSERT_TRUE(cluster.result()->ok()) << cluster.result()->status().message();
    const runtime::JobView& view = **cluster.result();
    ASSERT_EQ(view.status, runtime::JobStatus::kFinished)
        << (view.failure ? view.failure->line : "");
    ASSERT_EQ(committedLines(cluster.files()), expected);
  }
}

TEST(ExactlyOnceJoinTest, RunsTheSameWayTwiceWithOneSeed) {
  const runtime::JobPlan plan = joinPlan();
  std::vector<uint64_t> traces;
  for (int run = 0; run < 2; ++run) {
    SimulatedCluster cluster(4711, plan);
    for (int i = 0; i < 3; ++i) cluster.startTaskManager();
    cluster.submit();
    killNowAndThen(cluster, 2);
    ASSERT_TRUE(cluster.runToEnd(600'000));
    traces.push_back(cluster.world().traceHash());
  }
  EXPECT_EQ(traces[0], traces[1]);
}

}  // namespace
}  // namespace wiesel::tests
