#include "runtime/network/data_server_session.h"

#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "common/status_macros.h"

namespace wiesel::runtime {

DataServerSession::DataServerSession(DataServer& server) : server_(server) {}

void DataServerSession::onOpened(DataConnection& connection) {
  MutexLock lock(mutex_);
  if (closed_) {
    connection.close("the producer's worker is shutting down");
    return;
  }
  connection_ = &connection;
}

void DataServerSession::onClosed(const std::string& why) {
  size_t unfinished = 0;
  {
    MutexLock lock(mutex_);
    connection_ = nullptr;
    if (std::exchange(closed_, true)) return;
    unfinished = channels_.size();
    removeAll();
  }
  if (unfinished > 0) {
    WIESEL_LOG(INFO) << absl::StrFormat(
        "Lost the data connection of a consumer (unfinished_channels=%d): %s", unfinished, why);
  }
  server_.forget(shared_from_this());
}

void DataServerSession::shutDown() {
  MutexLock lock(mutex_);
  closed_ = true;
  removeAll();
  if (connection_ != nullptr) connection_->close("the producer's worker is shutting down");
}

// ---- What the consumer says ----

void DataServerSession::onMessage(std::string_view message) {
  FrameReader reader(message);
  while (std::optional<DataFrame> frame = reader.next()) {
    {
      MutexLock lock(mutex_);
      if (closed_) return;
    }
    const absl::Status status = take(*frame);
    if (!status.ok()) return refuse(std::string(status.message()));
  }
  if (!reader.ok()) refuse(reader.error());
}

absl::Status DataServerSession::take(const DataFrame& frame) {
  if (const auto* hello = std::get_if<HelloFrame>(&frame)) return takeHello(*hello);
  if (!greeted_) return absl::InvalidArgumentError("the first frame is no hello");
  if (const auto* subscribe = std::get_if<SubscribeFrame>(&frame)) return takeSubscribe(*subscribe);
  if (const auto* credit = std::get_if<CreditFrame>(&frame)) return takeCredit(*credit);
  if (const auto* cancel = std::get_if<CancelFrame>(&frame)) return takeCancel(*cancel);
  return absl::InvalidArgumentError("a consumer sent a frame that only producers send");
}

absl::Status DataServerSession::takeHello(const HelloFrame& frame) {
  if (frame.version != kDataPlaneVersion) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the consumer speaks version %d of the data plane, this worker version %d; run one version "
        "of Wiesel on all machines",
        frame.version, kDataPlaneVersion));
  }
  if (frame.scope != server_.options().scope) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the consumer belongs to '%s', this worker to '%s'", frame.scope, server_.options().scope));
  }
  if (std::exchange(greeted_, true)) return absl::InvalidArgumentError("a second hello");
  MutexLock lock(mutex_);
  writeFrame(HelloFrame{kDataPlaneVersion, frame.scope}, urgent_);
  startPump();
  return absl::OkStatus();
}

absl::Status DataServerSession::takeSubscribe(const SubscribeFrame& frame) {
  if (frame.channel <= last_number_) {
    return absl::InvalidArgumentError(
        absl::StrFormat("channel number %d was used before", frame.channel));
  }
  last_number_ = frame.channel;
  auto channel = std::make_shared<Channel>();
  channel->number = frame.channel;
  channel->address = frame.address;
  if (!channel->credit.add(frame.credit)) {
    return absl::InvalidArgumentError(absl::StrFormat("%d credits at once", frame.credit));
  }
  {
    MutexLock lock(mutex_);
    if (channels_.size() >= kMaxChannels) {
      return absl::ResourceExhaustedError(
          absl::StrFormat("more than %d channels in one connection", kMaxChannels));
    }
    channels_.emplace(frame.channel, channel);
  }
  absl::StatusOr<std::shared_ptr<ChannelQueue>> queue =
      server_.subscribe(frame.address, shared_from_this(), frame.channel);
  if (!queue.ok()) {
    lose(frame.channel, std::string(queue.status().message()));
  } else if (*queue != nullptr) {
    attach(frame.channel, *std::move(queue));
  }
  return absl::OkStatus();
}

absl::Status DataServerSession::takeCredit(const CreditFrame& frame) {
  if (frame.channel > last_number_) {
    return absl::InvalidArgumentError(
        absl::StrFormat("credit for channel number %d, which does not exist", frame.channel));
  }
  MutexLock lock(mutex_);
  const auto found = channels_.find(frame.channel);
  if (found == channels_.end()) return absl::OkStatus();  // Ended while the credit was on its way.
  if (!found->second->credit.add(frame.credit)) {
    return absl::InvalidArgumentError(absl::StrFormat("%d credits too many", frame.credit));
  }
  list(found->second);
  return absl::OkStatus();
}

absl::Status DataServerSession::takeCancel(const CancelFrame& frame) {
  ChannelAddress address;
  {
    MutexLock lock(mutex_);
    const auto found = channels_.find(frame.channel);
    if (found == channels_.end()) return absl::OkStatus();
    const std::shared_ptr<Channel> channel = found->second;
    address = channel->address;
    remove(*channel);
  }
  server_.cancel(address, shared_from_this());
  return absl::OkStatus();
}

