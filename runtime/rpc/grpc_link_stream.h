#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "common/check.h"
#include "common/event_loop.h"
#include "common/log.h"
#include "common/mutex.h"
#include "runtime/rpc/message_link.h"

namespace wiesel::runtime {

/// Messages that one link may hold unsent. A peer that falls further behind is cut off.
inline constexpr size_t kMaxUnsentMessages = 100'000;
/// Received messages that wait for the link's event loop; beyond it, the link stops reading.
inline constexpr int kMaxUndeliveredMessages = 256;

/// What a gRPC bidirectional stream, client's or server's, does for its link: writes one message
/// after the other, delivers on the event loop, and ends in order. The subclass is the reactor.
///
/// Owns:    itself through the subclass, from the start of the call until gRPC's OnDone.
/// Threads: thread-safe. gRPC is never called with the lock held. The owner closes or destroys its
///          link on the event loop (or after that has stopped): then no callback comes later.
template <class Out, class In>
class GrpcLinkStream : public std::enable_shared_from_this<GrpcLinkStream<Out, In>> {
 public:
  using OnMessage = typename MessageLink<Out, In>::OnMessage;
  using OnClosed = typename MessageLink<Out, In>::OnClosed;

  explicit GrpcLinkStream(EventLoop& loop) : loop_(loop) {}
  virtual ~GrpcLinkStream() = default;

  // ---- For the link's owner ----

  void send(Out message) {
    bool too_far_behind = false;
    {
      MutexLock lock(mutex_);
      if (closing_ || broken_) return;
      too_far_behind = unsent_.size() >= kMaxUnsentMessages;
      if (too_far_behind) {
        broken_ = true;
        unsent_.clear();
      } else {
        unsent_.push_back(std::move(message));
      }
    }
    if (!too_far_behind) return sendNext();
    WIESEL_LOG(ERROR) << "Cut off a peer that does not read (unsent_messages=" << kMaxUnsentMessages
                      << ")";
    operate([this] { breakCall(); });
  }

  void start(OnMessage on_message, OnClosed on_closed) {
    WIESEL_CHECK(!on_message_) << "a link is started once";
    on_message_ = std::move(on_message);
    on_closed_ = std::move(on_closed);
    bool ended = false;
    {
      MutexLock lock(mutex_);
      started_ = true;
      ended = ended_;
    }
    ended ? postClosed() : beginCall();
  }

  void close() {
    {
      MutexLock lock(mutex_);
      if (closing_) return;
      closing_ = true;
      silent_ = true;
    }
    sendNext();
    // What the callbacks hold is let go on the loop, where they ran.
    loop_.post([self = this->shared_from_this()] {
      self->on_message_ = nullptr;
      self->on_closed_ = nullptr;
    });
    // A peer that does not answer the end of the stream must not keep it for ever.
    loop_.postAfter(kCloseGraceMs, [stream = this->weak_from_this()] {
      if (auto self = stream.lock()) self->operate([&self] { self->breakCall(); });
    });
  }

 protected:
  // ---- What the subclass does on gRPC's stream ----

  /// start() was called, and the stream has not ended before.
  virtual void beginCall() = 0;
  virtual void readInto(In* message) = 0;
  virtual void write(const Out* message) = 0;
  /// Everything is written. The peer is to learn it.
  virtual void endWriting() = 0;
  /// Makes everything under way fail.
  virtual void breakCall() = 0;
  /// Allows gRPC's OnDone. Called once; nothing else is called after it.
  virtual void release() = 0;

  // ---- What the subclass reports ----

  /// gRPC orders what the threads do to a call, but ThreadSanitizer cannot see how. A thread that
  /// takes the lock comes visibly after all that took it before.
  void takeTurn() { MutexLock lock(mutex_); }

  /// gRPC's call has begun: this is needed until its OnDone.
  void keepAlive() {
    MutexLock lock(mutex_);
    self_ = this->shared_from_this();
  }
  /// The last thing in OnDone: this may be gone when it returns.
  void letGo() {
    std::shared_ptr<GrpcLinkStream> last_owner;  // Destroyed without the lock.
    MutexLock lock(mutex_);
    last_owner.swap(self_);
  }

  /// Messages can be written and read from now on.
  void opened() {
    {
      MutexLock lock(mutex_);
      open_ = true;
    }
    sendNext();
  }

  void readNext() {
    operate([this] { readInto(&incoming_); });
  }

  void onRead() {
    bool full = false;
    {
      MutexLock lock(mutex_);
      if (!silent_) ++undelivered_;
      full = undelivered_ >= kMaxUndeliveredMessages && !cancelled_;
      paused_ = full;
    }
    In message = std::move(incoming_);
    incoming_ = In();
    post([self = this->shared_from_this(), message = std::move(message)]() mutable {
      self->deliver(std::move(message));
    });
    if (!full) readNext();
  }

