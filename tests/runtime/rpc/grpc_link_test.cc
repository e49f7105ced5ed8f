#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <vector>

#include "runtime/rpc/grpc_client_link.h"
#include "runtime/rpc/grpc_link_server.h"
#include "runtime/rpc/grpc_link_stream.h"
#include "tests/runtime/helper_process.h"
#include "tests/runtime/rpc/link_cluster.h"

namespace wiesel::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Both ends of one TaskManager's connection, and what each of them heard.
class GrpcLinkTest : public ::testing::Test {
 protected:
  void connectBoth() {
    connectClient();
    auto accepted = cluster_.master.task_managers.pop();
    ASSERT_TRUE(accepted.has_value());
    server_end_ = *std::move(accepted);
    server_end_->start(
        [this](const proto::TaskManagerToMaster& message) { at_server_.push(message); },
        [this](const std::string& why) { server_closed_.push(why); });
  }

  void connectClient() {
    auto link = connectTaskManager(cluster_.address(), client_loop_);
    ASSERT_TRUE(link.ok()) << link.status();
    client_end_ = *std::move(link);
    client_end_->start(
        [this](const proto::MasterToTaskManager& message) { at_client_.push(message); },
        [this](const std::string& why) { client_closed_.push(why); });
  }

  ~GrpcLinkTest() override {
    runOn(client_loop_, [this] { client_end_.reset(); });
    runOn(cluster_.loop, [this] { server_end_.reset(); });
  }

  static void runOn(EventLoop& loop, const std::function<void()>& closure) {
    testing::AwaitedQueue<bool> done;
    loop.post([&] {
      closure();
      done.push(true);
    });
    ASSERT_TRUE(done.pop().has_value());
  }

  static proto::TaskManagerToMaster exitOf(const std::string& worker_id) {
    proto::TaskManagerToMaster message;
    message.mutable_worker_exited()->set_worker_id(worker_id);
    return message;
  }
  static proto::MasterToTaskManager stopOf(const std::string& worker_id) {
    proto::MasterToTaskManager message;
    message.mutable_stop_worker()->set_worker_id(worker_id);
    return message;
  }

  LinkServerFixture cluster_;
  ThreadEventLoop client_loop_{"client"};
  std::unique_ptr<TaskManagerToMasterLink> client_end_;
  std::unique_ptr<MasterToTaskManagerLink> server_end_;
  testing::AwaitedQueue<proto::TaskManagerToMaster> at_server_;
  testing::AwaitedQueue<proto::MasterToTaskManager> at_client_;
  testing::AwaitedQueue<std::string> server_closed_;
  testing::AwaitedQueue<std::string> client_closed_;
};

TEST_F(GrpcLinkTest, DeliversInOrderBothWays) {
  connectBoth();
  // More than may wait undelivered, so that reading stops and goes on.
  const int count = 3 * kMaxUndeliveredMessages;
  for (int i = 0; i < count; ++i) {
    client_end_->send(exitOf(std::to_string(i)));
    server_end_->send(stopOf(std::to_string(i)));
  }
  for (int i = 0; i < count; ++i) {
    const auto up = at_server_.pop();
    const auto down = at_client_.pop();
    ASSERT_TRUE(up.has_value() && down.has_value()) << "message " << i;
    ASSERT_EQ(up->worker_exited().worker_id(), std::to_string(i));
    ASSERT_EQ(down->stop_worker().worker_id(), std::to_string(i));
  }
}

TEST_F(GrpcLinkTest, SendsWhatWasGivenBeforeTheStart) {
  auto link = connectTaskManager(cluster_.address(), client_loop_);
  ASSERT_TRUE(link.ok());
  client_end_ = *std::move(link);
  client_end_->send(exitOf("early"));
  client_end_->start([](const proto::MasterToTaskManager&) {}, [](const std::string&) {});
  auto accepted = cluster_.master.task_managers.pop();
  ASSERT_TRUE(accepted.has_value());
  server_end_ = *std::move(accepted);
  server_end_->start(
      [this](const proto::TaskManagerToMaster& message) { at_server_.push(message); },
      [](const std::string&) {});
  const auto message = at_server_.pop();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->worker_exited().worker_id(), "early");
}

