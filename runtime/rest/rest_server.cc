#include "runtime/rest/rest_server.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/mutex.h"
#include "common/status_macros.h"

namespace wiesel::runtime {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

constexpr std::chrono::seconds kIdleTimeout{300};  // For the next request to come.
constexpr std::chrono::seconds kWriteTimeout{30};
constexpr std::chrono::seconds kLinger{1};
constexpr size_t kMaxLingerBytes = 4 * RestServer::kMaxBodyBytes;
constexpr std::chrono::milliseconds kAcceptRetry{50};  // When no descriptor is left.
constexpr unsigned kHttp11 = 11;
constexpr char kJson[] = "application/json; charset=UTF-8";

std::string_view viewOf(beast::string_view text) { return {text.data(), text.size()}; }

/// One connection: reads a request, hands it on, writes the answer, again. The operation under way
/// keeps it alive; while a request is handled, the server does.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Handle = std::function<void(std::shared_ptr<Session>, RestRequest)>;

  Session(tcp::socket socket, const Handle& handle, const std::string& allow_origin,
          std::shared_ptr<int> connection_token)
      : stream_(std::move(socket)),
        handle_(handle),
        allow_origin_(allow_origin),
        connection_token_(std::move(connection_token)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(RestServer::kMaxHeaderBytes);
    parser_->body_limit(RestServer::kMaxBodyBytes);
    stream_.expires_after(kIdleTimeout);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, size_t) { self->onRead(error); });
  }

  void answer(RestResponse response) {
    write(std::move(response), parser_->get().keep_alive(), parser_->get().version());
  }

 private:
  void onRead(beast::error_code error) {
    if (error == http::error::body_limit) return refuse(413, "Request body is too large.");
    if (error == http::error::header_limit) return refuse(431, "Request header is too large.");
    if (error == http::error::end_of_stream || error == http::error::partial_message) {
      return close();
    }
    if (error.category() == http::make_error_code(http::error::bad_method).category()) {
      return refuse(400, "Bad request: " + error.message() + ".");
    }
    if (error) return close();
    stream_.expires_never();
    const auto& message = parser_->get();
    // What HEAD asks for is the header of the answer to GET.
    const bool is_head = message.method() == http::verb::head;
    RestRequest request =
        parseTarget(is_head ? "GET" : viewOf(message.method_string()), viewOf(message.target()));
    if (request.method != "GET") request.body = message.body();
    handle_(shared_from_this(), std::move(request));
  }

  void refuse(int status, const std::string& why) {
    write(errorResponse(status, {why}), /*keep_alive=*/false, kHttp11);
  }

  void write(RestResponse response, bool keep_alive, unsigned version) {
    response_.emplace();
    response_->version(version);
    response_->result(static_cast<unsigned>(response.status));
    response_->set(http::field::content_type, kJson);
    response_->set(http::field::access_control_allow_origin, allow_origin_);
    response_->keep_alive(keep_alive);
    response_->body() = std::move(response.body);
    response_->prepare_payload();
    if (parser_->get().method() == http::verb::head) response_->body().clear();
    stream_.expires_after(kWriteTimeout);
    http::async_write(stream_, *response_,
                      [self = shared_from_this(), keep_alive](beast::error_code error, size_t) {
                        error || !keep_alive ? self->close() : self->read();
                      });
  }

  // Reads on for a while: closing with bytes unread would reset the connection, and the client
  // might not see the answer.
  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kLinger);
    drop(kMaxLingerBytes);
  }

  void drop(size_t max_bytes) {
    stream_.async_read_some(asio::buffer(dropped_), [self = shared_from_this(), max_bytes](
                                                        beast::error_code error, size_t count) {
      if (!error && count < max_bytes) self->drop(max_bytes - count);
    });
  }

  beast::tcp_stream stream_;
  const Handle& handle_;             // The server's.
  const std::string& allow_origin_;  // The server's.
  const std::shared_ptr<int> connection_token_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::array<char, 4096> dropped_;
};

/// The way from any thread to the server's, as long as there is a server.
class Gate {
 public:
  explicit Gate(asio::io_context& context) : context_(&context) {}

