#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "common/executor.h"
#include "common/mutex.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/data_transport.h"

namespace wiesel::runtime {

class DataServerSession;

/// The producers' side of a worker's data plane: brings published channels together with the
/// sessions of the consumers that subscribe to them, whichever comes first. Each channel is given
/// out once: a consumer that lost its connection has lost elements, and needs a new attempt.
///
/// Borrows: `executor`, which must not run closures inside execute().
/// Threads: thread-safe.
/// Flink:   ResultPartitionManager (1.20).
class DataServer {
 public:
  struct Options {
    std::string scope;  // Consumers of other scopes are turned away.
    /// A message is sent once it has this many bytes, or when there is nothing to add.
    size_t message_bytes = 32 * 1024;
  };

  DataServer(Options options, Executor& executor);
  DataServer(const DataServer&) = delete;
  DataServer& operator=(const DataServer&) = delete;
  ~DataServer();  // All connections must have closed, or nobody may drive them any more.

  /// See DataTransport. A channel is published once.
  void publish(const ChannelAddress& channel, std::shared_ptr<ChannelQueue> queue);
  void releaseAttempt(int32_t attempt);

  /// Takes in a consumer that has connected.
  std::shared_ptr<DataConnectionHandler> accept();

  /// Closes all connections, present and future. No queue is touched after it returns, except by
  /// a call that is on its way.
  void shutDown();

  // ---- For sessions ----

  const Options& options() const { return options_; }
  Executor& executor() { return executor_; }

  /// Gives the channel to `session`, which knows it as `number`: returns the queue, or null when it
  /// is not published yet; then session->attach() follows. An error says why it never will be.
  absl::StatusOr<std::shared_ptr<ChannelQueue>> subscribe(
      const ChannelAddress& channel, const std::shared_ptr<DataServerSession>& session,
      int32_t number);

  /// Forgets a session that has closed, or one subscription of it.
  void forget(const std::shared_ptr<DataServerSession>& session);
  void cancel(const ChannelAddress& channel, const std::shared_ptr<DataServerSession>& session);

 private:
  struct Subscriber {
    std::shared_ptr<DataServerSession> session;
    int32_t number = 0;
  };
  struct Published {
    std::shared_ptr<ChannelQueue> queue;  // Null once it was given out.
    Subscriber subscriber;
  };

  const Options options_;
  Executor& executor_;

  Mutex mutex_;  // Never held while a session is called.
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  int32_t released_attempt_ ABSL_GUARDED_BY(mutex_) = -1;
  std::map<ChannelAddress, Published> published_ ABSL_GUARDED_BY(mutex_);
  std::map<ChannelAddress, Subscriber> waiting_ ABSL_GUARDED_BY(mutex_);
  std::set<std::shared_ptr<DataServerSession>> sessions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace wiesel::runtime