TEST_F(GrpcLinkTest, DeliversWhatWasSentBeforeTheClientCloses) {
  connectBoth();
  for (int i = 0; i < 100; ++i) client_end_->send(exitOf(std::to_string(i)));
  client_end_->close();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(at_server_.pop().has_value()) << "message " << i;
  EXPECT_THAT(server_closed_.pop().value_or(""), HasSubstr("closed the connection"));
}

TEST_F(GrpcLinkTest, DeliversWhatWasSentBeforeTheServerCloses) {
  connectBoth();
  for (int i = 0; i < 100; ++i) server_end_->send(stopOf(std::to_string(i)));
  server_end_->close();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(at_client_.pop().has_value()) << "message " << i;
  EXPECT_THAT(client_closed_.pop().value_or(""), HasSubstr("closed the connection"));
}

TEST_F(GrpcLinkTest, TellsTheClientWhenTheServerShutsDown) {
  connectBoth();
  cluster_.server->shutdown();
  EXPECT_TRUE(client_closed_.pop().has_value());
  EXPECT_TRUE(server_closed_.pop().has_value());
}

TEST_F(GrpcLinkTest, TellsTheServerAboutAnEndBeforeItsStart) {
  connectClient();
  auto accepted = cluster_.master.task_managers.pop();
  ASSERT_TRUE(accepted.has_value());
  server_end_ = *std::move(accepted);
  runOn(client_loop_, [this] { client_end_.reset(); });
  server_end_->start([](const proto::TaskManagerToMaster&) {},
                     [this](const std::string& why) { server_closed_.push(why); });
  EXPECT_TRUE(server_closed_.pop().has_value());
}

TEST_F(GrpcLinkTest, SaysThatNobodyListens) {
  const std::string address = cluster_.address();
  cluster_.server->shutdown();
  connectClient();
  EXPECT_THAT(client_closed_.pop().value_or(""),
              AllOf(HasSubstr("cannot reach the JobManager at " + address),
                    HasSubstr("Connection refused")));
}

TEST_F(GrpcLinkTest, RefusesAnAddressThatIsNone) {
  EXPECT_EQ(connectTaskManager("localhost", client_loop_).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(connectTaskManager("localhost:http", client_loop_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(GrpcLinkTest, NoticesAtOnceThatAPeerWasKilled) {
  HelperProcess worker({"connect-worker", cluster_.address()});
  auto accepted = cluster_.master.workers.pop();
  ASSERT_TRUE(accepted.has_value());
  testing::AwaitedQueue<std::string> registered;
  (*accepted)->start(
      [&](const proto::WorkerToMaster& message) {
        registered.push(message.register_().worker_id());
      },
      [this](const std::string& why) { server_closed_.push(why); });
  ASSERT_EQ(registered.pop().value_or(""), "helper");

  worker.kill(SIGKILL);
  // No heartbeat is sent here: only the end of the connection can tell.
  EXPECT_THAT(server_closed_.pop(std::chrono::seconds(10)).value_or(""), HasSubstr("was lost"));
  runOn(cluster_.loop, [&] { accepted->reset(); });
}

TEST(GrpcServerTest, NamesPortAndSettingWhenThePortIsInUse) {
  LinkServerFixture cluster;
  const auto second = GrpcServer::start(
      {.port = cluster.server->port(), .port_setting = "jobmanager.rpc.port"}, {});
  ASSERT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(second.status().message()),
              AllOf(HasSubstr("port " + std::to_string(cluster.server->port()) + " is in use"),
                    HasSubstr("'jobmanager.rpc.port'")));
}

}  // namespace
}  // namespace wiesel::runtime
