#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "common/executor.h"
#include "common/mutex.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/data_transport.h"

namespace wiesel::runtime {

class DataClientSession;

/// The consumers' side of a worker's data plane: one connection to each worker that this one takes
/// channels from, opened by the first subscription and again by the first one after it broke.
///
/// Borrows: `connector` and `executor`, which must not run closures inside execute().
/// Threads: thread-safe. `on_lost` is never called inside a call, nor with a lock held.
/// Flink:   NettyPartitionRequestClient, CreditBasedPartitionRequestClientHandler (1.20).
class DataClient {
 public:
  struct Options {
    std::string scope;  // Of the channels; see DataServer.
    /// False gives each channel a connection of its own, so that nothing but chance orders them.
    bool share_connections = true;
  };

  DataClient(Options options, DataConnector& connector, Executor& executor);
  DataClient(const DataClient&) = delete;
  DataClient& operator=(const DataClient&) = delete;
  ~DataClient();  // All connections must have closed, or nobody may drive them any more.

  /// See DataTransport. Ignored when the channel's attempt is released already.
  void subscribe(const ChannelAddress& channel, const std::string& producer_address,
                 std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                 std::function<void(std::string why)> on_lost);
  void releaseAttempt(int32_t attempt);

  /// Closes all connections and forgets all channels; on_lost is not called for them, except by a
  /// call that is on its way.
  void shutDown();

  // ---- For sessions ----

  Executor& executor() { return executor_; }

  /// The session has closed: later subscriptions get another one.
  void forget(const DataClientSession& session);

 private:
  /// Null when the subscription came too late: shut down, or its attempt is released.
  std::shared_ptr<DataClientSession> sessionFor(const ChannelAddress& channel,
                                                const std::string& producer_address);

  const Options options_;
  DataConnector& connector_;
  Executor& executor_;

  Mutex mutex_;  // Never held while a session is called.
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  int32_t released_attempt_ ABSL_GUARDED_BY(mutex_) = -1;
  std::multimap<std::string, std::shared_ptr<DataClientSession>> sessions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace wiesel::runtime
