#include "common/thread_event_loop.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace wiesel {
namespace {

/// Waits until all that was posted before has run.
void drain(EventLoop& loop) {
  std::promise<void> done;
  loop.post([&done] { done.set_value(); });
  done.get_future().wait();
}

TEST(ThreadEventLoopTest, RunsPostsInOrderOnOneThread) {
  ThreadEventLoop loop("test");
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  for (int i = 0; i < 100; ++i) {
    loop.post([&, i] {
      order.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
  }
  drain(loop);
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
  EXPECT_EQ(threads.front(), threads.back());
  EXPECT_NE(threads.front(), std::this_thread::get_id());
}

TEST(ThreadEventLoopTest, KnowsWhetherItRunsHere) {
  ThreadEventLoop loop("test");
  ThreadEventLoop other("other");
  bool inside = false;
  bool inside_other = true;
  loop.post([&] {
    inside = loop.runsHere();
    inside_other = other.runsHere();
  });
  drain(loop);
  EXPECT_TRUE(inside);
  EXPECT_FALSE(inside_other);
  EXPECT_FALSE(loop.runsHere());
}

TEST(ThreadEventLoopTest, ClosuresMayPost) {
  ThreadEventLoop loop("test");
  std::vector<std::string> order;
  std::promise<void> done;
  loop.post([&] {
    loop.post([&] {
      order.push_back("inner");
      done.set_value();
    });
    order.push_back("outer");
  });
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<std::string>{"outer", "inner"}));
}

TEST(ThreadEventLoopTest, RunsATimerWhenItIsDue) {
  ThreadEventLoop loop("test");
  const auto start = std::chrono::steady_clock::now();
  std::promise<void> done;
  loop.postAfter(5, [&done] { done.set_value(); });
  done.get_future().wait();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(5));
}

TEST(ThreadEventLoopTest, ALateTimerDoesNotHoldUpAnEarlyOne) {
  ThreadEventLoop loop("test");
  loop.postAfter(1'000'000'000'000'000, [] { FAIL() << "in many years only"; });
  std::promise<void> done;
  loop.postAfter(1, [&done] { done.set_value(); });
  done.get_future().wait();
  EXPECT_FALSE(loop.runsHere());
}

TEST(ThreadEventLoopTest, ACancelledTimerDoesNotRun) {
  ThreadEventLoop loop("test");
  bool ran = false;
  std::promise<void> done;
  loop.post([&] {
    const uint64_t timer = loop.postAfter(0, [&ran] { ran = true; });
    EXPECT_GT(timer, 0u);
    loop.cancelTimer(timer);
    loop.cancelTimer(timer);
    loop.postAfter(1, [&done] { done.set_value(); });
  });
  done.get_future().wait();
  EXPECT_FALSE(ran);
}

TEST(ThreadEventLoopTest, StopDestroysWhatWaits) {
  ThreadEventLoop loop("test");
  auto token = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = token;
  bool ran = false;
  loop.postAfter(1'000'000, [&ran, token = std::move(token)] { ran = true; });
  EXPECT_FALSE(alive.expired());
  loop.stop();
  EXPECT_TRUE(alive.expired());
  loop.post([&ran] { ran = true; });
  loop.stop();
  EXPECT_FALSE(ran);
}

TEST(ThreadEventLoopTest, ADestroyedClosureMayCallTheLoop) {
  ThreadEventLoop loop("test");
  struct PostsWhenDestroyed {
    EventLoop& loop;
    ~PostsWhenDestroyed() {
      loop.post([] {});
    }
  };
  auto token = std::make_shared<PostsWhenDestroyed>(PostsWhenDestroyed{loop});
  const std::weak_ptr<PostsWhenDestroyed> alive = token;
  loop.postAfter(1'000'000, [token = std::move(token)] {});
  loop.stop();
  EXPECT_TRUE(alive.expired());
}

}  // namespace
}  // namespace wiesel
