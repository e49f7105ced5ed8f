#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/log.h"
#include "common/random.h"
#include "runtime/network/data_client.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/data_frame.h"
#include "runtime/network/data_server.h"
#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Runs closures when the test says so.
class ManualExecutor final : public Executor {
 public:
  void execute(std::function<void()> closure) override { closures_.push_back(std::move(closure)); }
  void runAll() {
    while (!closures_.empty()) {
      const std::function<void()> closure = std::move(closures_.front());
      closures_.pop_front();
      closure();
    }
  }

 private:
  std::deque<std::function<void()>> closures_;
};

/// A connection whose other end is the test.
class FakeConnection final : public DataConnection {
 public:
  DataOutput newMessage() override { return DataOutput(); }
  void write(DataOutput message) override {
    EXPECT_FALSE(writing_) << "a second write before the first was written";
    EXPECT_FALSE(closed_with_.has_value()) << "a write after closing";
    writing_ = true;
    written_ += message.view();
  }
  void close(const std::string& why) override {
    if (!closed_with_.has_value()) closed_with_ = why;
  }
  std::string peer() const override { return "the test"; }

  /// Frames written so far, as text.
  std::vector<std::string> frames() const {
    std::vector<std::string> texts;
    FrameReader reader(written_);
    while (const auto frame = reader.next()) texts.push_back(text(*frame));
    return texts;
  }

  void finishWrite(DataConnectionHandler& handler) {
    if (!std::exchange(writing_, false)) return;
    handler.onWritten();
  }
  void forgetFrames() { written_.clear(); }

  std::optional<std::string> closed_with_;

 private:
  static std::string text(const DataFrame& frame) {
    if (std::holds_alternative<HelloFrame>(frame)) return "hello";
    if (const auto* subscribe = std::get_if<SubscribeFrame>(&frame)) {
      return "subscribe " + std::to_string(subscribe->channel);
    }
    if (const auto* credit = std::get_if<CreditFrame>(&frame)) {
      return "credit " + std::to_string(credit->channel) + "+" + std::to_string(credit->credit);
    }
    if (const auto* cancel = std::get_if<CancelFrame>(&frame)) {
      return "cancel " + std::to_string(cancel->channel);
    }
    if (const auto* batch = std::get_if<BatchFrame>(&frame)) {
      return "batch " + std::to_string(batch->channel);
    }
    if (const auto* control = std::get_if<ControlFrame>(&frame)) {
      return "control " + std::to_string(control->channel);
    }
    const auto& lost = std::get<LostFrame>(frame);
    return "lost " + std::to_string(lost.channel) + ": " + lost.reason;
  }

  bool writing_ = false;
  std::string written_;
};

/// Keeps the log quiet about what a test does on purpose, thousands of times.
class QuietLog {
 public:
  QuietLog() { setMinLogSeverity(LogSeverity::kERROR); }
  ~QuietLog() { setMinLogSeverity(LogSeverity::kINFO); }
};

/// Damages a message in one of several ways.
std::string damaged(std::string message, RandomSource& random) {
  const size_t changes = 1 + random.below(4);
  for (size_t i = 0; i < changes; ++i) {
    switch (random.below(5)) {
      case 0:
        if (!message.empty()) message.resize(random.below(message.size()));
        break;
      case 1:
        message += static_cast<char>(random.next());
        break;
      case 2:
        message.insert(random.below(message.size() + 1), std::string(random.below(9), '\xff'));
        break;
      case 3: {
        std::string noise(random.below(64), ' ');
        for (char& byte : noise) byte = static_cast<char>(random.next());
        message = std::move(noise);
        break;
      }
      default:
        if (message.empty()) break;
        message[random.below(message.size())] ^= static_cast<char>(1 << random.below(8));
    }
  }
  return message;
}

// ---- The producers' side ----

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
  EXPECT_FALSE(connection_.closed_with_.has_value());
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
  ASSERT_TRUE(connection_.closed_with_.has_value());
  EXPECT_THAT(*connection_.closed_with_, HasSubstr(GetParam().complaint));
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
                                writeFrame(HelloFrame{2, "job"}, message);
                              },
                              "version 2"},
                      Offence{"OtherScope",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{1, "other"}, message);
                              },
                              "belongs to 'other'"},
                      Offence{"SecondHello",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{1, "job"}, message);
                                writeFrame(HelloFrame{1, "job"}, message);
                              },
                              "second hello"},
                      Offence{"NumberUsedTwice",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{1, "job"}, message);
                                writeFrame(SubscribeFrame{3, 1, {"v", 0, 1, 0, 0}}, message);
                                writeFrame(SubscribeFrame{3, 1, {"v", 0, 2, 0, 0}}, message);
                              },
                              "used before"},
                      Offence{"TooMuchCredit",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{1, "job"}, message);
                                writeFrame(SubscribeFrame{0, 8, {"v", 0, 2, 0, 0}}, message);
                                writeFrame(CreditFrame{0, 1}, message);
                              },
                              "too many"},
                      Offence{"CreditForNothing",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{1, "job"}, message);
                                writeFrame(CreditFrame{0, 1}, message);
                              },
                              "does not exist"},
                      Offence{"FrameOfAProducer",
                              [](DataOutput& message) {
                                writeFrame(HelloFrame{1, "job"}, message);
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

// ---- The consumers' side ----

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
  ASSERT_TRUE(connector_.connection_->closed_with_.has_value());
  EXPECT_THAT(*connector_.connection_->closed_with_, HasSubstr(GetParam().complaint));
  connector_.handler_->onMessage(message.view());
  connector_.handler_->onClosed(*connector_.connection_->closed_with_);
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
                                      writeFrame(HelloFrame{2, "job"}, message);
                                    },
                                    "version 2"},
                      ClientOffence{"OtherScope",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{1, "other"}, message);
                                    },
                                    "'other'"},
                      ClientOffence{"MoreBatchesThanCredit",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{1, "job"}, message);
                                      for (int i = 0; i < 9; ++i) {
                                        EXPECT_TRUE(
                                            writeBatchFrame(0, *batchOf({1}), message).ok());
                                      }
                                    },
                                    "without credit"},
                      ClientOffence{"UnknownChannel",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{1, "job"}, message);
                                      writeFrame(LostFrame{1, ""}, message);
                                    },
                                    "does not exist"},
                      ClientOffence{"FrameOfAConsumer",
                                    [](DataOutput& message) {
                                      writeFrame(HelloFrame{1, "job"}, message);
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
