#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_seed.h"

namespace wiesel::runtime::testing {
namespace {

/// Kills, cuts and freezes at random, starts TaskManagers again, and then looks whether every job
/// is where it belongs and everything was given back.
class Chaos {
 public:
  explicit Chaos(uint64_t seed) : random_(seed * 7919), cluster_(optionsOf(seed)) {
    cluster_.script.run_ms = 300;
    for (int number = 1; number <= kTaskManagers; ++number) startTaskManager(number);
  }

  void run() {
    ASSERT_OK(cluster_.submit(survivor_));
    ASSERT_OK(cluster_.submit(brittle_));
    const int faults = 1 + static_cast<int>(random_.below(8));
    for (int fault = 0; fault < faults; ++fault) {
      cluster_.world.runFor(static_cast<int64_t>(random_.below(120)));
      injectFault();
    }
    for (int number = 1; number <= kTaskManagers; ++number) startTaskManager(number);
    ASSERT_TRUE(cluster_.runUntilStatus(survivor_.job_id(), JobStatus::kFinished, 600'000))
        << describe(survivor_.job_id());
    ASSERT_TRUE(
        cluster_.runUntil([&] { return isTerminal(cluster_.status(brittle_.job_id())); }, 600'000))
        << describe(brittle_.job_id());
    expectEverythingGivenBack();
  }

  int restarts() { return cluster_.view(survivor_.job_id()).restarts; }
  bool brittleFailed() { return cluster_.status(brittle_.job_id()) == JobStatus::kFailed; }

 private:
  static constexpr int kTaskManagers = 4;

  static FakeClusterOptions optionsOf(uint64_t seed) {
    FakeClusterOptions options;
    options.seed = seed;
    options.max_link_delay_ms = static_cast<int64_t>(seed % 4);
    options.settings.dispatcher.jobs.scheduler.cancellation_timeout_ms = 2'000;
    return options;
  }

  void startTaskManager(int number) {
    const std::string id = "tm-" + std::to_string(number);
    if (started_.insert(id).second || !cluster_.taskManager(id).isAlive()) {
      cluster_.addTaskManager(id, 1 + number % 2);
    }
  }

  void injectFault() {
    const std::vector<FakeWorker*> workers = cluster_.livingWorkers();
    FakeWorker* worker = workers.empty() ? nullptr : workers[random_.below(workers.size())];
    const int number = 1 + static_cast<int>(random_.below(kTaskManagers));
    FakeTaskManager& task_manager = cluster_.taskManager("tm-" + std::to_string(number));
    switch (random_.below(7)) {
      case 0:
        return task_manager.die("killed");
      case 1:
        return startTaskManager(number);
      case 2:
        if (worker != nullptr) cluster_.crash(*worker, "killed", randomMs(50));
        return;
      case 3:
        if (worker != nullptr) worker->breakConnection("cut");
        return;
      case 4:
        return failATask();
      case 5:
        cluster_.script.cancel_ms = random_.below(4) == 0 ? -1 : randomMs(30);
        return;
      default:
        cluster_.script.initialize_ms = randomMs(30);
        cluster_.script.start_ms = randomMs(60);
    }
  }

  void failATask() {
    if (cluster_.deployments.empty()) return;
    const auto& [worker, task] = cluster_.deployments[random_.below(cluster_.deployments.size())];
    proto::TaskRef ref;
    ref.set_vertex_id(task.vertex_id());
    ref.set_subtask(task.subtask());
    ref.set_attempt(task.attempt());  // Perhaps an old one.
    worker->fail(ref, "it broke");
  }

  int64_t randomMs(uint64_t bound) { return static_cast<int64_t>(random_.below(bound)); }

  std::string describe(const std::string& job_id) {
    const JobView view = cluster_.view(job_id);
    std::string text(nameOf(view.status));
    text += ", restarts " + std::to_string(view.restarts) + ", " + view.waiting;
    for (const ExceptionView& one : view.exceptions) text += "\n  " + one.root.line;
    return text;
  }

  void expectEverythingGivenBack() {
    cluster_.world.runFor(20'000);
    EXPECT_EQ(cluster_.resources().freeSlots(), cluster_.resources().totalSlots());
    EXPECT_EQ(cluster_.livingWorkers().size(), 0u);
    const JobView view = cluster_.view(survivor_.job_id());
    EXPECT_EQ(view.task_counts[proto::FINISHED], 4);
    ASSERT_OK_AND_ASSIGN(const std::vector<std::string> left,
                         cluster_.files.list("/checkpoints/" + survivor_.job_id()));
    for (const std::string& name : left) {
      EXPECT_NE(name.substr(0, 4), "chk-") << name << " was left behind";
    }
  }

  SeededRandom random_;
  FakeCluster cluster_;
  std::set<std::string> started_;
  const proto::JobGraph survivor_ = withFixedDelay(
      withCheckpoints(twoVertexJob(2, 1), 50, "RETAIN_ON_CANCELLATION"), 2147483647, 0);
  const proto::JobGraph brittle_ = withFixedDelay(twoVertexJob(1, 2), 1, 20);
};

/// What the seeds led to, to see that they are not all harmless.
struct Outcomes {
  int restarts = 0;
  int brittle_failed = 0;
  int brittle_finished = 0;
};

TEST(JobChaosTest, JobsEndWhereTheyBelongWhateverIsKilled) {
  const std::vector<uint64_t> seeds = wiesel::testing::testSeeds(200);
  Outcomes outcomes;
  for (const uint64_t seed : seeds) {
    SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
    Chaos chaos(seed);
    chaos.run();
    if (::testing::Test::HasFailure()) return;
    outcomes.restarts += chaos.restarts();
    ++(chaos.brittleFailed() ? outcomes.brittle_failed : outcomes.brittle_finished);
  }
  if (seeds.size() == 1) return;
  EXPECT_GT(outcomes.restarts, 200);
  EXPECT_GT(outcomes.brittle_failed, 20);
  EXPECT_GT(outcomes.brittle_finished, 20);
}

}  // namespace
}  // namespace wiesel::runtime::testing
