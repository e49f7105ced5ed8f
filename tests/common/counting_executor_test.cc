#include "common/counting_executor.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

namespace wiesel {
namespace {

class WaitingExecutor final : public Executor {
 public:
  void execute(std::function<void()> closure) override { waiting.push_back(std::move(closure)); }

  std::vector<std::function<void()>> waiting;
};

TEST(CountingExecutorTest, IsIdleWhenClosuresAreRunAndGone) {
  WaitingExecutor waiting;
  CountingExecutor counting(waiting);
  EXPECT_TRUE(counting.isIdle());
  int runs = 0;
  counting.execute([&runs] { ++runs; });
  counting.execute([&runs] { ++runs; });
  EXPECT_FALSE(counting.isIdle());
  waiting.waiting[0]();
  waiting.waiting.erase(waiting.waiting.begin());
  EXPECT_FALSE(counting.isIdle());
  waiting.waiting[0]();
  waiting.waiting.clear();
  EXPECT_TRUE(counting.isIdle());
  EXPECT_EQ(runs, 2);
}

TEST(CountingExecutorTest, AClosureThatIsDroppedUnrunIsOver) {
  WaitingExecutor waiting;
  CountingExecutor counting(waiting);
  counting.execute([] {});
  waiting.waiting.clear();
  EXPECT_TRUE(counting.isIdle());
}

TEST(CountingExecutorTest, ClosuresMayOutliveIt) {
  WaitingExecutor waiting;
  auto counting = std::make_unique<CountingExecutor>(waiting);
  bool ran = false;
  counting->execute([&ran] { ran = true; });
  counting.reset();
  waiting.waiting[0]();
  waiting.waiting.clear();
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace wiesel
