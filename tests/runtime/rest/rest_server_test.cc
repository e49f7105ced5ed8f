#include "runtime/rest/rest_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/awaited_queue.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using wiesel::testing::StatusIs;

/// A client that sends any bytes.
class RawClient {
 public:
  explicit RawClient(uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(fd_); }

  void send(const std::string& bytes) {
    EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  /// Reads until `text` has come, or the end.
  std::string readUntil(const std::string& text) {
    std::string bytes;
    char c = 0;
    while (bytes.find(text) == std::string::npos && ::recv(fd_, &c, 1, 0) == 1) bytes += c;
    return bytes;
  }
  std::string readAll() { return readUntil(std::string("\0never\0", 7)); }

 private:
  const int fd_;
};

class RestServerTest : public ::testing::Test {
 protected:
  void start() {
    auto started = RestServer::start({}, [this](const RestRequest& request, RestRespond respond) {
      requests_.push(request);
      if (hold_) {
        held_.push(std::move(respond));
      } else {
        respond({.status = 200, .body = "{\"path\":\"" + request.path + "\"}"});
      }
    });
    ASSERT_OK(started);
    server_ = *std::move(started);
  }

  bool hold_ = false;
  testing::AwaitedQueue<RestRequest> requests_;
  testing::AwaitedQueue<RestRespond> held_;
  std::unique_ptr<RestServer> server_;
};

TEST_F(RestServerTest, AnswersJsonForBrowsersOfAnyOrigin) {
  start();
  RawClient client(server_->port());
  client.send("GET /v1/overview?a=b%20c&d HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.readUntil("}"),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"),
                    HasSubstr("Content-Type: application/json; charset=UTF-8\r\n"),
                    HasSubstr("Access-Control-Allow-Origin: *\r\n"),
                    HasSubstr("{\"path\":\"/overview\"}")));
  const auto request = requests_.pop();
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->queryValue("a"), "b c");
  EXPECT_EQ(request->queryValue("d"), "");
  EXPECT_EQ(request->queryValue("e"), std::nullopt);
}

// Flink's Java client sends "{}" with every GET.
TEST_F(RestServerTest, IgnoresTheBodyOfAGetAndKeepsTheConnection) {
  start();
  RawClient client(server_->port());
  for (const std::string path : {"/jobs", "/config", "/jobs/overview"}) {
    client.send("GET " + path +
                " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json; charset=UTF-8\r\n"
                "Content-Length: 2\r\n\r\n{}");
    EXPECT_THAT(client.readUntil("}"), HasSubstr("{\"path\":\"" + path + "\"}"));
    EXPECT_EQ(requests_.pop()->body, "");
  }
}

TEST_F(RestServerTest, AnswersHeadWithTheHeaderOfAGet) {
  start();
  RawClient client(server_->port());
  client.send(
      "HEAD /jobs HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string answers = client.readAll();
  const size_t end = answers.find("\r\n\r\n");
  ASSERT_NE(end, std::string::npos);
  EXPECT_THAT(answers.substr(0, end), AllOf(StartsWith("HTTP/1.1 200 OK\r\n"),
                                            HasSubstr("Content-Length: 16")));  // {"path":"/jobs"}
  EXPECT_THAT(answers.substr(end + 4), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(requests_.pop()->method, "GET");
}

TEST_F(RestServerTest, UnderstandsATargetWithSchemeAndHost) {
  start();
  for (const std::string target : {"http://x:8081/v1/jobs?a=b", "HTTP://x/jobs?a=b"}) {
    RawClient client(server_->port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(client.readUntil("}"), HasSubstr("{\"path\":\"/jobs\"}")) << target;
    EXPECT_EQ(requests_.pop()->queryValue("a"), "b") << target;
  }
  EXPECT_EQ(parseTarget("GET", "http://x:8081").path, "/");
  EXPECT_EQ(parseTarget("GET", "http://x?a=b").query.at("a"), "b");
}

TEST_F(RestServerTest, AnswersRequestsThatCameTogether) {
  start();
  RawClient client(server_->port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.readUntil("}"), HasSubstr("\"/a\""));
  EXPECT_THAT(client.readUntil("}"), HasSubstr("\"/b\""));
}

TEST_F(RestServerTest, ClosesTheConnectionWhenAsked) {
  start();
  RawClient client(server_->port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.readAll(), HasSubstr("\"/a\""));
}

TEST_F(RestServerTest, GivesHandlersTheBodyOfAPatch) {
  start();
  RawClient client(server_->port());
  client.send("PATCH /jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  client.readUntil("}");
  EXPECT_EQ(requests_.pop()->body, "hello");
}

TEST_F(RestServerTest, RefusesWhatIsTooLong) {
  start();
  {
    RawClient client(server_->port());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n");
    EXPECT_THAT(client.readAll(), AllOf(StartsWith("HTTP/1.1 413"), HasSubstr("{\"errors\":[")));
  }
  {
    RawClient client(server_->port());
    client.send("GET /" + std::string(RestServer::kMaxHeaderBytes + 1000, 'a'));
    EXPECT_THAT(client.readAll(), StartsWith("HTTP/1.1 431"));
  }
}

TEST_F(RestServerTest, RefusesWhatIsNoHttp) {
  start();
  RawClient client(server_->port());
  client.send("hello there\r\n\r\n");
  EXPECT_THAT(client.readAll(), AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("{\"errors\":[")));
}

TEST_F(RestServerTest, ServesWhileOthersAreSilent) {
  start();
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(std::make_unique<RawClient>(server_->port()));
    silent.back()->send("GET /slow HTTP/1.1\r\n");
  }
  RawClient client(server_->port());
  client.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.readUntil("}"), HasSubstr("\"/quick\""));
}

TEST_F(RestServerTest, DropsAnswersThatComeAfterTheEnd) {
  hold_ = true;
  start();
  RawClient client(server_->port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto respond = held_.pop();
  ASSERT_TRUE(respond.has_value());
  server_.reset();
  (*respond)({.status = 200, .body = "{}"});
  EXPECT_EQ(client.readAll(), "");
}

TEST_F(RestServerTest, NamesPortAndSettingWhenThePortIsInUse) {
  start();
  const RestServerSettings same{.ports = {server_->port()}};
  EXPECT_THAT(RestServer::start(same, nullptr),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("port " + std::to_string(server_->port()) + " is in use"),
                             HasSubstr("'rest.port'"))));
}

TEST_F(RestServerTest, TriesThePortsOfARange) {
  start();
  const RestServerSettings range{.ports = {server_->port(), 0}};
  ASSERT_OK_AND_ASSIGN(const auto second, RestServer::start(range, nullptr));
  EXPECT_NE(second->port(), server_->port());
}

}  // namespace
}  // namespace wiesel::runtime
