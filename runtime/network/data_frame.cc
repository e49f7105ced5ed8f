#include "runtime/network/data_frame.h"

#include <algorithm>
#include <exception>

#include "absl/strings/str_format.h"

namespace wiesel::runtime {

namespace {

enum class FrameType : uint8_t {
  kHello = 1,
  kSubscribe = 2,
  kCredit = 3,
  kCancel = 4,
  kBatch = 5,
  kControl = 6,
  kLost = 7,
};

constexpr int32_t kMagic = 0x57444154;  // "WDAT".
constexpr size_t kMaxNameBytes = 1024;  // Of scopes, vertex ids and reasons.

void writeType(FrameType type, DataOutput& message) {
  message.writeByte(static_cast<uint8_t>(type));
}

bool isControlCharacter(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// Names end up in lines of logs.
void writeName(std::string_view name, DataOutput& message) {
  std::string line(name.substr(0, kMaxNameBytes));
  std::replace_if(line.begin(), line.end(), isControlCharacter, ' ');
  message.writeSizedBytes(line);
}

std::string readName(DataInput& input) {
  const std::string_view name = input.readSizedBytes();
  if (name.size() > kMaxNameBytes) input.fail("a name is longer than 1024 bytes");
  if (std::any_of(name.begin(), name.end(), isControlCharacter)) {
    input.fail("a name holds a control character");
  }
  return input.ok() ? std::string(name) : std::string();
}

int32_t readChannel(DataInput& input) {
  const int32_t channel = input.readInt();
  if (channel < 0) input.fail("a channel number is negative");
  return channel;
}

HelloFrame readHello(DataInput& input) {
  if (input.readInt() != kMagic) input.fail("the peer does not speak the data plane's protocol");
  HelloFrame frame;
  frame.version = input.readInt();
  frame.scope = readName(input);
  return frame;
}

SubscribeFrame readSubscribe(DataInput& input) {
  SubscribeFrame frame;
  frame.channel = readChannel(input);
  frame.credit = input.readInt();
  frame.address.vertex_id = readName(input);
  frame.address.output_index = input.readInt();
  frame.address.subtask = input.readInt();
  frame.address.attempt = input.readInt();
  frame.address.subpartition = input.readInt();
  return frame;
}

CreditFrame readCredit(DataInput& input) {
  CreditFrame frame;
  frame.channel = readChannel(input);
  frame.credit = input.readInt();
  return frame;
}

BatchFrame readBatch(DataInput& input) {
  BatchFrame frame;
  frame.channel = readChannel(input);
  frame.bytes = input.readSizedBytes();
  return frame;
}

ControlFrame readControl(DataInput& input) {
  ControlFrame frame;
  frame.channel = readChannel(input);
  const uint8_t kind = input.readByte();
  frame.value = input.readLong();
  frame.timestamp_ms = input.readLong();
  frame.kind = static_cast<StreamElement::Kind>(kind);
  if (frame.kind == StreamElement::Kind::kBatch ||
      kind > static_cast<uint8_t>(StreamElement::Kind::kCancellation)) {
    input.fail(absl::StrFormat("%d is no kind of control element", kind));
  }
  return frame;
}

LostFrame readLost(DataInput& input) {
  LostFrame frame;
  frame.channel = readChannel(input);
  frame.reason = readName(input);
  return frame;
}

DataFrame readFrame(DataInput& input) {
  const uint8_t type = input.readByte();
  switch (static_cast<FrameType>(type)) {
    case FrameType::kHello:
      return readHello(input);
    case FrameType::kSubscribe:
      return readSubscribe(input);
    case FrameType::kCredit:
      return readCredit(input);
    case FrameType::kCancel:
      return CancelFrame{readChannel(input)};
    case FrameType::kBatch:
      return readBatch(input);
    case FrameType::kControl:
      return readControl(input);
    case FrameType::kLost:
      return readLost(input);
  }
  input.fail(absl::StrFormat("%d is no type of frame", type));
  return HelloFrame{};
}

absl::Status serialize(const BatchBase& batch, DataOutput& message) {
  try {
    batch.serialize(message);
    return absl::OkStatus();
  } catch (const std::exception& error) {
    return absl::UnknownError(absl::StrFormat("the serializer threw: %s", error.what()));
  } catch (...) {
    return absl::UnknownError("the serializer threw a value that is no std::exception");
  }
}

}  // namespace

void writeFrame(const HelloFrame& frame, DataOutput& message) {
  writeType(FrameType::kHello, message);
  message.writeInt(kMagic);
  message.writeInt(frame.version);
  writeName(frame.scope, message);
}

void writeFrame(const SubscribeFrame& frame, DataOutput& message) {
  writeType(FrameType::kSubscribe, message);
  message.writeInt(frame.channel);
  message.writeInt(frame.credit);
  writeName(frame.address.vertex_id, message);
  message.writeInt(frame.address.output_index);
  message.writeInt(frame.address.subtask);
  message.writeInt(frame.address.attempt);
  message.writeInt(frame.address.subpartition);
}

void writeFrame(const CreditFrame& frame, DataOutput& message) {
  writeType(FrameType::kCredit, message);
  message.writeInt(frame.channel);
  message.writeInt(frame.credit);
}

void writeFrame(const CancelFrame& frame, DataOutput& message) {
  writeType(FrameType::kCancel, message);
  message.writeInt(frame.channel);
}

void writeFrame(const ControlFrame& frame, DataOutput& message) {
  writeType(FrameType::kControl, message);
  message.writeInt(frame.channel);
  message.writeByte(static_cast<uint8_t>(frame.kind));
  message.writeLong(frame.value);
  message.writeLong(frame.timestamp_ms);
}

void writeFrame(const LostFrame& frame, DataOutput& message) {
  writeType(FrameType::kLost, message);
  message.writeInt(frame.channel);
  writeName(frame.reason, message);
}

absl::Status writeBatchFrame(int32_t channel, const BatchBase& batch, DataOutput& message) {
  const size_t begin = message.size();
  writeType(FrameType::kBatch, message);
  message.writeInt(channel);
  const size_t length_position = message.size();
  message.writeInt(0);
  if (absl::Status status = serialize(batch, message); !status.ok()) {
    message.truncate(begin);
    return status;
  }
  const size_t length = message.size() - length_position - sizeof(int32_t);
  if (length > kMaxBatchBytes) {
    message.truncate(begin);
    return absl::ResourceExhaustedError(absl::StrFormat(
        "a batch of %d records has %d bytes, more than the %d that fit into one message; make the "
        "records smaller",
        batch.size(), length, kMaxBatchBytes));
  }
  message.patchInt(length_position, static_cast<int32_t>(length));
  return absl::OkStatus();
}

std::optional<DataFrame> FrameReader::next() {
  if (!input_.ok() || input_.atEnd()) return std::nullopt;
  DataFrame frame = readFrame(input_);
  if (!input_.ok()) return std::nullopt;
  return frame;
}

std::string channelText(const ChannelAddress& address) {
  return absl::StrFormat("from subtask %d (attempt %d) of vertex %s, output %d, subpartition %d",
                         address.subtask, address.attempt, address.vertex_id, address.output_index,
                         address.subpartition);
}

}  // namespace wiesel::runtime
