#include "common/simulation/simulated_world.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace wiesel {
namespace {

using Trace = std::vector<std::string>;

/// Two loops and an executor with a few events each; returns what ran, in order.
Trace runSmallCluster(uint64_t seed, uint64_t* trace_hash = nullptr) {
  SimulatedWorld world(seed);
  const auto process = world.newProcess("p");
  EventLoop& a = world.newEventLoop(process);
  EventLoop& b = world.newEventLoop(process);
  Executor& executor = world.newExecutor(process);
  Trace trace;
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    a.post([&, number] { trace.push_back("a" + number); });
    b.post([&, number] { trace.push_back("b" + number); });
    executor.execute([&, number] { trace.push_back("x" + number); });
    a.postAfter(2, [&, number] { trace.push_back("t" + number); });
  }
  while (world.step()) {
  }
  if (trace_hash != nullptr) *trace_hash = world.traceHash();
  return trace;
}

Trace only(char kind, const Trace& trace) {
  Trace filtered;
  for (const std::string& name : trace) {
    if (name[0] == kind) filtered.push_back(name);
  }
  return filtered;
}

TEST(SimulatedWorldTest, TheSameSeedGivesTheSameRun) {
  uint64_t first_hash = 0;
  uint64_t second_hash = 0;
  EXPECT_EQ(runSmallCluster(5, &first_hash), runSmallCluster(5, &second_hash));
  EXPECT_EQ(first_hash, second_hash);
}

TEST(SimulatedWorldTest, OtherSeedsGiveOtherInterleavings) {
  std::set<Trace> traces;
  std::set<uint64_t> hashes;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    uint64_t hash = 0;
    traces.insert(runSmallCluster(seed, &hash));
    hashes.insert(hash);
  }
  EXPECT_GT(traces.size(), 40u);
  EXPECT_EQ(hashes.size(), traces.size());
}

TEST(SimulatedWorldTest, EveryInterleavingOfTwoLoopsIsReached) {
  std::set<Trace> traces;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SimulatedWorld world(seed);
    const auto process = world.newProcess("p");
    Trace trace;
    for (const char* loop_name : {"a", "b"}) {
      EventLoop& loop = world.newEventLoop(process);
      loop.post([&trace, loop_name] { trace.push_back(std::string(loop_name) + "1"); });
      loop.post([&trace, loop_name] { trace.push_back(std::string(loop_name) + "2"); });
    }
    world.runUntilIdle();
    traces.insert(trace);
  }
  EXPECT_EQ(traces.size(), 6u);
}

TEST(SimulatedWorldTest, ALoopKeepsItsOrderAndAnExecutorHasNone) {
  bool executor_was_out_of_order = false;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Trace trace = runSmallCluster(seed);
    ASSERT_EQ(trace.size(), 16u);
    EXPECT_EQ(only('a', trace), (Trace{"a0", "a1", "a2", "a3"}));
    EXPECT_EQ(only('b', trace), (Trace{"b0", "b1", "b2", "b3"}));
    EXPECT_EQ(only('t', trace), (Trace{"t0", "t1", "t2", "t3"}));
    executor_was_out_of_order |= only('x', trace) != Trace{"x0", "x1", "x2", "x3"};
  }
  EXPECT_TRUE(executor_was_out_of_order);
}

class OneLoopWorldTest : public ::testing::Test {
 protected:
  std::function<void()> note(std::string name) {
    return [this, name = std::move(name)] {
      trace_.push_back(name + "@" + std::to_string(world_.nowMs() - SimulatedWorld::kStartWallMs));
    };
  }

  SimulatedWorld world_{1};
  const SimulatedWorld::ProcessId process_ = world_.newProcess("first");
  EventLoop& loop_ = world_.newEventLoop(process_);
  Trace trace_;
};

TEST_F(OneLoopWorldTest, TimePassesOnlyWhenNothingIsDue) {
  loop_.postAfter(30, note("late"));
  loop_.postAfter(10, note("early"));
  loop_.post(note("now"));
  const int64_t start_ns = world_.clock().monotonicNs();
  while (world_.step()) {
  }
  EXPECT_EQ(trace_, (Trace{"now@0", "early@10", "late@30"}));
  EXPECT_EQ(world_.clock().monotonicNs() - start_ns, 30'000'000);
  EXPECT_EQ(world_.numEvents(), 3u);
}

TEST_F(OneLoopWorldTest, ATimerRunsBeforeWhatWasPostedAfterItWasDue) {
  loop_.postAfter(10, note("timer"));
  world_.newEventLoop(process_).postAfter(9, [&] { loop_.postAfter(1, note("posted later")); });
  while (world_.step()) {
  }
  EXPECT_EQ(trace_, (Trace{"timer@10", "posted later@10"}));
}

