#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "state/key_group.h"

namespace wiesel::state {

/// Where the bytes of one state stream are: in the handle itself, or in a file.
///
/// Flink: StreamStateHandle with ByteStreamStateHandle, FileStateHandle and RelativeFileStateHandle
/// (1.20). The checksum is ours; it travels in our RPC and in _wiesel.json, not in _metadata.
struct StreamHandle {
  /// The values are the type bytes of _metadata.
  enum class Kind : uint8_t { kNone = 0, kInline = 1, kFile = 2, kRelative = 6 };

  Kind kind = Kind::kNone;
  std::string name;   // kInline: an identity only. kFile: path or URI. kRelative: file name in
                      // the checkpoint's own directory.
  std::string bytes;  // kInline only.
  int64_t size = 0;   // Bytes of the stream, for every kind.
  /// checksum64 of a file's bytes; 0: unknown, nothing to check. Not kInline.
  uint64_t checksum = 0;

  bool isNone() const { return kind == Kind::kNone; }
  bool operator==(const StreamHandle&) const = default;
};

/// Keyed state as one stream, cut by key group: all of the hashmap backend's, and savepoints.
///
/// Flink: KeyGroupsSavepointStateHandle and KeyGroupsStateHandle (1.20).
struct KeyGroupsHandle {
  /// The values are the type bytes of _metadata; they also say which format the stream has.
  enum class Format : uint8_t {
    kHeapOld = 3,    // As kHeap, without an id; read, never written.
    kCanonical = 7,  // Savepoints, for every backend.
    kHeap = 12,      // The hashmap backend's own.
  };

  Format format = Format::kHeap;
  KeyGroupRange key_groups;
  std::vector<int64_t> offsets;  // One per key group; in kCanonical 0 means "is empty".
  StreamHandle stream;
  std::string id;  // kHeap only: unique.

  bool operator==(const KeyGroupsHandle&) const = default;
};

/// One file of a RocksDB snapshot.
struct SnapshotFile {
  std::string local_name;  // Its name in the database's directory, such as "000012.sst".
  StreamHandle stream;

  bool operator==(const SnapshotFile&) const = default;
};

/// Keyed state as the files of a RocksDB database, also when the checkpoint is not incremental.
///
/// Flink: IncrementalRemoteKeyedStateHandle (1.20).
struct IncrementalHandle {
  /// The values are the type bytes of _metadata.
  enum class Format : uint8_t { kOld = 5, kCurrent = 11 };

  Format format = Format::kCurrent;
  int64_t checkpoint_id = 0;
  std::string backend_id;
  KeyGroupRange key_groups;
  int64_t checkpointed_size = 0;  // Not in kOld.
  StreamHandle metadata;          // Names, kinds and serializers of the states.
  std::vector<SnapshotFile> shared_files;
  std::vector<SnapshotFile> private_files;
  std::string id;  // Not in kOld.

  bool operator==(const IncrementalHandle&) const = default;
};

using KeyedStateHandle = std::variant<KeyGroupsHandle, IncrementalHandle>;

/// How a list state is dealt out to the subtasks of a restored operator. The values are those of
/// _metadata. Flink: OperatorStateHandle.Mode (1.20).
enum class DistributionMode : uint8_t { kSplit = 0, kUnion = 1, kBroadcast = 2 };

/// Operator (not keyed) state of one subtask: some named states in one stream.
///
/// Flink: OperatorStreamStateHandle (1.20).
struct OperatorStateHandle {
  struct State {
    std::string name;
    DistributionMode mode = DistributionMode::kSplit;
    std::vector<int64_t> offsets;  // One per list element; one in all for a broadcast map.

    bool operator==(const State&) const = default;
  };

  std::vector<State> states;
  StreamHandle stream;

  bool operator==(const OperatorStateHandle&) const = default;
};

/// The managed state of one subtask of one operator. A snapshot has at most one handle of each
/// kind; a restore after rescaling may give several, keyed ones wider than the subtask's own key
/// groups: the backend takes only what is its own.
///
/// Flink: OperatorSubtaskState (1.20), without raw and channel state.
struct SubtaskState {
  std::vector<OperatorStateHandle> operator_state;
  std::vector<KeyedStateHandle> keyed_state;

  bool isEmpty() const { return operator_state.empty() && keyed_state.empty(); }
  bool operator==(const SubtaskState&) const = default;
};

/// The key groups that a keyed handle covers.
inline const KeyGroupRange& keyGroupsOf(const KeyedStateHandle& handle) {
  return std::visit([](const auto& one) -> const KeyGroupRange& { return one.key_groups; }, handle);
}

}  // namespace wiesel::state
