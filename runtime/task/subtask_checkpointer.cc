#include "runtime/task/subtask_checkpointer.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "checkpoint/metadata/handle_codec.h"
#include "common/ids.h"
#include "common/status_macros.h"

namespace wiesel::runtime {
namespace {

absl::StatusOr<state::OperatorStateHandle> uploadOperatorState(
    state::OperatorStateSnapshot snapshot, state::SnapshotStore& store) {
  state::OperatorStateHandle handle;
  handle.states = std::move(snapshot.states);
  WIESEL_ASSIGN_OR_RETURN(handle.stream, store.writeStream(std::move(snapshot.stream)));
  return handle;
}

absl::StatusOr<state::KeyedStateHandle> uploadHeapState(state::KeyedSnapshot snapshot,
                                                        RandomSource& random,
                                                        state::SnapshotStore& store) {
  state::KeyGroupsHandle handle;
  handle.format = state::KeyGroupsHandle::Format::kHeap;
  handle.key_groups = snapshot.range;
  handle.offsets = std::move(snapshot.offsets);
  handle.id = randomId(random).toHex();
  WIESEL_ASSIGN_OR_RETURN(handle.stream, store.writeStream(std::move(snapshot.stream)));
  return handle;
}

/// All files of the database's directory.
absl::StatusOr<state::KeyedStateHandle> uploadDatabase(const state::KeyedSnapshot& snapshot,
                                                       int64_t checkpoint_id,
                                                       const TaskEnvironment& environment,
                                                       state::SnapshotStore& store) {
  state::IncrementalHandle handle;
  handle.checkpoint_id = checkpoint_id;
  handle.backend_id = randomId(*environment.random).toHex();
  handle.id = randomId(*environment.random).toHex();
  handle.key_groups = snapshot.range;
  WIESEL_ASSIGN_OR_RETURN(handle.metadata, store.writeStream(snapshot.stream));
  handle.checkpointed_size = handle.metadata.size;
  WIESEL_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                          environment.files->list(snapshot.directory));
  for (const std::string& name : names) {
    WIESEL_ASSIGN_OR_RETURN(state::StreamHandle file,
                            store.storeFile(snapshot.directory + "/" + name));
    handle.checkpointed_size += file.size;
    handle.private_files.push_back({name, std::move(file)});
  }
  return handle;
}

absl::StatusOr<state::KeyedStateHandle> uploadKeyedState(state::KeyedSnapshot snapshot,
                                                         int64_t checkpoint_id,
                                                         const TaskEnvironment& environment,
                                                         state::SnapshotStore& store) {
  if (snapshot.directory.empty()) {
    return uploadHeapState(std::move(snapshot), *environment.random, store);
  }
  return uploadDatabase(snapshot, checkpoint_id, environment, store);
}

/// The local directories of the parts, which go with this object, whatever became of the upload.
class DirectoriesToRemove {
 public:
  DirectoriesToRemove(const std::vector<OperatorSnapshotParts>& parts, FileSystem& files)
      : files_(files) {
    for (const OperatorSnapshotParts& part : parts) {
      if (!part.keyed_state.directory.empty()) directories_.push_back(part.keyed_state.directory);
    }
  }
  DirectoriesToRemove(const DirectoriesToRemove&) = delete;
  DirectoriesToRemove& operator=(const DirectoriesToRemove&) = delete;
  ~DirectoriesToRemove() {
    for (const std::string& directory : directories_) files_.removeAll(directory).IgnoreError();
  }

 private:
  FileSystem& files_;
  std::vector<std::string> directories_;
};

absl::StatusOr<state::SubtaskState> upload(OperatorSnapshotParts part, int64_t checkpoint_id,
                                           const TaskEnvironment& environment,
                                           state::SnapshotStore& store) {
  state::SubtaskState state;
  if (!part.operator_state.stream.empty()) {
    WIESEL_ASSIGN_OR_RETURN(state::OperatorStateHandle handle,
                            uploadOperatorState(std::move(part.operator_state), store));
    state.operator_state.push_back(std::move(handle));
  }
  if (part.has_keyed_state) {
    WIESEL_ASSIGN_OR_RETURN(
        state::KeyedStateHandle handle,
        uploadKeyedState(std::move(part.keyed_state), checkpoint_id, environment, store));
    state.keyed_state.push_back(std::move(handle));
  }
  return state;
}

}  // namespace

SubtaskCheckpointer::SubtaskCheckpointer(proto::TaskRef task, const TaskEnvironment& environment,
                                         TaskListener& listener)
    : task_(std::move(task)), environment_(environment), listener_(listener) {}

void SubtaskCheckpointer::begin(int64_t checkpoint_id, std::vector<OperatorSnapshotParts> parts,
                                bool finished, Times times) {
  // A closure must be copyable, the parts are big: they travel behind a pointer that has one owner.
  auto shared_parts = std::make_shared<std::vector<OperatorSnapshotParts>>(std::move(parts));
  const int64_t started_ns = environment_.clock->monotonicNs();
  environment_.io->execute([task = task_, &environment = environment_, &listener = listener_,
                            checkpoint_id, shared_parts, finished, times, started_ns] {
    const DirectoriesToRemove directories(*shared_parts, *environment.files);
    const auto store = environment.snapshot_store(checkpoint_id);
    proto::AcknowledgeCheckpoint message;
    for (OperatorSnapshotParts& part : *shared_parts) {
      const std::string operator_id = part.operator_id;
      const auto state = upload(std::move(part), checkpoint_id, environment, *store);
      if (!state.ok()) {
        listener.declineCheckpoint(
            task, checkpoint_id,
            absl::StrFormat("CHECKPOINT_ASYNC_EXCEPTION: the state could not be written: %s",
                            state.status().message()));
        return;
      }
      if (state->isEmpty()) continue;
      proto::OperatorSnapshot& snapshot = *message.add_operators();
      snapshot.set_operator_id(operator_id);
      snapshot.set_subtask_state(checkpoint::encodeSubtaskState(*state));
    }
    *message.mutable_task() = task;
    message.set_checkpoint_id(checkpoint_id);
    message.set_finished(finished);
    message.set_sync_ms(times.sync_ms);
    message.set_alignment_ms(times.alignment_ms);
    message.set_start_delay_ms(times.start_delay_ms);
    message.set_async_ms((environment.clock->monotonicNs() - started_ns) / 1'000'000);
    listener.acknowledgeCheckpoint(std::move(message));
  });
}

}  // namespace wiesel::runtime