TEST_F(OneLoopWorldTest, ACancelledTimerDoesNotRun) {
  const uint64_t timer = loop_.postAfter(10, note("cancelled"));
  loop_.postAfter(10, note("kept"));
  loop_.cancelTimer(timer);
  loop_.cancelTimer(timer);
  loop_.cancelTimer(12345);
  while (world_.step()) {
  }
  EXPECT_EQ(trace_, Trace{"kept@10"});
}

TEST_F(OneLoopWorldTest, KnowsInWhichLoopItRuns) {
  EventLoop& other = world_.newEventLoop(process_);
  Executor& executor = world_.newExecutor(process_);
  std::vector<bool> here;
  loop_.post([&] { here = {loop_.runsHere(), other.runsHere()}; });
  executor.execute([&] { here.push_back(loop_.runsHere()); });
  world_.runUntilIdle();
  EXPECT_EQ(here, (std::vector<bool>{true, false, false}));
  EXPECT_FALSE(loop_.runsHere());
}

TEST_F(OneLoopWorldTest, AKilledProcessRunsNothingAnyMore) {
  const auto second = world_.newProcess("second");
  EventLoop& second_loop = world_.newEventLoop(second);
  Executor& second_executor = world_.newExecutor(second);
  auto token = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = token;
  second_loop.post([token = std::move(token)] { FAIL(); });
  second_loop.postAfter(5, [] { FAIL(); });
  second_executor.execute([] { FAIL(); });
  loop_.post(note("first lives"));

  world_.kill(second);
  EXPECT_TRUE(alive.expired());
  EXPECT_FALSE(world_.isAlive(second));
  EXPECT_TRUE(world_.isAlive(process_));
  second_loop.post([] { FAIL(); });
  second_executor.execute([] { FAIL(); });
  world_.kill(second);
  while (world_.step()) {
  }
  EXPECT_EQ(trace_, Trace{"first lives@0"});
}

TEST_F(OneLoopWorldTest, AProcessMayKillItself) {
  loop_.post([&] {
    world_.kill(process_);
    loop_.post(note("never"));
    trace_.push_back("ran to its end");
  });
  loop_.post(note("never"));
  while (world_.step()) {
  }
  EXPECT_EQ(trace_, Trace{"ran to its end"});
}

TEST_F(OneLoopWorldTest, ADestroyedClosureMayCallTheWorld) {
  const auto second = world_.newProcess("second");
  struct CallsBack {
    std::function<void()> callback;
    ~CallsBack() { callback(); }
  };
  EventLoop& second_loop = world_.newEventLoop(second);
  auto caller = std::make_shared<CallsBack>();
  caller->callback = [&] {
    second_loop.post([] { FAIL(); });
    loop_.post(note("told"));
  };
  second_loop.post([caller = std::move(caller)] { FAIL(); });
  world_.kill(second);
  world_.runUntilIdle();
  EXPECT_EQ(trace_, Trace{"told@0"});
}

TEST_F(OneLoopWorldTest, RunUntilStopsAtThePredicate) {
  for (const int delay_ms : {1, 2, 3}) loop_.postAfter(delay_ms, note("t"));
  EXPECT_TRUE(world_.runUntil([&] { return trace_.size() == 2; }, 100));
  EXPECT_EQ(trace_, (Trace{"t@1", "t@2"}));
}

TEST_F(OneLoopWorldTest, RunUntilStopsAtTheTimeLimit) {
  loop_.postAfter(10, note("in time"));
  loop_.postAfter(11, note("too late"));
  EXPECT_FALSE(world_.runUntil([] { return false; }, 10));
  EXPECT_EQ(trace_, Trace{"in time@10"});
  EXPECT_EQ(world_.nowMs(), SimulatedWorld::kStartWallMs + 10);
  world_.runFor(1000);
  EXPECT_EQ(trace_.back(), "too late@11");
  EXPECT_EQ(world_.nowMs(), SimulatedWorld::kStartWallMs + 1010);
}

TEST_F(OneLoopWorldTest, RunUntilIdleLeavesTimers) {
  std::function<void()> heartbeat = [&] { loop_.postAfter(10, heartbeat); };
  heartbeat();
  loop_.postAfter(1'000, note("timer"));
  loop_.post([&] { world_.newExecutor(process_).execute([&] { loop_.post(note("work")); }); });
  world_.runUntilIdle();
  EXPECT_EQ(trace_.size(), 1u);
  EXPECT_EQ(trace_[0].substr(0, 5), "work@");
  EXPECT_LE(world_.nowMs(), SimulatedWorld::kStartWallMs + SimulatedWorld::kMaxExecutorDelayMs);
}

}  // namespace
}  // namespace wiesel