  void post(std::function<void()> closure) {
    MutexLock lock(mutex_);
    if (context_ != nullptr) asio::post(*context_, std::move(closure));
  }
  void close() {
    MutexLock lock(mutex_);
    context_ = nullptr;
  }

 private:
  Mutex mutex_;
  asio::io_context* context_ ABSL_GUARDED_BY(mutex_);
};

class Server final : public RestServer {
 public:
  Server(const RestServerSettings& settings, RestHandler handler)
      : settings_(settings), handler_(std::move(handler)) {}
  ~Server() override { shutdown(); }

  absl::Status listen() {
    absl::Status status = absl::InvalidArgumentError("no port to listen on");
    for (const uint16_t port : settings_.ports) {
      status = listenAt(port);
      if (status.ok()) break;
    }
    WIESEL_RETURN_IF_ERROR(status);
    accept();
    thread_ = std::thread([this] { context_.run(); });
    return absl::OkStatus();
  }

  uint16_t port() const override { return port_; }

  void shutdown() override {
    gate_->close();
    context_.stop();
    if (thread_.joinable()) thread_.join();
    handled_.clear();
  }

 private:
  absl::Status listenAt(uint16_t port) {
    beast::error_code error;
    const asio::ip::address address = resolve(error);
    if (error) {
      return absl::NotFoundError(
          absl::StrFormat("cannot listen at host '%s': %s", settings_.host, error.message()));
    }
    const tcp::endpoint endpoint(address, port);
    acceptor_ = tcp::acceptor(context_);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use) {
      return absl::AlreadyExistsError(absl::StrFormat(
          "port %d is in use, so nothing can listen at %s:%d. Set '%s' to a free port, or to 0 for "
          "any",
          port, settings_.host, port, settings_.port_setting));
    }
    if (error) {
      return absl::UnavailableError(absl::StrFormat("cannot listen at %s:%d (port from '%s'): %s",
                                                    settings_.host, port, settings_.port_setting,
                                                    error.message()));
    }
    port_ = acceptor_.local_endpoint(error).port();
    return absl::OkStatus();
  }

  asio::ip::address resolve(beast::error_code& error) {
    const asio::ip::address literal = asio::ip::make_address(settings_.host, error);
    if (!error) return literal;
    const auto found = tcp::resolver(context_).resolve(tcp::v4(), settings_.host, "0", error);
    return error ? asio::ip::address() : found.begin()->endpoint().address();
  }

  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error) return acceptLater();
      // Tokens in use are connections; this one is not counted.
      if (connections_.use_count() <= kMaxConnections) {
        beast::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Session>(std::move(socket), handle_, settings_.allow_origin, connections_)
            ->read();
      }
      accept();
    });
  }

  void handle(std::shared_ptr<Session> session, const RestRequest& request) {
    const uint64_t id = next_request_++;
    handled_[id] = std::move(session);
    handler_(request, [this, id, gate = gate_](RestResponse response) {
      gate->post([this, id, response = std::move(response)]() mutable {
        const auto found = handled_.find(id);
        if (found == handled_.end()) return;  // Answered twice.
        const std::shared_ptr<Session> waiting = std::move(found->second);
        handled_.erase(found);
        waiting->answer(std::move(response));
      });
    });
  }

  void acceptLater() {
    retry_.expires_after(kAcceptRetry);
    retry_.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  const RestServerSettings settings_;
  const RestHandler handler_;
  const Session::Handle handle_ = [this](std::shared_ptr<Session> session,
                                         const RestRequest& request) {
    handle(std::move(session), request);
  };
  const std::shared_ptr<int> connections_ = std::make_shared<int>(0);
  asio::io_context context_{1};
  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>(context_);
  tcp::acceptor acceptor_{context_};
  asio::steady_timer retry_{context_};
  std::map<uint64_t, std::shared_ptr<Session>> handled_;  // Their requests, that is.
  uint64_t next_request_ = 0;
  std::thread thread_;
  uint16_t port_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RestServer>> RestServer::start(const RestServerSettings& settings,
                                                              RestHandler handler) {
  auto server = std::make_unique<Server>(settings, std::move(handler));
  WIESEL_RETURN_IF_ERROR(server->listen());
  return server;
}

}  // namespace wiesel::runtime
