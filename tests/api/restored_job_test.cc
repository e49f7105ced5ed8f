// Jobs that begin with the checkpoint of another job whose program was not quite the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temporary_directory.h"
#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;
using Numbers = std::vector<int64_t>;

/// What the jobs put out. Shared by all of their subtasks.
class Output {
 public:
  void add(int64_t number) {
    std::lock_guard<std::mutex> lock(mutex_);
    numbers_.push_back(number);
  }
  Numbers takeSorted() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::ranges::sort(numbers_);
    return std::exchange(numbers_, {});
  }

 private:
  std::mutex mutex_;
  Numbers numbers_;  // Guarded by mutex_.
};

/// The directory of a complete checkpoint somewhere below `directory`, if there is one.
std::string checkpointBelow(const std::string& directory) {
  std::error_code ignored;
  for (std::filesystem::recursive_directory_iterator entry(directory, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (entry->path().filename() == "_metadata") return entry->path().parent_path().string();
  }
  return "";
}

class RestoredJobTest : public ::testing::Test {
 protected:
  static constexpr int64_t kCount = 100'000;

  testing::TemporaryDirectory directory_;
  std::shared_ptr<Output> output_ = std::make_shared<Output>();

  StreamExecutionEnvironment environment(const std::string& restore_path = "") {
    Configuration configuration;
    if (!restore_path.empty()) {
      configuration.setString("execution.state-recovery.path", restore_path);
    }
    auto env = StreamExecutionEnvironment::getExecutionEnvironment(configuration);
    env.setMaxParallelism(8);
    env.enableCheckpointing(milliseconds(10));
    env.setCheckpointDirectory("file://" + directory_.path());
    env.setExternalizedCheckpointRetention(ExternalizedCheckpointRetention::RETAIN_ON_CANCELLATION);
    env.setRestartStrategy(RestartStrategies::noRestart());
    return env;
  }

  /// Numbers from `first` on, from a source with the uid `uid`.
  DataStream<int64_t> numbers(const StreamExecutionEnvironment& env, const std::string& uid,
                              int64_t first, int64_t count, double per_second = 0) {
    return env
        .fromSource(DataGeneratorSource<int64_t>([first](int64_t number) { return first + number; },
                                                 count, per_second),
                    uid)
        .uid(uid);
  }

  void collect(const DataStream<int64_t>& stream) {
    stream.addSink([output = output_](int64_t number) { output->add(number); });
  }

  /// Runs a job of the source "old" that fails after its first checkpoint, which is returned.
  std::string runUntilACheckpoint() {
    auto env = environment();
    return runUntilACheckpoint(env, numbers(env, "old", 0, kCount, 2000));
  }
  std::string runUntilACheckpoint(StreamExecutionEnvironment& env,
                                  const DataStream<int64_t>& stream) {
    stream
        .map([directory = directory_.path(), output = output_](int64_t number) {
          if (!checkpointBelow(directory).empty()) throw std::runtime_error("enough");
          output->add(number);
          return number;
        })
        .addSink([](int64_t) {});
    EXPECT_THROW(env.execute("first"), JobExecutionException);
    const std::string checkpoint = checkpointBelow(directory_.path());
    EXPECT_FALSE(checkpoint.empty());
    return checkpoint;
  }
};

TEST_F(RestoredJobTest, ASourceThatIsNewInTheProgramBeginsAtItsBeginning) {
  const std::string checkpoint = runUntilACheckpoint();
  output_->takeSorted();
  auto env = environment(checkpoint);
  env.setParallelism(2);
  collect(numbers(env, "new", kCount, 1000));
  numbers(env, "old", 0, kCount).addSink([](int64_t) {});
  env.execute("second");

  Numbers expected;
  for (int64_t number = kCount; number < kCount + 1000; ++number) expected.push_back(number);
  EXPECT_EQ(output_->takeSorted(), expected);
}

/// Has no state; each record becomes 1 if the function was restored, and 0 if not.
class TellsIfRestored : public CheckpointedFunction {
 public:
  int64_t map(int64_t) const { return is_restored_ ? 1 : 0; }
  void initializeState(FunctionInitializationContext& context) override {
    is_restored_ = context.isRestored();
  }
  void snapshotState(FunctionSnapshotContext&) override {}

 private:
  bool is_restored_ = false;
};

TEST_F(RestoredJobTest, AFunctionWithoutStateIsRestoredIfItsTaskHasSome) {
  const std::string checkpoint = runUntilACheckpoint();
  output_->takeSorted();
  auto env = environment(checkpoint);
  collect(numbers(env, "old", 0, kCount).map(TellsIfRestored()).uid("new in an old task"));
  env.execute("second");
  Numbers told = output_->takeSorted();
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), 1);

  env = environment(checkpoint);
  numbers(env, "old", 0, kCount).addSink([](int64_t) {});
  collect(numbers(env, "new", 0, 10).map(TellsIfRestored()).uid("new in a new task"));
  env.execute("third");
  told = output_->takeSorted();
  ASSERT_EQ(told.size(), 10u);
  EXPECT_EQ(told.back(), 0);
}

TEST_F(RestoredJobTest, ASequenceGoesOnAtAnotherParallelism) {
  auto first = environment();
  first.setParallelism(2);
  const std::string checkpoint =
      runUntilACheckpoint(first, first.fromSequence(0, kCount - 1).uid("old"));
  Numbers given = output_->takeSorted();
  ASSERT_LT(given.size(), static_cast<size_t>(kCount));

  auto env = environment(checkpoint);
  env.setParallelism(3);
  collect(env.fromSequence(0, kCount - 1).uid("old"));
  env.execute("second");
  const Numbers rest = output_->takeSorted();
  EXPECT_EQ(std::ranges::adjacent_find(rest), rest.end());
  EXPECT_LT(rest.size(), static_cast<size_t>(kCount));

  // What came after the checkpoint came twice; nothing is missing.
  given.insert(given.end(), rest.begin(), rest.end());
  std::ranges::sort(given);
  given.erase(std::ranges::unique(given).begin(), given.end());
  EXPECT_EQ(given.size(), static_cast<size_t>(kCount));
}

TEST_F(RestoredJobTest, ASubtaskThatGetsNoSplitOfARestoredSourceGivesNothing) {
  const std::string checkpoint = runUntilACheckpoint();
  output_->takeSorted();
  auto env = environment(checkpoint);
  env.setParallelism(3);
  collect(numbers(env, "old", 0, kCount));
  env.execute("second");

  // The numbers that were not given before the checkpoint, each once.
  const Numbers rest = output_->takeSorted();
  ASSERT_FALSE(rest.empty());
  EXPECT_EQ(rest.back(), kCount - 1);
  EXPECT_EQ(rest.back() - rest.front() + 1, static_cast<int64_t>(rest.size()));
  EXPECT_EQ(std::ranges::adjacent_find(rest), rest.end());
}

}  // namespace
}  // namespace wiesel
