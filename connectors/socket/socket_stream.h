#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wiesel::connectors {

/// One address of a TCP server.
struct SocketAddress {
  std::vector<char> bytes;  // A sockaddr_in or sockaddr_in6.
  int family = 0;
};

/// The addresses of `host`, IPv4 ones first, as Java has them. Blocks while names are looked up;
/// throws std::runtime_error.
std::vector<SocketAddress> resolveHost(const std::string& host, uint16_t port);

/// The receiving side of TCP connections, one after the other. Each wait ends early once
/// interrupt() was called.
///
/// Threads: interrupt() any; the rest one.
/// Errors:  std::runtime_error with the text of errno, without host and port.
class SocketStream {
 public:
  SocketStream();
  ~SocketStream();
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;

  /// Connects to the first address that answers. Returns false when interrupted.
  bool connect(const std::vector<SocketAddress>& addresses);

  /// Waits for bytes. Returns their number; 0 at the end of the stream and when interrupted.
  size_t read(char* buffer, size_t size);

  void disconnect();

  /// Waits that long. Returns false when interrupted.
  bool pause(std::chrono::milliseconds duration);

  /// Ends all waits, also those to come.
  void interrupt();

 private:
  int connectTo(const SocketAddress& address);
  bool await(int file, short events, int timeout_ms);

  int interruption_;  // An eventfd that becomes readable.
  int socket_ = -1;
};

}  // namespace wiesel::connectors
