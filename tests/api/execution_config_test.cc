// Settings of an environment, and what functions see of them.

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/api/shared_lines.h"
#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;
using Lines = std::vector<std::string>;
using Parameters = std::map<std::string, std::string>;

/// Says what it finds under a name among the job's parameters, and who it is.
class Describe : public RichFunction {
 public:
  void open(const OpenContext&) override {
    const RuntimeContext& context = getRuntimeContext();
    const ParameterTool parameters = ParameterTool::fromMap(context.getGlobalJobParameters());
    text_ = parameters.get("greeting", "none") + " of " + context.getJobInfo().getJobName() +
            " in " + context.getTaskInfo().getTaskNameWithSubtasks();
  }
  std::string map(int) { return text_; }

 private:
  std::string text_;
};

class ExecutionConfigTest : public ::testing::Test {
 protected:
  /// What Describe says in a job of `env`.
  Lines described(StreamExecutionEnvironment env) {
    env.fromElements(1).map(Describe()).addSink(lines_.sink());
    env.execute("job");
    return lines_.takeSorted();
  }

  testing::SharedLines lines_;
  StreamExecutionEnvironment env_ = StreamExecutionEnvironment::getExecutionEnvironment();
};

TEST_F(ExecutionConfigTest, FunctionsReadTheParametersOfTheirJob) {
  const char* argv[] = {"job", "--greeting", "hello, 'all': a;b", "--quiet"};
  const ParameterTool args = ParameterTool::fromArgs(4, argv);
  env_.getConfig().setGlobalJobParameters(args);
  EXPECT_EQ(env_.getConfig().getGlobalJobParameters(), args.toMap());
  EXPECT_EQ(described(env_),
            Lines{"hello, 'all': a;b of job in Source: Collection Source -> Map -> "
                  "Sink: Unnamed (1/1)#0"});
}

TEST_F(ExecutionConfigTest, ParametersOfTheConfigurationHoldUntilOthersAreSet) {
  Configuration configuration;
  configuration.setString("pipeline.global-job-parameters.greeting", "hi");
  auto env = StreamExecutionEnvironment::getExecutionEnvironment(configuration);
  EXPECT_EQ(env.getConfig().getGlobalJobParameters(), (Parameters{{"greeting", "hi"}}));
  EXPECT_TRUE(described(env).at(0).starts_with("hi of job in "));
  env.getConfig().setGlobalJobParameters(Parameters{});
  EXPECT_TRUE(described(env).at(0).starts_with("none of job in "));
}

TEST_F(ExecutionConfigTest, SaysWhatHasBeenSet) {
  ExecutionConfig config = env_.getConfig();
  config.setParallelism(3).setMaxParallelism(12).setAutoWatermarkInterval(milliseconds(7));
  EXPECT_EQ(env_.getParallelism(), 3);
  EXPECT_EQ(env_.getMaxParallelism(), 12);
  EXPECT_EQ(config.getAutoWatermarkInterval(), milliseconds(7));
  EXPECT_THROW(config.setParallelism(0), std::invalid_argument);
  EXPECT_TRUE(env_.isChainingEnabled());
  env_.disableOperatorChaining();
  EXPECT_FALSE(env_.isChainingEnabled());
  EXPECT_EQ(env_.getBufferTimeout(), milliseconds(100));
  env_.setBufferTimeout(milliseconds(-1));
  EXPECT_EQ(env_.getBufferTimeout(), milliseconds(-1));
  Configuration more;
  more.setString("parallelism.default", "5");
  env_.configure(more);
  EXPECT_EQ(env_.getParallelism(), 5);
}

TEST_F(ExecutionConfigTest, SaysHowCheckpointsAreTaken) {
  CheckpointConfig config = env_.getCheckpointConfig();
  EXPECT_FALSE(config.isCheckpointingEnabled());
  EXPECT_EQ(config.getCheckpointInterval(), milliseconds(-1));
  EXPECT_EQ(config.getCheckpointingMode(), CheckpointingMode::EXACTLY_ONCE);
  env_.enableCheckpointing(milliseconds(500), CheckpointingMode::AT_LEAST_ONCE);
  EXPECT_EQ(config.getCheckpointInterval(), milliseconds(500));
  EXPECT_EQ(config.getCheckpointingConsistencyMode(), CheckpointingMode::AT_LEAST_ONCE);
  config.setCheckpointTimeout(milliseconds(60'000))
      .setMinPauseBetweenCheckpoints(milliseconds(20))
      .setMaxConcurrentCheckpoints(2)
      .setTolerableCheckpointFailureNumber(4)
      .setExternalizedCheckpointRetention(ExternalizedCheckpointRetention::DELETE_ON_CANCELLATION);
  EXPECT_EQ(config.getCheckpointTimeout(), milliseconds(60'000));
  EXPECT_EQ(config.getMinPauseBetweenCheckpoints(), milliseconds(20));
  EXPECT_EQ(config.getMaxConcurrentCheckpoints(), 2);
  EXPECT_EQ(config.getTolerableCheckpointFailureNumber(), 4);
  EXPECT_EQ(config.getExternalizedCheckpointRetention(),
            ExternalizedCheckpointRetention::DELETE_ON_CANCELLATION);
}

TEST_F(ExecutionConfigTest, RefusesWhatFlinkRefuses) {
  CheckpointConfig config = env_.getCheckpointConfig();
  try {
    env_.enableCheckpointing(milliseconds(9));
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "setCheckpointInterval() needs at least 10 ms, got 9 ms");
  }
  EXPECT_THROW(config.setCheckpointTimeout(milliseconds(9)), std::invalid_argument);
  EXPECT_THROW(config.setMinPauseBetweenCheckpoints(milliseconds(-1)), std::invalid_argument);
  EXPECT_THROW(config.setMaxConcurrentCheckpoints(0), std::invalid_argument);
  EXPECT_THROW(config.setTolerableCheckpointFailureNumber(-1), std::invalid_argument);
}

}  // namespace
}  // namespace wiesel
