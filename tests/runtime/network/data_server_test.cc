#include "runtime/network/data_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "runtime/network/data_frame.h"
#include "tests/runtime/network/fake_connection.h"
#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

namespace {

using ::testing::HasSubstr;

class DataServerTest : public ::testing::Test {
 protected:
  DataServerTest() { session_->onOpened(connection_); }
  ~DataServerTest() override { server_.shutDown(); }

  ChannelAddress address(int subtask) const { return {"v", 0, subtask, 0, 0}; }

  template <class Frame>
  void receive(const Frame& frame) {
    DataOutput message;
    writeFrame(frame, message);
    session_->onMessage(message.view());
    settle();
  }
  void greet() { receive(HelloFrame{kDataPlaneVersion, "job"}); }

  void settle() {
    for (int i = 0; i < 10; ++i) {
      executor_.runAll();
      connection_.finishWrite(*session_);
    }
  }

  std::shared_ptr<ChannelQueue> publish(int subtask) {
    auto queue = std::make_shared<ChannelQueue>();
    server_.publish(address(subtask), queue);
    return queue;
  }

  ManualExecutor executor_;
  DataServer server_{{.scope = "job"}, executor_};
  FakeConnection connection_;
  std::shared_ptr<DataConnectionHandler> session_ = server_.accept();
};

TEST_F(DataServerTest, SendsABatchForEachCredit) {
  greet();
  const auto queue = publish(0);
  for (int i = 0; i < 5; ++i) queue->push(StreamElement::ofBatch(batchOf({i})));
  receive(SubscribeFrame{0, 2, address(0)});
  EXPECT_EQ(connection_.frames(), (std::vector<std::string>{"hello", "batch 0", "batch 0"}));
  connection_.forgetFrames();
  receive(CreditFrame{0, 1});
  EXPECT_EQ(connection_.frames(), (std::vector<std::string>{"batch 0"}));
  connection_.forgetFrames();
  receive(CreditFrame{0, 7});
  EXPECT_EQ(connection_.frames(), (std::vector<std::string>{"batch 0", "batch 0"}));
}

TEST_F(DataServerTest, SharesAMessageAmongSmallElementsOfAllChannels) {
  greet();
  connection_.forgetFrames();
  for (int channel = 0; channel < 3; ++channel) {
    const auto queue = publish(channel);
    queue->push(StreamElement::ofBatch(batchOf({1})));
    queue->push(StreamElement::watermark(1));
    DataOutput message;
    writeFrame(SubscribeFrame{channel, 8, address(channel)}, message);
    session_->onMessage(message.view());
  }
  executor_.runAll();
  // One message, as nothing was said to have been written since.
  EXPECT_EQ(connection_.frames(), (std::vector<std::string>{"batch 0", "control 0", "batch 1",
                                                            "control 1", "batch 2", "control 2"}));
}

TEST_F(DataServerTest, ACancelledChannelIsNotSent) {
  greet();
  const auto queue = publish(0);
  receive(SubscribeFrame{0, 8, address(0)});
  receive(SubscribeFrame{1, 8, address(1)});
  receive(CancelFrame{0});
  receive(CancelFrame{1});
  queue->push(StreamElement::watermark(1));
  publish(1)->push(StreamElement::watermark(1));
  receive(CreditFrame{0, 1});  // Was on its way.
  EXPECT_EQ(connection_.frames(), (std::vector<std::string>{"hello"}));
  EXPECT_FALSE(connection_.closedWith().has_value());
}

TEST_F(DataServerTest, AWaitingSubscriptionGoesWithItsConnection) {
  greet();
  receive(SubscribeFrame{0, 8, address(0)});
  session_->onClosed("gone");

  FakeConnection second_connection;
  session_ = server_.accept();
  session_->onOpened(second_connection);
  greet();
  receive(SubscribeFrame{0, 8, address(0)});
  publish(0)->push(StreamElement::watermark(1));
  executor_.runAll();
  second_connection.finishWrite(*session_);
  executor_.runAll();
  EXPECT_EQ(second_connection.frames(), (std::vector<std::string>{"hello", "control 0"}));
  session_->onClosed("the end");
}

struct Offence {
  std::string name;
  std::function<void(DataOutput&)> write;
  std::string complaint;
};

class DataServerOffenceTest : public DataServerTest,
                              public ::testing::WithParamInterface<Offence> {};

TEST_P(DataServerOffenceTest, ClosesTheConnection) {
  publish(1);
  DataOutput message;
  GetParam().write(message);
  session_->onMessage(message.view());
  settle();
  ASSERT_TRUE(connection_.closedWith().has_value());
  EXPECT_THAT(*connection_.closedWith(), HasSubstr(GetParam().complaint));
  session_->onMessage(message.view());  // May have been on its way.
  session_->onClosed("closed");
}

INSTANTIATE_TEST_SUITE_P(
    All, DataServerOffenceTest,
    ::testing::Values(Offence{"NoHello",
                              [](DataOutput& message) { writeFrame(CancelFrame{0}, message); },
                              "no hello"},
                      Offence{"OtherVersion",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion + 1, "job"}, message);
                              },
                              "version " + std::to_string(kDataPlaneVersion + 1)},
                      Offence{"OtherScope",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion, "other"}, message);
                              },
                              "belongs to 'other'"},
                      Offence{"SecondHello",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                              },
                              "second hello"},
                      Offence{"NumberUsedTwice",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                writeFrame(SubscribeFrame{3, 1, {"v", 0, 1, 0, 0}}, message);
                                writeFrame(SubscribeFrame{3, 1, {"v", 0, 2, 0, 0}}, message);
                              },
                              "used before"},
                      Offence{"TooMuchCredit",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                writeFrame(SubscribeFrame{0, 8, {"v", 0, 2, 0, 0}}, message);
                                writeFrame(CreditFrame{0, 1}, message);
                              },
                              "too many"},
                      Offence{"CreditForNothing",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                writeFrame(CreditFrame{0, 1}, message);
                              },
                              "does not exist"},
                      Offence{"FrameOfAProducer",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                writeFrame(LostFrame{0, ""}, message);
                              },
                              "only producers send"}),
    [](const auto& info) { return info.param.name; });

TEST_F(DataServerTest, SurvivesGarbage) {
  const QuietLog quiet;
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  SeededRandom random(seed);
  SCOPED_TRACE("--gtest_random_seed=" + std::to_string(seed));
  publish(0);
  for (int round = 0; round < 3000; ++round) {
    FakeConnection connection;
    const auto session = server_.accept();
    session->onOpened(connection);
    DataOutput message;
    writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
    for (int i = 0; i < 4; ++i) {
      writeFrame(SubscribeFrame{i, 4, address(1000 + round * 8 + i)}, message);
      writeFrame(CreditFrame{i, 1}, message);
      writeFrame(CancelFrame{i - 1 < 0 ? 0 : i - 1}, message);
    }
    session->onMessage(damaged(message.take(), random));
    executor_.runAll();
    connection.finishWrite(*session);
    session->onClosed("the end");
  }
  // And still serves.
  greet();
  publish(1)->push(StreamElement::watermark(1));
  receive(SubscribeFrame{0, 8, address(1)});
  EXPECT_EQ(connection_.frames(), (std::vector<std::string>{"hello", "control 0"}));
}

}  // namespace

}  // namespace wiesel::runtime
