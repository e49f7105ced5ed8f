#include "connectors/socket/socket_stream.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace wiesel::connectors {
namespace {

[[noreturn]] void throwErrno(int error) {
  throw std::runtime_error(std::generic_category().message(error));
}

}  // namespace

std::vector<SocketAddress> resolveHost(const std::string& host, uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error == EAI_SYSTEM) throwErrno(errno);
  if (error != 0) throw std::runtime_error(gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const char* bytes = reinterpret_cast<const char*>(one->ai_addr);
    addresses.push_back({{bytes, bytes + one->ai_addrlen}, one->ai_family});
  }
  std::ranges::stable_partition(
      addresses, [](const SocketAddress& address) { return address.family == AF_INET; });
  return addresses;
}

SocketStream::SocketStream() : interruption_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (interruption_ < 0) throwErrno(errno);
}

SocketStream::~SocketStream() {
  disconnect();
  close(interruption_);
}

bool SocketStream::connect(const std::vector<SocketAddress>& addresses) {
  int error = EHOSTUNREACH;
  for (const SocketAddress& address : addresses) {
    error = connectTo(address);
    if (error == 0) return true;
    disconnect();
    if (error == EINTR) return false;
  }
  throwErrno(error);
}

/// Returns 0, EINTR when interrupted, or what went wrong.
int SocketStream::connectTo(const SocketAddress& address) {
  socket_ = socket(address.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) return errno;
  const auto* destination = reinterpret_cast<const sockaddr*>(address.bytes.data());
  if (::connect(socket_, destination, static_cast<socklen_t>(address.bytes.size())) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!await(socket_, POLLOUT, -1)) return EINTR;
  int error = 0;
  socklen_t size = sizeof(error);
  if (getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

size_t SocketStream::read(char* buffer, size_t size) {
  while (await(socket_, POLLIN, -1)) {
    const ssize_t count = recv(socket_, buffer, size, 0);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EAGAIN && errno != EINTR) throwErrno(errno);
  }
  return 0;
}

void SocketStream::disconnect() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

bool SocketStream::pause(std::chrono::milliseconds duration) {
  return await(-1, 0, static_cast<int>(duration.count()));
}

void SocketStream::interrupt() {
  const uint64_t one = 1;
  // Fails only when the counter is full, and then it is readable already.
  [[maybe_unused]] const ssize_t written = write(interruption_, &one, sizeof(one));
}

/// Waits for the events, or for the time to pass. Returns false when interrupted.
bool SocketStream::await(int file, short events, int timeout_ms) {
  pollfd awaited[] = {{interruption_, POLLIN, 0}, {file, events, 0}};
  while (poll(awaited, 2, timeout_ms) < 0) {
    if (errno != EINTR) throwErrno(errno);
  }
  return awaited[0].revents == 0;
}

}  // namespace wiesel::connectors
