// A user function that does not return, in an embedded cluster.

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>

#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

/// One function blocks for ever, then another fails the job.
void runJobWithAStuckTask() {
  Configuration configuration;
  configuration.setString("task.cancellation.timeout", "100");
  configuration.setString("restart-strategy.type", "none");
  auto env = StreamExecutionEnvironment::getExecutionEnvironment(configuration);
  const auto stuck = std::make_shared<std::promise<void>>();
  const std::shared_future<void> is_stuck = stuck->get_future().share();
  env.fromElements(1)
      .map([stuck](int value) {
        stuck->set_value();
        std::promise<void>().get_future().wait();
        return value;
      })
      .name("sleeper")
      .print();
  env.fromElements(2)
      .map([is_stuck](int) -> int {
        is_stuck.wait();
        throw std::runtime_error("the other one failed");
      })
      .print();
  env.execute("stuck");
}

TEST(StuckTaskDeathTest, EndsTheProcessAndIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(runJobWithAStuckTask(), ::testing::ExitedWithCode(1),
              "sleeper.* did not react to cancelling within 100 ms .task.cancellation.timeout. "
              "and cannot be ended otherwise");
}

}  // namespace
}  // namespace wiesel
