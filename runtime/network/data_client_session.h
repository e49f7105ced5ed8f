#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "runtime/network/credit.h"
#include "runtime/network/data_client.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/data_frame.h"

namespace wiesel::runtime {

/// What a consumer asks for.
struct Subscription {
  ChannelAddress address;
  std::string producer_address;
  std::shared_ptr<ChannelQueue> queue;
  const BatchType* type = nullptr;  // Lives for ever.
  std::function<void(std::string why)> on_lost;
};

/// The consumer's end of the connection with one producing worker: makes elements of the frames
/// that arrive, in the thread that brings them, and gives credit as the queues are emptied.
///
/// Borrows: the client, while the connection is open.
/// Threads: thread-safe. Queues and on_lost are never called with the lock held, except that a
///          queue is asked for its length and given its wakeup.
class DataClientSession final : public DataConnectionHandler,
                                public std::enable_shared_from_this<DataClientSession> {
 public:
  DataClientSession(DataClient& client, const std::string& scope, std::string producer_address);

  void onOpened(DataConnection& connection) override;
  void onMessage(std::string_view message) override;
  void onWritten() override;
  void onClosed(const std::string& why) override;

  /// False when the session has closed.
  bool subscribe(const Subscription& subscription);

  void releaseAttempt(int32_t attempt);

  /// Forgets all channels, without a word to them, and closes the connection.
  void shutDown();

 private:
  struct Channel {
    const int32_t number;
    const Subscription subscription;
    ReceiveCredit credit;  // Guarded by mutex_.
  };
  using ChannelPointer = std::shared_ptr<Channel>;

  absl::Status take(const DataFrame& frame);
  absl::Status takeHello(const HelloFrame& frame);
  absl::Status takeBatch(const BatchFrame& frame);
  absl::Status takeControl(const ControlFrame& frame);
  absl::Status takeLost(const LostFrame& frame);
  /// Null when the channel is no longer wanted; InvalidArgument when it never was.
  absl::StatusOr<ChannelPointer> find(int32_t number);
  void refuse(const std::string& why);

  void giveCredit(int32_t number);
  void giveCredit(Channel& channel) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// False when it was removed before.
  bool remove(Channel& channel) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<ChannelPointer> removeAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void loseChannel(Channel& channel, const std::string& why);
  void flush() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void reportLost(const Channel& channel, const std::string& why) const;

  DataClient& client_;
  const std::string scope_;
  const std::string producer_address_;

  bool greeted_ = false;  // Of the thread in onMessage() alone.

  Mutex mutex_;
  DataConnection* connection_ ABSL_GUARDED_BY(mutex_) = nullptr;  // Null before and after.
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;                   // Takes no more subscriptions.
  // The producer broke the rules: the connection is closing and nothing more is read or written.
  bool refused_ ABSL_GUARDED_BY(mutex_) = false;
  int32_t next_number_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unordered_map<int32_t, ChannelPointer> channels_ ABSL_GUARDED_BY(mutex_);
  DataOutput outbox_ ABSL_GUARDED_BY(mutex_);  // Frames that wait for the write before them.
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace wiesel::runtime
