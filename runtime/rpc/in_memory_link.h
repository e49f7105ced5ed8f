#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "runtime/rpc/in_memory_pipe.h"
#include "runtime/rpc/message_link.h"

namespace wiesel::runtime {

namespace internal {

/// What one end does with what it receives. Shared with the messages on their way, which find it
/// silent once the end is closed or gone.
template <class In>
struct InMemoryReceiver {
  std::function<void(In)> on_message;
  std::function<void(std::string)> on_closed;
  std::atomic<bool> silent = false;
};

template <class Out, class In>
class InMemoryLink final : public MessageLink<Out, In> {
 public:
  using typename MessageLink<Out, In>::OnMessage;
  using typename MessageLink<Out, In>::OnClosed;

  InMemoryLink(std::shared_ptr<InMemoryPipe> outgoing, std::shared_ptr<InMemoryPipe> incoming,
               std::shared_ptr<InMemoryReceiver<Out>> peer,
               std::shared_ptr<InMemoryReceiver<In>> receiver)
      : outgoing_(std::move(outgoing)),
        incoming_(std::move(incoming)),
        peer_(std::move(peer)),
        receiver_(std::move(receiver)) {}

  ~InMemoryLink() override { close(); }

  void send(Out message) override {
    outgoing_->push([peer = peer_, message = std::move(message)]() mutable {
      if (!peer->silent) peer->on_message(std::move(message));
    });
  }

  void start(OnMessage on_message, OnClosed on_closed) override {
    receiver_->on_message = std::move(on_message);
    receiver_->on_closed = std::move(on_closed);
    incoming_->start();
  }

  void close() override {
    if (receiver_->silent.exchange(true)) return;
    incoming_->end(/*drop_queued=*/true, {});
    outgoing_->end(/*drop_queued=*/false, [peer = peer_] {
      if (!peer->silent.exchange(true)) peer->on_closed("the other end closed the connection");
    });
  }

 private:
  const std::shared_ptr<InMemoryPipe> outgoing_;
  const std::shared_ptr<InMemoryPipe> incoming_;
  const std::shared_ptr<InMemoryReceiver<Out>> peer_;
  const std::shared_ptr<InMemoryReceiver<In>> receiver_;
};

}  // namespace internal

/// Both ends of a connection within one process, and the wire between them.
template <class FirstOut, class SecondOut>
struct InMemoryLinkPair {
  std::unique_ptr<MessageLink<FirstOut, SecondOut>> first;
  std::unique_ptr<MessageLink<SecondOut, FirstOut>> second;
  /// Breaks the wire as the death of a process or network does: what is on its way is lost, and
  /// both ends are told `why`. Idempotent; any thread; outlives the ends.
  std::function<void(std::string why)> breakLink;
};

/// Connects two event loops: what `first` sends arrives on `second_loop` and the other way round.
/// `delay` (may be empty: none) gives the milliseconds that a message is on its way; messages of
/// one direction never overtake each other.
///
/// Threads: as MessageLink says; an end is destroyed on its own loop or after that has stopped.
/// Bounds:  none; a simulated cluster or an embedded one sends little. A message to a killed
/// process
///          is kept until the pair is gone.
template <class FirstOut, class SecondOut>
InMemoryLinkPair<FirstOut, SecondOut> makeInMemoryLink(EventLoop& first_loop,
                                                       EventLoop& second_loop,
                                                       const LinkDelay& delay = {}) {
  const auto to_first = std::make_shared<InMemoryPipe>(first_loop, delay);
  const auto to_second = std::make_shared<InMemoryPipe>(second_loop, delay);
  const auto at_first = std::make_shared<internal::InMemoryReceiver<SecondOut>>();
  const auto at_second = std::make_shared<internal::InMemoryReceiver<FirstOut>>();
  InMemoryLinkPair<FirstOut, SecondOut> pair;
  pair.first = std::make_unique<internal::InMemoryLink<FirstOut, SecondOut>>(to_second, to_first,
                                                                             at_second, at_first);
  pair.second = std::make_unique<internal::InMemoryLink<SecondOut, FirstOut>>(to_first, to_second,
                                                                              at_first, at_second);
  pair.breakLink = [=](const std::string& why) {
    to_first->end(/*drop_queued=*/true, [at_first, why] {
      if (!at_first->silent.exchange(true)) at_first->on_closed(why);
    });
    to_second->end(/*drop_queued=*/true, [at_second, why] {
      if (!at_second->silent.exchange(true)) at_second->on_closed(why);
    });
  };
  return pair;
}

}  // namespace wiesel::runtime
