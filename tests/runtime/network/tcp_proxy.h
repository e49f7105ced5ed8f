#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace wiesel::runtime {

/// Passes TCP connections on to another address of this machine, until it cuts them.
class TcpProxy {
 public:
  explicit TcpProxy(const std::string& target);  // "127.0.0.1:PORT"
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;
  ~TcpProxy();

  const std::string& address() const { return address_; }

  /// Resets all connections and takes no more.
  void cut();

 private:
  void accept();
  static void pass(int from, int to);

  const int target_port_;
  int listener_ = -1;
  std::string address_;

  std::mutex mutex_;
  bool cut_ = false;          // Guarded by mutex_, as all below.
  std::vector<int> sockets_;  // Closed by the destructor.
  std::vector<std::thread> passing_;
  std::thread accepting_;
};

/// A connection to "127.0.0.1:PORT".
int connectTo(int port);
int portOf(const std::string& address);

}  // namespace wiesel::runtime
