#include "checkpoint/metadata/handle_io.h"

#include <string>
#include <utility>
#include <vector>

namespace wiesel::checkpoint {
namespace {

using state::DistributionMode;
using state::IncrementalHandle;
using state::KeyedStateHandle;
using state::KeyGroupRange;
using state::KeyGroupsHandle;
using state::OperatorStateHandle;
using state::SnapshotFile;
using state::StreamHandle;

constexpr uint8_t kNoHandle = 0;
constexpr uint8_t kOperatorHandle = 4;

void writeOffsets(const std::vector<int64_t>& offsets, DataOutput& output) {
  output.writeInt(static_cast<int32_t>(offsets.size()));
  for (const int64_t offset : offsets) output.writeLong(offset);
}

void readOffsets(int32_t count, DataInput& input, std::vector<int64_t>& offsets) {
  offsets.reserve(count);
  for (int32_t i = 0; i < count && input.ok(); ++i) offsets.push_back(input.readLong());
}

int64_t readSize(DataInput& input) {
  const int64_t size = input.readLong();
  if (size < 0) input.fail("a negative size");
  return size;
}

/// Reads the first key group and the number of them.
KeyGroupRange readKeyGroups(DataInput& input) {
  const int32_t start = input.readInt();
  const int32_t count = input.readInt();
  const bool valid = start >= 0 && count >= 0 && start <= kMaxMaxParallelism &&
                     count <= kMaxMaxParallelism - start;
  if (input.ok() && !valid) input.fail("key groups out of bounds");
  return input.ok() ? KeyGroupRange{start, start + count - 1} : KeyGroupRange{};
}

void writeKeyGroups(const KeyGroupRange& range, DataOutput& output) {
  output.writeInt(range.start);
  output.writeInt(range.size());
}

void writeFiles(const std::vector<SnapshotFile>& files, DataOutput& output) {
  output.writeInt(static_cast<int32_t>(files.size()));
  for (const SnapshotFile& file : files) {
    output.writeUtf(file.local_name);
    writeStreamHandle(file.stream, output);
  }
}

std::vector<SnapshotFile> readFiles(DataInput& input) {
  std::vector<SnapshotFile> files;
  const int32_t count = input.readCount(3);
  for (int32_t i = 0; i < count && input.ok(); ++i) {
    SnapshotFile file;
    file.local_name = input.readUtf();
    file.stream = readStreamHandle(input);
    files.push_back(std::move(file));
  }
  return files;
}

void write(const KeyGroupsHandle& handle, DataOutput& output) {
  writeKeyGroups(handle.key_groups, output);
  for (const int64_t offset : handle.offsets) output.writeLong(offset);
  writeStreamHandle(handle.stream, output);
  if (handle.format == KeyGroupsHandle::Format::kHeap) output.writeUtf(handle.id);
}

KeyGroupsHandle readKeyGroupsHandle(uint8_t type, DataInput& input) {
  KeyGroupsHandle handle;
  handle.format = static_cast<KeyGroupsHandle::Format>(type);
  handle.key_groups = readKeyGroups(input);
  readOffsets(handle.key_groups.size(), input, handle.offsets);
  handle.stream = readStreamHandle(input);
  if (handle.format == KeyGroupsHandle::Format::kHeap) handle.id = input.readUtf();
  return handle;
}

void write(const IncrementalHandle& handle, DataOutput& output) {
  const bool current = handle.format == IncrementalHandle::Format::kCurrent;
  output.writeLong(handle.checkpoint_id);
  output.writeUtf(handle.backend_id);
  writeKeyGroups(handle.key_groups, output);
  if (current) output.writeLong(handle.checkpointed_size);
  writeStreamHandle(handle.metadata, output);
  writeFiles(handle.shared_files, output);
  writeFiles(handle.private_files, output);
  if (current) output.writeUtf(handle.id);
}

IncrementalHandle readIncrementalHandle(uint8_t type, DataInput& input) {
  IncrementalHandle handle;
  handle.format = static_cast<IncrementalHandle::Format>(type);
  const bool current = handle.format == IncrementalHandle::Format::kCurrent;
  handle.checkpoint_id = input.readLong();
  handle.backend_id = input.readUtf();
  handle.key_groups = readKeyGroups(input);
  if (current) handle.checkpointed_size = input.readLong();
  handle.metadata = readStreamHandle(input);
  handle.shared_files = readFiles(input);
  handle.private_files = readFiles(input);
  if (current) handle.id = input.readUtf();
  return handle;
}

}  // namespace

void writeStreamHandle(const StreamHandle& handle, DataOutput& output) {
  output.writeByte(static_cast<uint8_t>(handle.kind));
  switch (handle.kind) {
    case StreamHandle::Kind::kNone:
      return;
    case StreamHandle::Kind::kInline:
      output.writeUtf(handle.name);
      output.writeSizedBytes(handle.bytes);
      return;
    case StreamHandle::Kind::kFile:
      output.writeLong(handle.size);
      output.writeUtf(handle.name);
      return;
    case StreamHandle::Kind::kRelative:
      output.writeUtf(handle.name);
      output.writeLong(handle.size);
      return;
  }
}

StreamHandle readStreamHandle(DataInput& input) {
  StreamHandle handle;
  const uint8_t type = input.readByte();
  handle.kind = static_cast<StreamHandle::Kind>(type);
  switch (handle.kind) {
    case StreamHandle::Kind::kNone:
      return handle;
    case StreamHandle::Kind::kInline:
      handle.name = input.readUtf();
      handle.bytes = input.readSizedBytes();
      handle.size = static_cast<int64_t>(handle.bytes.size());
      return handle;
    case StreamHandle::Kind::kFile:
      handle.size = readSize(input);
      handle.name = input.readUtf();
      return handle;
    case StreamHandle::Kind::kRelative:
      handle.name = input.readUtf();
      handle.size = readSize(input);
      return handle;
  }
  input.fail("stream handle type " + std::to_string(type) + " is not supported");
  return StreamHandle{};
}

void writeKeyedHandle(const std::optional<KeyedStateHandle>& handle, DataOutput& output) {
  if (!handle) {
    output.writeByte(kNoHandle);
    return;
  }
  std::visit(
      [&](const auto& one) {
        output.writeByte(static_cast<uint8_t>(one.format));
        write(one, output);
      },
      *handle);
}

std::optional<KeyedStateHandle> readKeyedHandle(DataInput& input) {
  const uint8_t type = input.readByte();
  switch (type) {
    case kNoHandle:
      return std::nullopt;
    case static_cast<uint8_t>(KeyGroupsHandle::Format::kHeapOld):
    case static_cast<uint8_t>(KeyGroupsHandle::Format::kCanonical):
    case static_cast<uint8_t>(KeyGroupsHandle::Format::kHeap):
      return readKeyGroupsHandle(type, input);
    case static_cast<uint8_t>(IncrementalHandle::Format::kOld):
    case static_cast<uint8_t>(IncrementalHandle::Format::kCurrent):
      return readIncrementalHandle(type, input);
    default:
      input.fail("keyed state handle type " + std::to_string(type) + " is not supported");
      return std::nullopt;
  }
}

void writeOperatorHandle(const OperatorStateHandle& handle, DataOutput& output) {
  output.writeByte(kOperatorHandle);
  output.writeInt(static_cast<int32_t>(handle.states.size()));
  for (const OperatorStateHandle::State& state : handle.states) {
    output.writeUtf(state.name);
    output.writeByte(static_cast<uint8_t>(state.mode));
    writeOffsets(state.offsets, output);
  }
  writeStreamHandle(handle.stream, output);
}

std::optional<OperatorStateHandle> readOperatorHandle(DataInput& input) {
  const uint8_t type = input.readByte();
  if (type == kNoHandle) return std::nullopt;
  if (type != kOperatorHandle) {
    input.fail("operator state handle type " + std::to_string(type) + " is not supported");
    return std::nullopt;
  }
  OperatorStateHandle handle;
  const int32_t count = input.readCount(7);
  for (int32_t i = 0; i < count && input.ok(); ++i) {
    OperatorStateHandle::State state;
    state.name = input.readUtf();
    const uint8_t mode = input.readByte();
    if (mode > static_cast<uint8_t>(DistributionMode::kBroadcast)) {
      input.fail("distribution mode " + std::to_string(mode) + " is unknown");
    }
    state.mode = static_cast<DistributionMode>(mode);
    readOffsets(input.readCount(8), input, state.offsets);
    handle.states.push_back(std::move(state));
  }
  handle.stream = readStreamHandle(input);
  return handle;
}

void writeChannelHandle(const ChannelHandle& handle, DataOutput& output) {
  output.writeInt(handle.subtask);
  for (const int32_t part : handle.channel) output.writeInt(part);
  writeOffsets(handle.offsets, output);
  output.writeLong(handle.size);
  writeStreamHandle(handle.stream, output);
}

ChannelHandle readChannelHandle(DataInput& input) {
  ChannelHandle handle;
  handle.subtask = input.readInt();
  for (int32_t& part : handle.channel) part = input.readInt();
  readOffsets(input.readCount(8), input, handle.offsets);
  handle.size = input.readLong();
  handle.stream = readStreamHandle(input);
  return handle;
}

}  // namespace wiesel::checkpoint
