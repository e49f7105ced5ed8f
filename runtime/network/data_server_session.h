#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "common/mutex.h"
#include "runtime/network/credit.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/data_frame.h"
#include "runtime/network/data_server.h"

namespace wiesel::runtime {

/// The producer's end of the connection with one consuming worker: takes elements out of the queues
/// of the channels that were subscribed to, in turns and as their credit allows, and serializes
/// them into messages, one ahead of the one that is being written.
///
/// Borrows: the server, while the connection is open.
/// Threads: thread-safe. Queues are never called with the lock held, except to set their wakeups.
class DataServerSession final : public DataConnectionHandler,
                                public std::enable_shared_from_this<DataServerSession> {
 public:
  /// The bound of what a peer can make us remember.
  static constexpr size_t kMaxChannels = size_t{1} << 16;

  explicit DataServerSession(DataServer& server);

  void onOpened(DataConnection& connection) override;
  void onMessage(std::string_view message) override;
  void onWritten() override;
  void onClosed(const std::string& why) override;

  /// Begins to send the channel that the consumer subscribed to as `number`, if it still wants it.
  void attach(int32_t number, std::shared_ptr<ChannelQueue> queue);

  /// Tells the consumer that no more of the channel will come, unless it has ended.
  void lose(int32_t number, const std::string& reason);

  /// Lets go of all channels and closes the connection.
  void shutDown();

 private:
  struct Channel {
    int32_t number = 0;
    ChannelAddress address;
    // Guarded by mutex_:
    std::shared_ptr<ChannelQueue> queue;  // Null until it is published.
    SendCredit credit;
    bool listed = false;  // In ready_.
    bool gone = false;    // No longer in channels_.
    // Of the pump alone:
    std::optional<StreamElement> held;  // A batch that waits for credit.
  };
  struct Drained {
    int32_t batches = 0;
    bool more = false;  // The message is full; there may be more to take.
    bool ended = false;
    absl::Status status;
  };

  absl::Status take(const DataFrame& frame);
  absl::Status takeHello(const HelloFrame& frame);
  absl::Status takeSubscribe(const SubscribeFrame& frame);
  absl::Status takeCredit(const CreditFrame& frame);
  absl::Status takeCancel(const CancelFrame& frame);
  void refuse(const std::string& why);

  void wake(int32_t number);
  void list(const std::shared_ptr<Channel>& channel) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void startPump() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool hasWork() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void remove(Channel& channel) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void removeAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void writeOrKeep(DataOutput message) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void pump();
  /// Puts as many frames into the message as it should have; false when the session is closed.
  bool fill(DataOutput& message);
  Drained drain(Channel& channel, int32_t credit, DataOutput& message);
  void finishDrain(const std::shared_ptr<Channel>& channel, const Drained& drained);

  DataServer& server_;

  // Of the thread in onMessage() alone:
  bool greeted_ = false;
  int32_t last_number_ = -1;

  Mutex mutex_;
  DataConnection* connection_ ABSL_GUARDED_BY(mutex_) = nullptr;  // Null before and after.
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;                   // Refused, shut down or broken.
  std::unordered_map<int32_t, std::shared_ptr<Channel>> channels_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Channel>> ready_ ABSL_GUARDED_BY(mutex_);  // May have elements.
  DataOutput urgent_ ABSL_GUARDED_BY(mutex_);  // Frames that need no turn: hello, lost.
  bool pumping_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<DataOutput> next_ ABSL_GUARDED_BY(mutex_);  // Filled during a write.
};

}  // namespace wiesel::runtime
