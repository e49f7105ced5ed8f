#include "runtime/rpc/in_memory_link.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "common/simulation/simulated_world.h"

namespace wiesel::runtime {
namespace {

class InMemoryLinkTest : public ::testing::Test {
 protected:
  InMemoryLinkTest() { connect({}); }

  void connect(const LinkDelay& delay) {
    pair_ = makeInMemoryLink<int, std::string>(world_.newEventLoop(left_),
                                               world_.newEventLoop(right_), delay);
  }
  void startLeft() {
    pair_.first->start([this](const std::string& message) { at_left_.push_back(message); },
                       [this](const std::string& why) { at_left_.push_back("closed: " + why); });
  }
  void startRight() {
    pair_.second->start([this](int message) { at_right_.push_back(std::to_string(message)); },
                        [this](const std::string& why) { at_right_.push_back("closed: " + why); });
  }

  SimulatedWorld world_{7};
  const SimulatedWorld::ProcessId left_ = world_.newProcess("left");
  const SimulatedWorld::ProcessId right_ = world_.newProcess("right");
  InMemoryLinkPair<int, std::string> pair_;
  std::vector<std::string> at_left_;
  std::vector<std::string> at_right_;
};

using Messages = std::vector<std::string>;

TEST_F(InMemoryLinkTest, DeliversBothWaysInOrder) {
  startLeft();
  startRight();
  pair_.first->send(1);
  pair_.second->send("a");
  pair_.first->send(2);
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, (Messages{"1", "2"}));
  EXPECT_EQ(at_left_, Messages{"a"});
}

TEST_F(InMemoryLinkTest, KeepsMessagesUntilTheReceiverStarts) {
  pair_.first->send(1);
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, Messages{});
  startRight();
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, Messages{"1"});
}

TEST_F(InMemoryLinkTest, RandomDelaysDoNotChangeTheOrder) {
  connect([this] { return static_cast<int64_t>(world_.random().below(50)); });
  startRight();
  Messages expected;
  for (int message = 0; message < 100; ++message) {
    pair_.first->send(message);
    expected.push_back(std::to_string(message));
  }
  world_.runFor(50);
  EXPECT_EQ(at_right_, expected);
}

TEST_F(InMemoryLinkTest, CloseDeliversWhatWasSentAndTellsOnlyTheOtherEnd) {
  startLeft();
  startRight();
  pair_.first->send(1);
  pair_.first->close();
  pair_.first->send(2);
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, (Messages{"1", "closed: the other end closed the connection"}));
  EXPECT_EQ(at_left_, Messages{});
}

TEST_F(InMemoryLinkTest, NothingArrivesAfterOnesOwnClose) {
  startLeft();
  pair_.second->send("a");
  pair_.first->close();
  pair_.second->send("b");
  world_.runUntilIdle();
  EXPECT_EQ(at_left_, Messages{});
}

TEST_F(InMemoryLinkTest, DestroyingAnEndClosesIt) {
  startRight();
  pair_.first->send(1);
  pair_.first.reset();
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, (Messages{"1", "closed: the other end closed the connection"}));
}

TEST_F(InMemoryLinkTest, ABrokenWireLosesWhatIsOnItsWayAndTellsBothEndsOnce) {
  startLeft();
  startRight();
  pair_.first->send(1);
  pair_.breakLink("cut");
  pair_.breakLink("cut again");
  pair_.first->send(2);
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, Messages{"closed: cut"});
  EXPECT_EQ(at_left_, Messages{"closed: cut"});
}

TEST_F(InMemoryLinkTest, AnEndMayBeDestroyedByItsOwnCallback) {
  pair_.second->start([this](int) { pair_.second.reset(); }, [](const std::string&) {});
  startLeft();
  pair_.first->send(1);
  pair_.first->send(2);
  world_.runUntilIdle();
  EXPECT_EQ(pair_.second, nullptr);
  EXPECT_EQ(at_left_, Messages{"closed: the other end closed the connection"});
}

TEST_F(InMemoryLinkTest, AKilledProcessHearsNothing) {
  startLeft();
  startRight();
  pair_.first->send(1);
  world_.kill(right_);
  pair_.breakLink("killed");
  world_.runUntilIdle();
  EXPECT_EQ(at_right_, Messages{});
  EXPECT_EQ(at_left_, Messages{"closed: killed"});
}

}  // namespace
}  // namespace wiesel::runtime
