#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "checkpoint/storage/checkpoint_loader.h"
#include "checkpoint/storage/file_checkpoint_storage.h"
#include "checkpoint/storage/file_snapshot_store.h"
#include "common/filesystem/in_memory_file_system.h"
#include "common/log.h"
#include "common/simulation/simulated_world.h"
#include "tests/checkpoint/sample_job.h"
#include "tests/checkpoint/storage/failing_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/test_seed.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::ElementsAre;

/// A job whose tasks acknowledge, decline, forget, finish and fail at random, on a disk that is
/// full now and then, and that is restarted each time; checks the coordinator's promises on the
/// way.
class RandomJob final : public TaskGateway, public CoordinatorListener {
 public:
  explicit RandomJob(uint64_t seed) : world_(seed) {
    const auto process = world_.newProcess("jobmanager");
    loop_ = &world_.newEventLoop(process);
    auto storage = std::make_shared<FileCheckpointStorage>(files_, "/ck", idOf(9));
    coordinator_ = std::make_unique<CheckpointCoordinator>(
        idOf(9), sampleJob(), randomSettings(),
        CheckpointCoordinator::Environment{*loop_, world_.clock(), world_.newExecutor(process),
                                           *this, *this, storage, &world_.random()});
  }

  void run() {
    coordinator_->start("", false, [this](absl::StatusOr<JobRestore> restore) {
      EXPECT_OK(restore);
      deploy(0);
    });
    scheduleTrouble();
    world_.runFor(60'000);
    in_trouble_ = false;
    files_.repair();
    bool done = false;
    loop_->post([&] {
      ended_ = true;
      coordinator_->jobTerminal(JobEnd::kFinished, [&] { done = true; });
    });
    EXPECT_TRUE(world_.runUntil([&] { return done; }, 1000));
    world_.runFor(1000);  // Tasks that write and report too late.
  }

  int64_t completed() const { return coordinator_->counts().completed; }
  int64_t restored() const { return coordinator_->counts().restored; }
  std::vector<std::string> left() const { return memory_.list(directory()).value_or(empty_); }

 private:
  bool chance(uint64_t percent) { return world_.random().below(100) < percent; }

  CheckpointSettings randomSettings() {
    CheckpointSettings settings;
    settings.interval_ms = 100 + static_cast<int64_t>(world_.random().below(400));
    settings.timeout_ms = 200 + static_cast<int64_t>(world_.random().below(1000));
    settings.min_pause_ms = static_cast<int64_t>(world_.random().below(100));
    settings.max_concurrent = 1 + static_cast<int>(world_.random().below(3));
    settings.tolerable_failures = static_cast<int>(world_.random().below(3));
    settings.num_retained = 1 + static_cast<int>(world_.random().below(3));
    settings.retention = Retention::kRetainOnCancellation;
    return settings;
  }

  static std::string directory() { return "/ck/" + idOf(9).toHex(); }

  void after(uint64_t max_ms, std::function<void()> closure) {
    loop_->postAfter(static_cast<int64_t>(world_.random().below(max_ms)), std::move(closure));
  }

  // ---- The tasks ----

  void deploy(int attempt) {
    attempt_ = attempt;
    finished_.clear();
    for (uint8_t vertex = 1; vertex <= 3; ++vertex) {
      for (int subtask = 0; subtask < 2; ++subtask) {
        const ExecutionRef one = task(vertex, subtask, attempt);
        after(100, [this, one] {
          if (one.attempt == attempt_ && !restarting_) coordinator_->taskRunning(one);
        });
      }
    }
  }

  void triggerCheckpoint(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id,
                         int64_t /*timestamp_ms*/) override {
    EXPECT_FALSE(ended_);
    EXPECT_GT(checkpoint_id, last_triggered_);
    last_triggered_ = checkpoint_id;
    ASSERT_FALSE(tasks.empty());
    for (uint8_t vertex = 1; vertex <= 3; ++vertex) {
      for (int subtask = 0; subtask < 2; ++subtask) {
        const ExecutionRef one = task(vertex, subtask, attempt_);
        if (finished_.count(one) == 0) after(150, [=, this] { report(one, checkpoint_id); });
      }
    }
  }

  /// One task's answer, perhaps long after its attempt was over or the job ended.
  void report(const ExecutionRef& one, int64_t checkpoint_id) {
    if (finished_.count(one) != 0 || chance(2)) return;
    if (chance(2)) return coordinator_->decline(one, checkpoint_id, "CHECKPOINT_ASYNC_EXCEPTION");
    FileSnapshotStore store(files_, world_.random(),
                            checkpointDirectory(directory(), checkpoint_id), 3);
    const auto stream = store.writeStream(chance(50) ? "in" : "a file");
    if (!stream.ok()) {
      return coordinator_->decline(one, checkpoint_id, std::string(stream.status().message()));
    }
    state::OperatorStateHandle handle = listState("s", {0}, "");
    handle.stream = *stream;
    TaskSnapshot snapshot;
    snapshot.operators.push_back({one.vertex, {{handle}, {}}});
    coordinator_->acknowledge(one, checkpoint_id, std::move(snapshot));
  }

  void notifyComplete(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id) override {
    EXPECT_GT(checkpoint_id, last_completed_);
    last_completed_ = checkpoint_id;
    EXPECT_OK(loadCheckpoint(memory_, checkpointDirectory(directory(), checkpoint_id)));
    for (const ExecutionRef& one : tasks) EXPECT_EQ(one.attempt, attempt_);
  }

  void notifyAborted(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id) override {
    EXPECT_GT(checkpoint_id, 0);
    for (const ExecutionRef& one : tasks) EXPECT_EQ(one.attempt, attempt_);
  }

  // ---- The job master ----

  void failJob(const absl::Status& cause) override {
    EXPECT_FALSE(cause.ok());
    restart();
  }

  void restart() {
    if (ended_ || restarting_) return;
    restarting_ = true;
    coordinator_->jobRestarting("chance");
    coordinator_->restoreLatest([this](absl::StatusOr<JobRestore> restore) {
      restarting_ = false;
      ASSERT_OK(restore);
      EXPECT_GE(restore->checkpoint_id, last_completed_);
      last_completed_ = restore->checkpoint_id;
      if (restore->checkpoint_id != 0) {
        EXPECT_OK(loadCheckpoint(memory_, restore->directory));
      }
      deploy(attempt_ + 1);
    });
  }

  void scheduleTrouble() {
    after(1500, [this] {
      if (!in_trouble_ || ended_) return;
      if (chance(40)) restart();
      if (chance(30)) finishASource();
      if (chance(20)) files_.failAfter(static_cast<int>(world_.random().below(6)));
      after(300, [this] { files_.repair(); });
      scheduleTrouble();
    });
  }

  void finishASource() {
    const ExecutionRef one = task(1, static_cast<int>(world_.random().below(2)), attempt_);
    if (restarting_) return;
    finished_.insert(one);
    coordinator_->taskFinished(one);
  }

  const std::vector<std::string> empty_;
  InMemoryFileSystem memory_;
  FailingFileSystem files_{memory_};
  SimulatedWorld world_;
  EventLoop* loop_ = nullptr;  // Not owned.
  int attempt_ = 0;
  bool in_trouble_ = true;
  bool restarting_ = false;
  bool ended_ = false;
  std::set<ExecutionRef> finished_;
  int64_t last_triggered_ = 0;
  int64_t last_completed_ = 0;
  std::unique_ptr<CheckpointCoordinator> coordinator_;
};

TEST(RandomJobTest, NeverLosesAndNeverLeavesACheckpoint) {
  setMinLogSeverity(LogSeverity::kERROR);
  int64_t completed = 0;
  int64_t restored = 0;
  for (const uint64_t seed : testing::testSeeds(50)) {
    SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
    RandomJob job(seed);
    job.run();
    completed += job.completed();
    restored += job.restored();
    EXPECT_THAT(job.left(), ElementsAre("shared", "taskowned"));
  }
  setMinLogSeverity(LogSeverity::kINFO);
  EXPECT_GT(completed, 0);
  EXPECT_GT(restored, 0);
}

}  // namespace
}  // namespace wiesel::checkpoint
