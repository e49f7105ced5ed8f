#include "runtime/network/data_client.h"

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
using ::testing::IsEmpty;

class FakeConnector final : public DataConnector {
 public:
  void connect(const std::string&, std::shared_ptr<DataConnectionHandler> handler) override {
    handler_ = std::move(handler);
    connection_ = std::make_unique<FakeConnection>();
    handler_->onOpened(*connection_);
  }

  std::shared_ptr<DataConnectionHandler> handler_;
  std::unique_ptr<FakeConnection> connection_;
};

class DataClientTest : public ::testing::Test {
 protected:
  ~DataClientTest() override { client_.shutDown(); }

  std::shared_ptr<ChannelQueue> subscribe(int subtask, LostReport& lost) {
    auto queue = std::make_shared<ChannelQueue>();
    client_.subscribe({"v", 0, subtask, 0, 0}, "producer:1", queue,
                      TypedBatchType<int64_t>::instance(), lost.callback());
    return queue;
  }

  template <class Frame>
  void receive(const Frame& frame) {
    DataOutput message;
    writeFrame(frame, message);
    connector_.handler_->onMessage(message.view());
  }
  void receiveBatch(int32_t channel) {
    DataOutput message;
    EXPECT_TRUE(writeBatchFrame(channel, *batchOf({1}), message).ok());
    connector_.handler_->onMessage(message.view());
  }
  void greet() { receive(HelloFrame{kDataPlaneVersion, "job"}); }

  std::vector<std::string> newFrames() {
    executor_.runAll();
    connector_.connection_->finishWrite(*connector_.handler_);
    std::vector<std::string> frames = connector_.connection_->frames();
    connector_.connection_->forgetFrames();
    return frames;
  }

  ManualExecutor executor_;
  FakeConnector connector_;
  DataClient client_{{.scope = "job"}, connector_, executor_};
};

TEST_F(DataClientTest, GivesCreditAsTheQueueEmpties) {
  LostReport lost;
  const auto queue = subscribe(0, lost);
  greet();
  EXPECT_EQ(newFrames(), (std::vector<std::string>{"hello", "subscribe 0"}));
  for (int i = 0; i < 8; ++i) receiveBatch(0);
  EXPECT_THAT(newFrames(), IsEmpty());
  for (int i = 0; i < 3; ++i) queue->pop();
  EXPECT_THAT(newFrames(), IsEmpty());
  queue->pop();
  EXPECT_EQ(newFrames(), (std::vector<std::string>{"credit 0+4"}));
  for (int i = 0; i < 4; ++i) queue->pop();
  receiveBatch(0);
  EXPECT_EQ(newFrames(), (std::vector<std::string>{"credit 0+4"}));
}

struct ClientOffence {
  std::string name;
  std::function<void(DataOutput&)> write;
  std::string complaint;
};

class DataClientOffenceTest : public DataClientTest,
                              public ::testing::WithParamInterface<ClientOffence> {};

TEST_P(DataClientOffenceTest, ClosesTheConnection) {
  LostReport lost;
  const auto queue = subscribe(0, lost);
  DataOutput message;
  GetParam().write(message);
  connector_.handler_->onMessage(message.view());
  ASSERT_TRUE(connector_.connection_->closedWith().has_value());
  EXPECT_THAT(*connector_.connection_->closedWith(), HasSubstr(GetParam().complaint));
  connector_.handler_->onMessage(message.view());
  connector_.handler_->onClosed(*connector_.connection_->closedWith());
  EXPECT_EQ(lost.count(), 1);
  EXPECT_LE(queue->queuedBatches(), ChannelQueue::kMaxQueuedBatches);
}

INSTANTIATE_TEST_SUITE_P(
    All, DataClientOffenceTest,
    ::testing::Values(ClientOffence{"NoHello",
                                    [](DataOutput& message) {
                                      writeFrame(LostFrame{0, ""}, message);
                                    },
                                    "no hello"},
                      ClientOffence{"OtherVersion",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{kDataPlaneVersion + 1, "job"}, message);
                                    },
                                    "version " + std::to_string(kDataPlaneVersion + 1)},
                      ClientOffence{"OtherScope",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{kDataPlaneVersion, "other"}, message);
                                    },
                                    "'other'"},
                      ClientOffence{"MoreBatchesThanCredit",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                      for (int i = 0; i < 9; ++i) {
                                        EXPECT_TRUE(
                                            writeBatchFrame(0, *batchOf({1}), message).ok());
                                      }
                                    },
                                    "without credit"},
                      ClientOffence{"UnknownChannel",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                      writeFrame(LostFrame{1, ""}, message);
                                    },
                                    "does not exist"},
                      ClientOffence{"FrameOfAConsumer",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
                                      writeFrame(CancelFrame{0}, message);
                                    },
                                    "only consumers send"}),
    [](const auto& info) { return info.param.name; });

TEST_F(DataClientTest, SurvivesGarbage) {
  const QuietLog quiet;
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  SeededRandom random(seed);
  SCOPED_TRACE("--gtest_random_seed=" + std::to_string(seed));
  for (int round = 0; round < 3000; ++round) {
    LostReport lost;
    const auto queue = subscribe(round, lost);
    DataOutput message;
    writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(writeBatchFrame(0, *batchOf({1, 2, 3}), message).ok());
      writeFrame(ControlFrame{0, StreamElement::Kind::kWatermark, 1, 0}, message);
    }
    connector_.handler_->onMessage(damaged(message.take(), random));
    newFrames();
    EXPECT_LE(queue->queuedBatches(), ChannelQueue::kMaxQueuedBatches);
    connector_.handler_->onClosed("the end");
    EXPECT_LE(lost.count(), 1);  // None if the garbage said that the partition had ended.
  }
}

}  // namespace

}  // namespace wiesel::runtime
