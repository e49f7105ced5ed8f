#pragma once

#include <map>
#include <memory>

#include "runtime/network/channel_queue.h"
#include "runtime/network/data_transport.h"

namespace wiesel::runtime {

/// The channel queues of one worker by address. Producer and consumer of one worker find the same
/// queue, whichever comes first.
///
/// Threads: one; the worker's control loop.
class ChannelRegistry {
 public:
  std::shared_ptr<ChannelQueue> findOrMake(const ChannelAddress& address) {
    std::shared_ptr<ChannelQueue>& queue = queues_[address];
    if (!queue) queue = std::make_shared<ChannelQueue>();
    return queue;
  }

  /// Forgets the channels of this attempt and of older ones, and wakes who waits for them.
  void releaseUpTo(int attempt) {
    for (auto entry = queues_.begin(); entry != queues_.end();) {
      if (entry->first.attempt > attempt) {
        ++entry;
        continue;
      }
      entry->second->close();
      entry = queues_.erase(entry);
    }
  }

 private:
  std::map<ChannelAddress, std::shared_ptr<ChannelQueue>> queues_;  // Shared by both ends.
};

}  // namespace wiesel::runtime
