#include "tests/runtime/network/tcp_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/check.h"

namespace wiesel::runtime {

namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

int portOf(const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); }

int connectTo(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  WIESEL_CHECK(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) ==
               0);
  return socket;
}

TcpProxy::TcpProxy(const std::string& target) : target_port_(portOf(target)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  WIESEL_CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  WIESEL_CHECK(::listen(listener_, 8) == 0);
  WIESEL_CHECK(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  accepting_ = std::thread([this] { accept(); });
}

TcpProxy::~TcpProxy() {
  cut();
  accepting_.join();
  for (std::thread& thread : passing_) thread.join();
  for (const int socket : sockets_) ::close(socket);
  ::close(listener_);
}

void TcpProxy::cut() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (cut_) return;
  cut_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
}

void TcpProxy::accept() {
  while (true) {
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    const int server = connectTo(target_port_);
    std::lock_guard<std::mutex> lock(mutex_);
    sockets_.insert(sockets_.end(), {client, server});
    if (cut_) return;
    passing_.emplace_back([=] { pass(client, server); });
    passing_.emplace_back([=] { pass(server, client); });
  }
}

void TcpProxy::pass(int from, int to) {
  char bytes[4096];
  while (true) {
    const ssize_t size = ::read(from, bytes, sizeof(bytes));
    if (size <= 0) break;
    if (::send(to, bytes, static_cast<size_t>(size), MSG_NOSIGNAL) != size) break;
  }
  ::shutdown(to, SHUT_RDWR);
}

}  // namespace wiesel::runtime
