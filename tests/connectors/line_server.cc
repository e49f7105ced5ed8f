#include "tests/connectors/line_server.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "common/check.h"

namespace wiesel::testing {
namespace {

constexpr int kPatienceMs = 20'000;

sockaddr_in loopback() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool becomesReady(int file, short events, int timeout_ms) {
  pollfd awaited{file, events, 0};
  return poll(&awaited, 1, timeout_ms) == 1;
}

}  // namespace

LineServer::LineServer() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback();
  socklen_t size = sizeof(address);
  WIESEL_CHECK(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  WIESEL_CHECK(listen(listener_, 8) == 0);
  WIESEL_CHECK(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
}

LineServer::~LineServer() {
  closeClient();
  stopListening();
}

void LineServer::accept() {
  closeClient();
  WIESEL_CHECK(becomesReady(listener_, POLLIN, kPatienceMs)) << "no client has connected";
  client_ = ::accept(listener_, nullptr, nullptr);
  WIESEL_CHECK(client_ >= 0);
}

void LineServer::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    WIESEL_CHECK(count > 0) << errno;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

size_t LineServer::sendUntilBlocked(std::string_view bytes) {
  constexpr int kQuietMs = 300;  // Longer than a client that reads lets the buffers stay full.
  size_t sent = 0;
  while (becomesReady(client_, POLLOUT, kQuietMs)) {
    const ssize_t count = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) continue;
    WIESEL_CHECK(count > 0) << errno;
    sent += static_cast<size_t>(count);
  }
  return sent;
}

void LineServer::closeClient() {
  if (client_ >= 0) close(client_);
  client_ = -1;
}

void LineServer::resetClient() {
  const linger at_once{1, 0};
  WIESEL_CHECK(setsockopt(client_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
  closeClient();
}

void LineServer::awaitClientGone() {
  WIESEL_CHECK(becomesReady(client_, POLLRDHUP, kPatienceMs)) << "the client has not closed";
}

void LineServer::stopListening() {
  if (listener_ >= 0) close(listener_);
  listener_ = -1;
}

}  // namespace wiesel::testing
