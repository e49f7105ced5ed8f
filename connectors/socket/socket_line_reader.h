#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/mutex.h"
#include "connectors/socket/line_splitter.h"
#include "connectors/socket/socket_stream.h"

namespace wiesel::connectors {

/// Where to read lines, and how often to try again.
struct SocketEndpoint {
  std::string host;
  uint16_t port = 0;
  char delimiter = '\n';
  int64_t max_retries = 0;  // Negative: for ever.
  std::chrono::milliseconds retry_delay{0};

  std::string name() const { return host + ":" + std::to_string(port); }
};

/// Reads lines from a TCP server in a thread of its own, ahead of its user by kMaxBufferedBytes at
/// most.
///
/// Threads: take() and close() belong to one thread. `wake` is called by the reading thread
/// whenever
///          there is something to take again, and must not wait for anything.
/// Errors:  std::runtime_error from take(), behind the lines that came before it.
class SocketLineReader {
 public:
  static constexpr size_t kMaxBufferedBytes = 256 * 1024;
  static constexpr size_t kMaxLineBytes = 64 * 1024 * 1024;

  struct Taken {
    std::vector<std::string> lines;
    bool has_more = false;
    bool has_ended = false;  // Nothing will ever come behind `lines`.
  };

  SocketLineReader(SocketEndpoint endpoint, std::function<void()> wake);
  ~SocketLineReader() { close(); }

  /// Up to `max_lines` lines, in order.
  Taken take(size_t max_lines);

  /// Ends the connection and the thread. Idempotent. `wake` is not called any more afterwards.
  void close();

 private:
  /// What both threads use. Shared, since the reading thread is left behind when close() finds it
  /// in a name look-up, which cannot be ended.
  struct Shared {
    Shared(SocketEndpoint where, std::function<void()> wake_user)
        : endpoint(std::move(where)), wake(std::move(wake_user)) {}

    const SocketEndpoint endpoint;
    const std::function<void()> wake;
    SocketStream stream;  // Used by the reading thread, interrupted by the other.

    Mutex mutex;
    CondVar changed;
    std::deque<std::string> lines ABSL_GUARDED_BY(mutex);
    size_t buffered_bytes ABSL_GUARDED_BY(mutex) = 0;
    bool closed ABSL_GUARDED_BY(mutex) = false;
    bool resolving ABSL_GUARDED_BY(mutex) = false;
    bool ended ABSL_GUARDED_BY(mutex) = false;
    std::string failure ABSL_GUARDED_BY(mutex);  // Empty: none.
  };

  /// The reading thread's life.
  class Run;

  const std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace wiesel::connectors
