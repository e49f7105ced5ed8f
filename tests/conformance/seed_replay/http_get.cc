#include "tests/conformance/seed_replay/http_get.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace wiesel::conformance {
namespace {

constexpr int kPatienceS = 30;

/// A socket that is closed at the end of its scope.
struct Socket {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ~Socket() { close(descriptor); }
};

std::string exchange(const std::string& address, const std::string& request) {
  const size_t colon = address.rfind(':');
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(colon + 1))));
  const Socket socket;
  const timeval patience{kPatienceS, 0};
  setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (inet_pton(AF_INET, address.substr(0, colon).c_str(), &server.sin_addr) != 1 ||
      connect(socket.descriptor, reinterpret_cast<sockaddr*>(&server), sizeof(server)) != 0 ||
      send(socket.descriptor, request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    return "";
  }
  std::string answer;
  char buffer[4096];
  for (ssize_t count = 0; (count = recv(socket.descriptor, buffer, sizeof(buffer), 0)) > 0;) {
    answer.append(buffer, static_cast<size_t>(count));
  }
  return answer;
}

}  // namespace

std::string httpGet(const std::string& address, const std::string& path) {
  const std::string answer = exchange(
      address, "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\n\r\n");
  const size_t head_end = answer.find("\r\n\r\n");
  if (head_end == std::string::npos) {
    throw std::runtime_error("no answer to GET http://" + address + path);
  }
  if (answer.find(" 200 ") > answer.find("\r\n")) {
    throw std::runtime_error("GET http://" + address + path + " gave " +
                             answer.substr(0, answer.find("\r\n")));
  }
  return answer.substr(head_end + 4);
}

}  // namespace wiesel::conformance
