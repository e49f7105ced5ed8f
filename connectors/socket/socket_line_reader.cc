#include "connectors/socket/socket_line_reader.h"

#include <pthread.h>

#include <array>
#include <exception>
#include <utility>

#include "common/log.h"

namespace wiesel::connectors {
namespace {

constexpr size_t kReadBytes = 16 * 1024;

/// What a buffered line costs beside its bytes.
constexpr size_t kBytesPerLine = sizeof(std::string);

}  // namespace

/// Connects, reads to the end, and again while retries are left. What happened is in `shared_`.
class SocketLineReader::Run {
 public:
  explicit Run(std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)), splitter_(shared_->endpoint.delimiter, kMaxLineBytes) {}

  void operator()() {
    const SocketEndpoint& endpoint = shared_->endpoint;
    pthread_setname_np(pthread_self(), ("socket-" + std::to_string(endpoint.port)).c_str());
    for (int64_t retries = 0;; ++retries) {
      const std::string failure = readConnection();
      shared_->stream.disconnect();
      if (isClosed()) return;
      if (endpoint.max_retries >= 0 && retries >= endpoint.max_retries) return finish(failure);
      WIESEL_LOG(WARN) << "Lost the connection to " << endpoint.name() << ", trying again (why='"
                       << (failure.empty() ? "it has ended" : failure)
                       << "', delay_ms=" << endpoint.retry_delay.count() << ")";
      if (!shared_->stream.pause(endpoint.retry_delay)) return;
    }
  }

 private:
  /// Returns what failed; nothing at the end of the stream and when interrupted.
  std::string readConnection() {
    try {
      if (!connect()) return "";
    } catch (const std::exception& error) {
      return "cannot connect to " + shared_->endpoint.name() + ": " + error.what() +
             ". Start the server before the job, or give socketTextStream() retries";
    }
    try {
      readToEnd();
    } catch (const std::exception& error) {
      return "cannot read from " + shared_->endpoint.name() + ": " + error.what();
    }
    return "";
  }

  /// Returns false when closed.
  bool connect() {
    if (!setResolving(true)) return false;
    std::vector<SocketAddress> addresses;
    try {
      addresses = resolveHost(shared_->endpoint.host, shared_->endpoint.port);
    } catch (const std::exception&) {
      setResolving(false);
      throw;
    }
    return setResolving(false) && shared_->stream.connect(addresses);
  }

  /// Returns false when closed.
  bool setResolving(bool resolving) {
    MutexLock lock(shared_->mutex);
    shared_->resolving = resolving;
    return !shared_->closed;
  }

  void readToEnd() {
    std::array<char, kReadBytes> buffer;
    std::vector<std::string> lines;
    while (awaitSpace()) {
      const size_t count = shared_->stream.read(buffer.data(), buffer.size());
      if (count == 0) return;
      splitter_.add({buffer.data(), count}, lines);
      push(lines);
      lines.clear();
    }
  }

  /// Returns false when closed.
  bool awaitSpace() {
    MutexLock lock(shared_->mutex);
    while (!shared_->closed && shared_->buffered_bytes >= kMaxBufferedBytes) {
      shared_->changed.wait(shared_->mutex);
    }
    return !shared_->closed;
  }

  void push(std::vector<std::string>& lines) {
    if (lines.empty()) return;
    bool was_empty = false;
    {
      MutexLock lock(shared_->mutex);
      was_empty = shared_->lines.empty();
      for (std::string& line : lines) append(std::move(line));
    }
    if (was_empty) shared_->wake();
  }

  void append(std::string line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(shared_->mutex) {
    shared_->buffered_bytes += line.size() + kBytesPerLine;
    shared_->lines.push_back(std::move(line));
  }

  void finish(const std::string& failure) {
    {
      MutexLock lock(shared_->mutex);
      if (auto rest = splitter_.takeRest(); rest && failure.empty()) append(*std::move(rest));
      shared_->failure = failure;
      shared_->ended = true;
    }
    shared_->wake();
  }

  bool isClosed() {
    MutexLock lock(shared_->mutex);
    return shared_->closed;
  }

  const std::shared_ptr<Shared> shared_;
  LineSplitter splitter_;
};

SocketLineReader::SocketLineReader(SocketEndpoint endpoint, std::function<void()> wake)
    : shared_(std::make_shared<Shared>(std::move(endpoint), std::move(wake))),
      thread_(Run(shared_)) {}

SocketLineReader::Taken SocketLineReader::take(size_t max_lines) {
  Taken taken;
  MutexLock lock(shared_->mutex);
  std::deque<std::string>& lines = shared_->lines;
  if (lines.empty() && !shared_->failure.empty()) throw std::runtime_error(shared_->failure);
  const bool was_full = shared_->buffered_bytes >= kMaxBufferedBytes;
  while (!lines.empty() && taken.lines.size() < max_lines) {
    shared_->buffered_bytes -= lines.front().size() + kBytesPerLine;
    taken.lines.push_back(std::move(lines.front()));
    lines.pop_front();
  }
  if (was_full && shared_->buffered_bytes < kMaxBufferedBytes) shared_->changed.notify_all();
  taken.has_more = !lines.empty() || !shared_->failure.empty();
  taken.has_ended = shared_->ended && !taken.has_more;
  return taken;
}

void SocketLineReader::close() {
  if (!thread_.joinable()) return;
  bool cannot_end = false;
  {
    MutexLock lock(shared_->mutex);
    shared_->closed = true;
    cannot_end = shared_->resolving;
    shared_->changed.notify_all();
  }
  shared_->stream.interrupt();
  if (cannot_end) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

}  // namespace wiesel::connectors