void DataServerSession::refuse(const std::string& why) {
  std::string peer;
  {
    MutexLock lock(mutex_);
    if (std::exchange(closed_, true)) return;
    removeAll();
    if (connection_ != nullptr) {
      peer = connection_->peer();
      connection_->close(why);
    }
  }
  WIESEL_LOG(WARN) << "Closed the data connection of consumer " << peer << ": " << why;
  server_.forget(shared_from_this());
}

// ---- Which channels have something to send ----

void DataServerSession::attach(int32_t number, std::shared_ptr<ChannelQueue> queue) {
  MutexLock lock(mutex_);
  const auto found = channels_.find(number);
  if (closed_ || found == channels_.end()) return;
  queue->setConsumerWakeup([session = weak_from_this(), number] {
    if (const auto self = session.lock()) self->wake(number);
  });
  found->second->queue = std::move(queue);
  list(found->second);
}

void DataServerSession::lose(int32_t number, const std::string& reason) {
  MutexLock lock(mutex_);
  const auto found = channels_.find(number);
  if (closed_ || found == channels_.end()) return;
  const std::shared_ptr<Channel> channel = found->second;
  remove(*channel);
  writeFrame(LostFrame{number, reason}, urgent_);
  startPump();
}

void DataServerSession::wake(int32_t number) {
  MutexLock lock(mutex_);
  const auto found = channels_.find(number);
  if (found != channels_.end()) list(found->second);
}

void DataServerSession::list(const std::shared_ptr<Channel>& channel) {
  if (channel->queue == nullptr || channel->gone || std::exchange(channel->listed, true)) return;
  ready_.push_back(channel);
  startPump();
}

void DataServerSession::startPump() {
  // With a message waiting for its turn there is nothing to do before onWritten().
  if (closed_ || pumping_ || next_.has_value()) return;
  pumping_ = true;
  server_.executor().execute([self = shared_from_this()] { self->pump(); });
}

bool DataServerSession::hasWork() const { return !ready_.empty() || urgent_.size() > 0; }

void DataServerSession::remove(Channel& channel) {
  channel.gone = true;
  if (channel.queue != nullptr) channel.queue->setConsumerWakeup(nullptr);
  channels_.erase(channel.number);
}

void DataServerSession::removeAll() {
  while (!channels_.empty()) remove(*std::shared_ptr<Channel>(channels_.begin()->second));
  ready_.clear();
  next_.reset();
}

// ---- The pump: at most one thread at a time ----

void DataServerSession::onWritten() {
  {
    MutexLock lock(mutex_);
    writing_ = false;
    if (closed_) return;
    if (next_.has_value()) writeOrKeep(*std::exchange(next_, std::nullopt));
    if (pumping_ || !hasWork()) return;
    pumping_ = true;
  }
  pump();
}

void DataServerSession::writeOrKeep(DataOutput message) {
  if (writing_) {
    next_ = std::move(message);
    return;
  }
  writing_ = true;
  connection_->write(std::move(message));
}

void DataServerSession::pump() {
  while (true) {
    DataOutput message;
    {
      MutexLock lock(mutex_);
      if (closed_ || connection_ == nullptr || next_.has_value() || !hasWork()) {
        pumping_ = false;
        return;
      }
      message = connection_->newMessage();
    }
    if (!fill(message) || message.size() == 0) continue;
    MutexLock lock(mutex_);
    if (!closed_) writeOrKeep(std::move(message));
  }
}

bool DataServerSession::fill(DataOutput& message) {
  while (message.size() < server_.options().message_bytes) {
    std::shared_ptr<Channel> channel;
    int32_t credit = 0;
    {
      MutexLock lock(mutex_);
      if (closed_) return false;
      message.writeRaw(urgent_.view());
      urgent_.clear();
      if (ready_.empty()) break;
      channel = std::move(ready_.front());
      ready_.pop_front();
      channel->listed = false;
      if (channel->gone) continue;
      credit = channel->credit.available();
    }
    finishDrain(channel, drain(*channel, credit, message));
  }
  return true;
}

DataServerSession::Drained DataServerSession::drain(Channel& channel, int32_t credit,
                                                    DataOutput& message) {
  Drained drained;
  while (true) {
    if (message.size() >= server_.options().message_bytes) {
      drained.more = true;
      return drained;
    }
    std::optional<StreamElement> element =
        channel.held.has_value() ? std::exchange(channel.held, std::nullopt) : channel.queue->pop();
    if (!element.has_value()) return drained;
    if (element->kind == StreamElement::Kind::kBatch) {
      if (drained.batches == credit) {
        channel.held = std::move(element);
        return drained;
      }
      drained.status = writeBatchFrame(channel.number, *element->batch, message);
      if (!drained.status.ok()) return drained;
      ++drained.batches;
      continue;
    }
    writeFrame(ControlFrame{channel.number, element->kind, element->value, element->timestamp_ms},
               message);
    if (element->kind == StreamElement::Kind::kEndOfPartition) {
      drained.ended = true;
      return drained;
    }
  }
}

void DataServerSession::finishDrain(const std::shared_ptr<Channel>& channel,
                                    const Drained& drained) {
  MutexLock lock(mutex_);
  if (channel->gone) return;
  channel->credit.spend(drained.batches);
  if (!drained.status.ok()) {
    remove(*channel);
    writeFrame(LostFrame{channel->number, std::string(drained.status.message())}, urgent_);
  } else if (drained.ended) {
    remove(*channel);
  } else if (drained.more) {
    list(channel);
  }
}

}  // namespace wiesel::runtime
