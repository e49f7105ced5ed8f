#pragma once

#include <cstdint>
#include <string_view>

namespace wiesel::testing {

/// A TCP server on the loopback address that a test drives step by step. Aborts the test's process
/// when the system refuses something.
class LineServer {
 public:
  /// Listens on a free port.
  LineServer();
  ~LineServer();
  LineServer(const LineServer&) = delete;
  LineServer& operator=(const LineServer&) = delete;

  uint16_t port() const { return port_; }

  /// Waits for the next client, which takes the place of the last one.
  void accept();
  void send(std::string_view bytes);
  /// Sends until the client takes no more. Returns how many bytes went out.
  size_t sendUntilBlocked(std::string_view bytes);
  /// Ends the connection in order.
  void closeClient();
  /// Breaks the connection off.
  void resetClient();
  /// Waits until the client has closed its end.
  void awaitClientGone();
  void stopListening();

 private:
  int listener_;
  int client_ = -1;
  uint16_t port_ = 0;
};

}  // namespace wiesel::testing
