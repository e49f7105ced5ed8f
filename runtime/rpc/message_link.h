#pragma once

#include <functional>
#include <string>

namespace wiesel::runtime {

/// One end of an ordered, reliable, bidirectional stream of messages between two processes (or two
/// parts of one process, or of a simulation).
///
/// Threads: send() and close() from any thread. The callbacks run on the event loop that the link
/// was
///          made with.
/// Errors:  none are returned: a broken connection shows as on_closed, once, and what is sent after
///          that is dropped. The other end has then seen a prefix of what was sent.
template <class Out, class In>
class MessageLink {
 public:
  using OnMessage = std::function<void(In)>;
  using OnClosed = std::function<void(std::string why)>;

  virtual ~MessageLink() = default;

  virtual void send(Out message) = 0;

  /// Begins to deliver. Called once, before anything is received.
  virtual void start(OnMessage on_message, OnClosed on_closed) = 0;

  /// Delivers what was sent, then closes both directions. Idempotent.
  virtual void close() = 0;
};

}  // namespace wiesel::runtime
