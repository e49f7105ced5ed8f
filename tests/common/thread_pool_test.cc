#include "common/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <vector>

namespace wiesel {
namespace {

TEST(ThreadPoolTest, RunsEveryClosure) {
  ThreadPool pool(3, "test");
  constexpr int kCount = 200;
  std::atomic<int> sum = 0;
  std::vector<std::promise<void>> done(kCount);
  for (int i = 0; i < kCount; ++i) {
    pool.execute([&, i] {
      sum += i;
      done[i].set_value();
    });
  }
  for (auto& promise : done) promise.get_future().wait();
  EXPECT_EQ(sum, kCount * (kCount - 1) / 2);
}

TEST(ThreadPoolTest, RunsClosuresAtTheSameTime) {
  ThreadPool pool(2, "test");
  std::promise<void> first_started;
  std::promise<void> second_done;
  std::promise<void> first_done;
  pool.execute([&] {
    first_started.set_value();
    second_done.get_future().wait();
    first_done.set_value();
  });
  first_started.get_future().wait();
  pool.execute([&] { second_done.set_value(); });
  first_done.get_future().wait();
  EXPECT_NO_THROW(pool.stop());
}

TEST(ThreadPoolTest, StopFinishesWhatRunsAndDestroysWhatWaits) {
  ThreadPool pool(1, "test");
  std::promise<void> started;
  std::promise<void> go_on;
  std::atomic<bool> finished = false;
  pool.execute([&] {
    started.set_value();
    go_on.get_future().wait();
    finished = true;
  });
  started.get_future().wait();
  auto token = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = token;
  std::atomic<bool> ran = false;
  pool.execute([&ran, token = std::move(token)] { ran = true; });
  std::thread stopper([&pool] { pool.stop(); });
  // stop() may or may not have begun; the waiting closure can run only in the second case.
  go_on.set_value();
  stopper.join();
  EXPECT_TRUE(finished);
  EXPECT_TRUE(alive.expired());
  const bool ran_before_stop = ran;
  pool.execute([&ran] { ran = true; });
  EXPECT_EQ(ran, ran_before_stop);
}

}  // namespace
}  // namespace wiesel
