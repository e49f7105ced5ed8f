#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/status.h"
#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "runtime/network/data_transport.h"
#include "runtime/network/stream_element.h"

namespace wiesel::runtime {

/// The language that two ends of a data connection speak: each message is a sequence of frames. The
/// grammar is in docs/formats/data_plane.md; raise the version with every change of it.
inline constexpr int32_t kDataPlaneVersion = 2;

/// The longest serialized batch. Flink's bound is a record of 2 GiB; here all records of a batch
/// count together.
inline constexpr size_t kMaxBatchBytes = size_t{256} * 1024 * 1024;

/// The longest message that an end accepts: the longest batch behind a message's worth of frames.
inline constexpr size_t kMaxDataMessageBytes = kMaxBatchBytes + size_t{1024} * 1024;

/// Opens the conversation, both ways. Ends of different scopes (jobs) do not talk to each other.
struct HelloFrame {
  int32_t version = kDataPlaneVersion;
  std::string scope;
};

/// Consumer: send me the channel `address` under the number `channel`, which I have not used
/// before and which is greater than all that I have used, and `credit` batches of it.
struct SubscribeFrame {
  int32_t channel = 0;
  int32_t credit = 0;
  ChannelAddress address;
};

/// Consumer: so many batches more.
struct CreditFrame {
  int32_t channel = 0;
  int32_t credit = 0;
};

/// Consumer: no more of this channel.
struct CancelFrame {
  int32_t channel = 0;
};

/// Producer: a batch, serialized.
struct BatchFrame {
  int32_t channel = 0;
  std::string_view bytes;  // Borrowed from the message.
};

/// Producer: an element that is no batch. The end of the partition is the channel's last frame.
struct ControlFrame {
  int32_t channel = 0;
  StreamElement::Kind kind = StreamElement::Kind::kEndOfPartition;
  int64_t value = 0;
  int64_t timestamp_ms = 0;
};

/// Producer: nothing more will come, although the partition has not ended. The channel's last
/// frame.
struct LostFrame {
  int32_t channel = 0;
  std::string reason;
};

using DataFrame = std::variant<HelloFrame, SubscribeFrame, CreditFrame, CancelFrame, BatchFrame,
                               ControlFrame, LostFrame>;

void writeFrame(const HelloFrame& frame, DataOutput& message);
void writeFrame(const SubscribeFrame& frame, DataOutput& message);
void writeFrame(const CreditFrame& frame, DataOutput& message);
void writeFrame(const CancelFrame& frame, DataOutput& message);
void writeFrame(const ControlFrame& frame, DataOutput& message);
void writeFrame(const LostFrame& frame, DataOutput& message);

/// Writes a BatchFrame. On an error nothing is written: ResourceExhausted when the bytes would be
/// more than kMaxBatchBytes, Unknown when the user's serializer throws.
absl::Status writeBatchFrame(int32_t channel, const BatchBase& batch, DataOutput& message);

/// Takes a message from a peer apart. Believes nothing: the first frame that is not well-formed
/// ends the reading, and no memory is taken on the word of a length.
///
/// Borrows: the message, also by the frames.
class FrameReader {
 public:
  explicit FrameReader(std::string_view message) : input_(message) {}

  /// The next frame; nullopt at the end of the message or when it is malformed.
  std::optional<DataFrame> next();

  bool ok() const { return input_.ok(); }
  const std::string& error() const { return input_.error(); }

 private:
  DataInput input_;
};

/// Names a channel in messages to people.
std::string channelText(const ChannelAddress& address);

}  // namespace wiesel::runtime