  void onWritten(bool ok) {
    {
      MutexLock lock(mutex_);
      sending_ = false;
      if (!ok) {
        broken_ = true;
        unsent_.clear();
      }
    }
    sendNext();
    endOperation();
  }

  /// Nothing comes any more: tells the owner, once.
  void onEnded(std::string why) {
    {
      MutexLock lock(mutex_);
      broken_ = true;
      unsent_.clear();
      if (ended_) return;
      ended_ = true;
      why_ended_ = std::move(why);
      if (!started_) return;
    }
    postClosed();
  }

  /// Releases as soon as no operation is under way.
  void releaseWhenIdle() {
    {
      MutexLock lock(mutex_);
      release_wanted_ = true;
      if (released_ || operating_ > 0) return;
      released_ = true;
    }
    release();
  }

  /// The call is broken. True when no read is under way that will report it.
  bool onCancelled() {
    MutexLock lock(mutex_);
    cancelled_ = true;
    return !started_ || paused_;
  }

  /// Calls gRPC unless the stream has been released; the release waits for it.
  template <class Operation>
  void operate(Operation&& operation) {
    {
      MutexLock lock(mutex_);
      if (released_) return;
      ++operating_;
    }
    operation();
    endOperation();
  }

 private:
  static constexpr int64_t kCloseGraceMs = 1000;

  void endOperation() {
    {
      MutexLock lock(mutex_);
      --operating_;
      if (!release_wanted_ || released_ || operating_ > 0) return;
      released_ = true;
    }
    release();
  }

  void sendNext() {
    bool write_next = false;
    {
      MutexLock lock(mutex_);
      if (!open_ || sending_ || broken_ || released_ || ended_writing_) return;
      write_next = !unsent_.empty();
      if (!write_next && !closing_) return;
      ++operating_;
      if (write_next) {
        ++operating_;  // This one lasts until onWritten().
        sending_ = true;
        outgoing_ = std::move(unsent_.front());
        unsent_.pop_front();
      } else {
        ended_writing_ = true;
      }
    }
    write_next ? write(&outgoing_) : endWriting();
    endOperation();
  }

  void deliver(In message) {
    bool resume = false;
    {
      MutexLock lock(mutex_);
      --undelivered_;
      resume = paused_ && undelivered_ <= kMaxUndeliveredMessages / 2;
      if (resume) paused_ = false;
    }
    if (resume) readNext();
    if (!silent_) on_message_(std::move(message));
  }

  void postClosed() {
    post([self = this->shared_from_this()] {
      if (self->silent_) return;
      self->silent_ = true;
      self->on_closed_(self->why_ended_);
    });
  }

  // After close() has returned the loop is not touched: it may be gone.
  void post(std::function<void()> closure) {
    MutexLock lock(mutex_);
    if (!silent_) loop_.post(std::move(closure));
  }

  EventLoop& loop_;  // Not owned.
  OnMessage on_message_;
  OnClosed on_closed_;
  std::atomic<bool> silent_ = false;  // The owner closed the link, or was told that it is closed.
  In incoming_;                       // Belongs to the read under way.
  Out outgoing_;                      // Belongs to the write under way.
  std::string why_ended_;             // Set before ended_, then constant.

  Mutex mutex_;
  std::shared_ptr<GrpcLinkStream> self_ ABSL_GUARDED_BY(mutex_);
  std::deque<Out> unsent_ ABSL_GUARDED_BY(mutex_);
  int undelivered_ ABSL_GUARDED_BY(mutex_) = 0;
  int operating_ ABSL_GUARDED_BY(mutex_) = 0;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  bool sending_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool paused_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool release_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool released_ ABSL_GUARDED_BY(mutex_) = false;
};

/// The owner's end of a GrpcLinkStream.
template <class Out, class In>
class GrpcLink final : public MessageLink<Out, In> {
 public:
  using typename MessageLink<Out, In>::OnMessage;
  using typename MessageLink<Out, In>::OnClosed;

  explicit GrpcLink(std::shared_ptr<GrpcLinkStream<Out, In>> stream) : stream_(std::move(stream)) {}
  ~GrpcLink() override { stream_->close(); }

  void send(Out message) override { stream_->send(std::move(message)); }
  void start(OnMessage on_message, OnClosed on_closed) override {
    stream_->start(std::move(on_message), std::move(on_closed));
  }
  void close() override { stream_->close(); }

 private:
  const std::shared_ptr<GrpcLinkStream<Out, In>> stream_;
};

}  // namespace wiesel::runtime
