#include "client/http_client.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace wiesel::client {

namespace {

constexpr size_t kMaxResponseBytes = 64 * 1024 * 1024;

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  const int fd_;
};

struct AddressInfoDeleter {
  void operator()(addrinfo* info) const { ::freeaddrinfo(info); }
};
using AddressInfo = std::unique_ptr<addrinfo, AddressInfoDeleter>;

absl::Status ioError(const std::string& address, int error) {
  if (error == EAGAIN || error == EWOULDBLOCK || error == EINPROGRESS) {
    return absl::DeadlineExceededError(absl::StrFormat("no answer from %s", address));
  }
  return absl::UnavailableError(
      absl::StrFormat("cannot reach %s: %s", address, std::strerror(error)));
}

absl::StatusOr<AddressInfo> resolve(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is no address; write HOST:PORT", address));
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.substr(0, colon).c_str(),
                                  address.substr(colon + 1).c_str(), &hints, &found);
  if (error != 0) {
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is no address: %s", address, ::gai_strerror(error)));
  }
  return AddressInfo(found);
}

absl::StatusOr<std::unique_ptr<Socket>> connectTo(const std::string& address, int64_t timeout_ms) {
  WIESEL_ASSIGN_OR_RETURN(const AddressInfo candidates, resolve(address));
  absl::Status status = absl::UnavailableError("no address");
  for (const addrinfo* info = candidates.get(); info != nullptr; info = info->ai_next) {
    auto socket =
        std::make_unique<Socket>(::socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const timeval timeout{.tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000};
    ::setsockopt(socket->fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    ::setsockopt(socket->fd(), SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
    if (::connect(socket->fd(), info->ai_addr, info->ai_addrlen) == 0) return socket;
    status = ioError(address, errno);
  }
  return status;
}

absl::Status sendAll(int fd, std::string_view bytes, const std::string& address) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return ioError(address, errno);
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> receiveAll(int fd, const std::string& address) {
  std::string bytes;
  char buffer[16 * 1024];
  while (bytes.size() < kMaxResponseBytes) {
    const ssize_t received = ::recv(fd, buffer, sizeof(buffer), 0);
    if (received == 0) return bytes;
    if (received < 0 && errno == EINTR) continue;
    if (received < 0) return ioError(address, errno);
    bytes.append(buffer, static_cast<size_t>(received));
  }
  return absl::InvalidArgumentError(absl::StrFormat("the answer of %s is too long", address));
}

bool startsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) ==
                  std::tolower(static_cast<unsigned char>(b));
         });
}

/// The chunks of a chunked body, put together; what is not complete is left out.
std::string joinChunks(std::string_view body) {
  std::string joined;
  while (true) {
    size_t size = 0;
    const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), size, 16);
    const size_t line_end = body.find("\r\n");
    if (error != std::errc() || size == 0 || line_end == std::string_view::npos) return joined;
    body.remove_prefix(line_end + 2);
    joined += body.substr(0, size);
    body.remove_prefix(std::min(body.size(), size + 2));
  }
}

}  // namespace

absl::StatusOr<HttpResponse> sendHttpRequest(const std::string& address, std::string_view method,
                                             std::string_view target, int64_t timeout_ms) {
  WIESEL_ASSIGN_OR_RETURN(const std::unique_ptr<Socket> socket, connectTo(address, timeout_ms));
  const std::string request = absl::StrFormat(
      "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", method,
      target, address);
  WIESEL_RETURN_IF_ERROR(sendAll(socket->fd(), request, address));
  WIESEL_ASSIGN_OR_RETURN(const std::string bytes, receiveAll(socket->fd(), address));
  absl::StatusOr<HttpResponse> response = parseHttpResponse(bytes);
  if (response.ok()) return response;
  return absl::InvalidArgumentError(
      absl::StrFormat("%s does not speak HTTP, so it is no REST address", address));
}

absl::StatusOr<HttpResponse> parseHttpResponse(std::string_view bytes) {
  const size_t header_end = bytes.find("\r\n\r\n");
  const size_t status_begin = bytes.find(' ');
  if (!bytes.starts_with("HTTP/1.") || header_end == std::string_view::npos ||
      status_begin > header_end) {
    return absl::InvalidArgumentError("no HTTP response");
  }
  HttpResponse response;
  std::from_chars(bytes.data() + status_begin + 1, bytes.data() + header_end, response.status);
  std::string_view header = bytes.substr(0, header_end);
  std::string_view body = bytes.substr(header_end + 4);
  bool chunked = false;
  while (!header.empty()) {
    const std::string_view line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(header.size(), line.size() + 2));
    if (startsWithIgnoringCase(line, "transfer-encoding:")) {
      chunked = line.find("chunked") != std::string_view::npos;
    }
  }
  response.body = chunked ? joinChunks(body) : std::string(body);
  return response;
}

}  // namespace wiesel::client
