#include "runtime/network/data_client_session.h"

#include <exception>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "common/status_macros.h"

namespace wiesel::runtime {

namespace {

absl::StatusOr<std::unique_ptr<BatchBase>> deserialize(const BatchType& type,
                                                       std::string_view bytes) {
  DataInput input(bytes);
  std::unique_ptr<BatchBase> batch;
  try {
    batch = type.deserialize(input);
  } catch (const std::exception& error) {
    return absl::UnknownError(absl::StrFormat("the serializer threw: %s", error.what()));
  } catch (...) {
    return absl::UnknownError("the serializer threw a value that is no std::exception");
  }
  if (batch == nullptr) return absl::DataLossError(input.error());
  if (!input.atEnd()) {
    return absl::DataLossError(absl::StrFormat(
        "%d bytes were left over; do both ends have the same serializer?", input.remaining()));
  }
  return batch;
}

}  // namespace

DataClientSession::DataClientSession(DataClient& client, const std::string& scope,
                                     std::string producer_address)
    : client_(client), scope_(scope), producer_address_(std::move(producer_address)) {
  writeFrame(HelloFrame{kDataPlaneVersion, scope_}, outbox_);
}

void DataClientSession::onOpened(DataConnection& connection) {
  MutexLock lock(mutex_);
  connection_ = &connection;
  if (closed_) {
    connection.close("the consumer's worker is shutting down");
    return;
  }
  flush();
}

void DataClientSession::onClosed(const std::string& why) {
  std::vector<ChannelPointer> lost;
  {
    MutexLock lock(mutex_);
    connection_ = nullptr;
    if (closed_) return;
  }
  // First of all the client must not give this session to anybody any more.
  client_.forget(*this);
  {
    MutexLock lock(mutex_);
    closed_ = true;
    lost = removeAll();
  }
  for (const ChannelPointer& channel : lost) reportLost(*channel, "the connection broke: " + why);
}

void DataClientSession::shutDown() {
  MutexLock lock(mutex_);
  closed_ = true;
  removeAll();
  if (connection_ != nullptr) connection_->close("the consumer's worker is shutting down");
}

// ---- What the task wants ----

bool DataClientSession::subscribe(const Subscription& subscription) {
  MutexLock lock(mutex_);
  if (closed_) return false;
  const int32_t number = next_number_++;
  auto channel = std::make_shared<Channel>(Channel{number, subscription, ReceiveCredit()});
  channels_.emplace(number, channel);
  subscription.queue->setProducerWakeup([session = weak_from_this(), number] {
    if (const auto self = session.lock()) self->giveCredit(number);
  });
  const int32_t credit = channel->credit.grant(subscription.queue->queuedBatches());
  writeFrame(SubscribeFrame{number, credit, subscription.address}, outbox_);
  flush();
  return true;
}

void DataClientSession::releaseAttempt(int32_t attempt) {
  MutexLock lock(mutex_);
  std::vector<ChannelPointer> released;
  for (const auto& [number, channel] : channels_) {
    if (channel->subscription.address.attempt <= attempt) released.push_back(channel);
  }
  for (const ChannelPointer& channel : released) {
    remove(*channel);
    writeFrame(CancelFrame{channel->number}, outbox_);
  }
  flush();
}

void DataClientSession::giveCredit(int32_t number) {
  MutexLock lock(mutex_);
  if (closed_) return;
  // The queue's wakeup must not ask the queue, and comes from the task's thread.
  client_.executor().execute([session = weak_from_this(), number] {
    const auto self = session.lock();
    if (self == nullptr) return;
    MutexLock lock(self->mutex_);
    const auto found = self->channels_.find(number);
    if (found != self->channels_.end()) self->giveCredit(*found->second);
    self->flush();
  });
}

void DataClientSession::giveCredit(Channel& channel) {
  const int32_t credit = channel.credit.grant(channel.subscription.queue->queuedBatches());
  if (credit > 0) writeFrame(CreditFrame{channel.number, credit}, outbox_);
}

// ---- What the producer says ----

void DataClientSession::onMessage(std::string_view message) {
  {
    MutexLock lock(mutex_);
    if (refused_ || closed_) return;
  }
  FrameReader reader(message);
  absl::Status status;
  while (status.ok()) {
    const std::optional<DataFrame> frame = reader.next();
    if (!frame.has_value()) break;
    status = take(*frame);
  }
  if (!status.ok()) return refuse(std::string(status.message()));
  if (!reader.ok()) return refuse(reader.error());
  MutexLock lock(mutex_);
  flush();
}

absl::Status DataClientSession::take(const DataFrame& frame) {
  if (const auto* hello = std::get_if<HelloFrame>(&frame)) return takeHello(*hello);
  if (!greeted_) return absl::InvalidArgumentError("the first frame is no hello");
  if (const auto* batch = std::get_if<BatchFrame>(&frame)) return takeBatch(*batch);
  if (const auto* control = std::get_if<ControlFrame>(&frame)) return takeControl(*control);
  if (const auto* lost = std::get_if<LostFrame>(&frame)) return takeLost(*lost);
  return absl::InvalidArgumentError("a producer sent a frame that only consumers send");
}

absl::Status DataClientSession::takeHello(const HelloFrame& frame) {
  if (std::exchange(greeted_, true)) return absl::InvalidArgumentError("a second hello");
  if (frame.version == kDataPlaneVersion && frame.scope == scope_) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrFormat("the producer speaks version %d of the data plane for '%s', this worker "
                      "version %d for '%s'",
                      frame.version, frame.scope, kDataPlaneVersion, scope_));
}

