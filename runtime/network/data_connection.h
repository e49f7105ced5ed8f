#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/serialization/data_output.h"

namespace wiesel::runtime {

/// One end of an ordered, reliable connection between two workers that carries messages both ways:
/// a gRPC stream, or a pair in simulation. Knows nothing of what the messages say.
///
/// Threads: thread-safe; calls do not wait and never call the handler before they return.
class DataConnection {
 public:
  virtual ~DataConnection() = default;

  /// An empty message to fill; its memory may have served before.
  virtual DataOutput newMessage() = 0;

  /// Sends a message. Requires that each earlier write() was followed by onWritten(); what has not
  /// been written when the connection closes is lost.
  virtual void write(DataOutput message) = 0;

  /// Ends the connection at once; onClosed(why) follows, and the other end is told `why` where that
  /// is possible. Idempotent: the first call counts.
  virtual void close(const std::string& why) = 0;

  /// The other end, for messages to people.
  virtual std::string peer() const = 0;
};

/// What an end does with what it receives. The connection keeps it alive until onClosed() returned.
///
/// Threads: onOpened() first and onClosed() last, once each; in between onMessage() one at a time,
///          and onWritten() perhaps at the same time as onMessage().
class DataConnectionHandler {
 public:
  virtual ~DataConnectionHandler() = default;

  /// `connection` is valid until onClosed() returns.
  virtual void onOpened(DataConnection& connection) = 0;
  /// `message` is valid during the call.
  virtual void onMessage(std::string_view message) = 0;
  /// The next message may be written.
  virtual void onWritten() = 0;
  /// `why` is one line.
  virtual void onClosed(const std::string& why) = 0;
};

/// Opens connections to other workers.
class DataConnector {
 public:
  virtual ~DataConnector() = default;

  /// Calls handler->onOpened() before it returns; messages written before the other end is reached
  /// wait. When it cannot be reached onClosed() follows, from another call stack and perhaps
  /// without onOpened().
  virtual void connect(const std::string& address,
                       std::shared_ptr<DataConnectionHandler> handler) = 0;
};

}  // namespace wiesel::runtime