absl::Status DataClientSession::takeBatch(const BatchFrame& frame) {
  WIESEL_ASSIGN_OR_RETURN(const ChannelPointer channel, find(frame.channel));
  if (channel == nullptr) return absl::OkStatus();
  {
    MutexLock lock(mutex_);
    if (channel->credit.out() == 0) return absl::InvalidArgumentError("a batch without credit");
  }
  const Subscription& subscription = channel->subscription;
  absl::StatusOr<std::unique_ptr<BatchBase>> batch = deserialize(*subscription.type, frame.bytes);
  if (!batch.ok()) {
    loseChannel(*channel, absl::StrFormat("a batch of %d bytes could not be read: %s",
                                          frame.bytes.size(), batch.status().message()));
    return absl::OkStatus();
  }
  subscription.queue->push(StreamElement::ofBatch(*std::move(batch)));
  // Only now is the credit used up: until it is in the queue the batch must count as on its way.
  MutexLock lock(mutex_);
  channel->credit.onBatch();
  giveCredit(*channel);
  return absl::OkStatus();
}

absl::Status DataClientSession::takeControl(const ControlFrame& frame) {
  WIESEL_ASSIGN_OR_RETURN(const ChannelPointer channel, find(frame.channel));
  if (channel == nullptr) return absl::OkStatus();
  if (frame.kind == StreamElement::Kind::kEndOfPartition) {
    MutexLock lock(mutex_);
    remove(*channel);
  }
  channel->subscription.queue->push(
      StreamElement{frame.kind, frame.value, frame.timestamp_ms, nullptr});
  return absl::OkStatus();
}

absl::Status DataClientSession::takeLost(const LostFrame& frame) {
  WIESEL_ASSIGN_OR_RETURN(const ChannelPointer channel, find(frame.channel));
  if (channel != nullptr) loseChannel(*channel, frame.reason);
  return absl::OkStatus();
}

absl::StatusOr<DataClientSession::ChannelPointer> DataClientSession::find(int32_t number) {
  MutexLock lock(mutex_);
  const auto found = channels_.find(number);
  if (found != channels_.end()) return found->second;
  if (closed_ || number < next_number_) return ChannelPointer();
  return absl::InvalidArgumentError(
      absl::StrFormat("a frame for channel number %d, which does not exist", number));
}

void DataClientSession::refuse(const std::string& why) {
  WIESEL_LOG(WARN) << "Closed the data connection to producer " << producer_address_ << ": " << why;
  MutexLock lock(mutex_);
  refused_ = true;
  if (connection_ != nullptr) connection_->close(why);
}

// ---- Bookkeeping ----

bool DataClientSession::remove(Channel& channel) {
  if (channels_.erase(channel.number) == 0) return false;
  channel.subscription.queue->setProducerWakeup(nullptr);
  return true;
}

std::vector<DataClientSession::ChannelPointer> DataClientSession::removeAll() {
  std::vector<ChannelPointer> removed;
  for (const auto& [number, channel] : channels_) removed.push_back(channel);
  for (const ChannelPointer& channel : removed) remove(*channel);
  return removed;
}

void DataClientSession::loseChannel(Channel& channel, const std::string& why) {
  {
    MutexLock lock(mutex_);
    if (!remove(channel)) return;  // Nobody wants to know any more.
    writeFrame(CancelFrame{channel.number}, outbox_);
  }
  reportLost(channel, why);
}

void DataClientSession::reportLost(const Channel& channel, const std::string& why) const {
  channel.subscription.on_lost(absl::StrFormat("lost the channel %s at %s: %s",
                                               channelText(channel.subscription.address),
                                               producer_address_, why));
}

void DataClientSession::onWritten() {
  MutexLock lock(mutex_);
  writing_ = false;
  flush();
}

void DataClientSession::flush() {
  if (closed_ || refused_ || connection_ == nullptr || writing_ || outbox_.size() == 0) return;
  writing_ = true;
  connection_->write(std::exchange(outbox_, DataOutput()));
}

}  // namespace wiesel::runtime
