#include "runtime/task/task_restore.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_format.h"
#include "checkpoint/metadata/handle_codec.h"
#include "common/status_macros.h"

namespace wiesel::runtime {
namespace {

bool usesDatabase(const TaskSpec& spec) {
  return spec.plan->graph.checkpointing().state_backend() == "rocksdb";
}

/// The local directory of one operator's database, unique to subtask and attempt.
std::string databaseDirectory(const TaskSpec& spec, const TaskEnvironment& environment,
                              const std::string& operator_id) {
  return absl::StrFormat("%s/db-%s-%d-%d", environment.working_directory, operator_id,
                         spec.ref.subtask(), spec.ref.attempt());
}

class ChainRestore {
 public:
  ChainRestore(const TaskSpec& spec, const TaskEnvironment& environment, OperatorChain& chain)
      : spec_(spec), environment_(environment), chain_(chain) {}

  absl::Status run() {
    const bool is_restored = !spec_.restore.empty();
    if (is_restored) store_ = environment_.restore_store(spec_.restore_directory);
    for (size_t i = 0; i < chain_.size(); ++i) {
      if (is_restored) chain_.context(i).restored_checkpoint = spec_.restored_checkpoint;
      WIESEL_RETURN_IF_ERROR(
          annotate(restoreOperator(i),
                   absl::StrFormat("restoring operator '%s'", chain_.context(i).operator_name)));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status restoreOperator(size_t index) {
    std::vector<state::KeyedRestore> keyed;
    absl::Status fetched = fetchState(index, keyed);
    if (fetched.ok()) return setUpKeyedState(index, std::move(keyed));
    for (const state::KeyedRestore& piece : keyed) removeFetched(piece.directory);
    return fetched;
  }

  absl::Status fetchState(size_t index, std::vector<state::KeyedRestore>& keyed) {
    for (const proto::OperatorRestore& restore : spec_.restore) {
      if (restore.operator_id() != chain_.context(index).operator_id) continue;
      chain_.context(index).has_saved_state = true;
      WIESEL_ASSIGN_OR_RETURN(const state::SubtaskState state,
                              checkpoint::decodeSubtaskState(restore.subtask_state()));
      for (const state::OperatorStateHandle& handle : state.operator_state) {
        WIESEL_ASSIGN_OR_RETURN(std::string stream, store_->read(handle.stream));
        chain_.operatorState(index).addRestored({handle.states, std::move(stream)});
      }
      for (const state::KeyedStateHandle& handle : state.keyed_state) {
        WIESEL_ASSIGN_OR_RETURN(state::KeyedRestore piece, fetch(handle, index, keyed.size()));
        keyed.push_back(std::move(piece));
      }
    }
    return absl::OkStatus();
  }

  void removeFetched(const std::string& directory) {
    if (!directory.empty()) environment_.files->removeAll(directory).IgnoreError();
  }

  absl::StatusOr<state::KeyedRestore> fetch(const state::KeyedStateHandle& handle, size_t index,
                                            size_t number) {
    if (const auto* heap = std::get_if<state::KeyGroupsHandle>(&handle)) return fetchHeap(*heap);
    return fetchDatabase(std::get<state::IncrementalHandle>(handle), index, number);
  }

  absl::StatusOr<state::KeyedRestore> fetchHeap(const state::KeyGroupsHandle& handle) {
    if (handle.format == state::KeyGroupsHandle::Format::kCanonical) {
      return absl::UnimplementedError(
          "the keyed state is in savepoint (canonical) form, which this version cannot restore");
    }
    if (usesDatabase(spec_)) {
      return absl::UnimplementedError(
          "the checkpoint was written with state.backend.type hashmap, the job uses rocksdb: "
          "start it with hashmap");
    }
    state::KeyedRestore restored;
    restored.range = handle.key_groups;
    restored.offsets = handle.offsets;
    WIESEL_ASSIGN_OR_RETURN(std::string stream, store_->read(handle.stream));
    restored.stream = std::make_shared<const std::string>(std::move(stream));
    return restored;
  }

  absl::StatusOr<state::KeyedRestore> fetchDatabase(const state::IncrementalHandle& handle,
                                                    size_t index, size_t number) {
    if (!usesDatabase(spec_)) {
      return absl::UnimplementedError(
          "the checkpoint was written with state.backend.type rocksdb, the job uses hashmap: "
          "start it with rocksdb");
    }
    state::KeyedRestore restored;
    restored.range = handle.key_groups;
    WIESEL_ASSIGN_OR_RETURN(std::string header, store_->read(handle.metadata));
    restored.stream = std::make_shared<const std::string>(std::move(header));
    restored.directory = absl::StrFormat(
        "%s-from-%d", databaseDirectory(spec_, environment_, chain_.context(index).operator_id),
        number);
    if (absl::Status fetched = fetchFiles(handle, restored.directory); !fetched.ok()) {
      removeFetched(restored.directory);
      return fetched;
    }
    return restored;
  }

  absl::Status fetchFiles(const state::IncrementalHandle& handle, const std::string& directory) {
    WIESEL_RETURN_IF_ERROR(environment_.files->removeAll(directory));
    WIESEL_RETURN_IF_ERROR(environment_.files->createDirectories(directory));
    for (const auto* files : {&handle.shared_files, &handle.private_files}) {
      for (const state::SnapshotFile& file : *files) {
        const bool is_table = file.local_name.ends_with(".sst");
        WIESEL_RETURN_IF_ERROR(
            store_->fetchFile(file.stream, directory + "/" + file.local_name,
                              is_table ? state::FileUse::kReadOnly : state::FileUse::kMayChange));
      }
    }
    return absl::OkStatus();
  }

  absl::Status setUpKeyedState(size_t index, std::vector<state::KeyedRestore> restored) {
    OperatorContext& context = chain_.context(index);
    const bool is_keyed = spec_.plan->program.nodes[spec_.vertex->operators[index].node].is_keyed;
    if (!is_keyed) return absl::OkStatus();
    if (!usesDatabase(spec_)) {
      context.keyed_setup.restored = std::move(restored);
      return absl::OkStatus();
    }
    if (!environment_.open_byte_store) {
      return absl::UnimplementedError("state.backend.type rocksdb is not available here");
    }
    state::ByteStoreRequest request;
    request.directory = databaseDirectory(spec_, environment_, context.operator_id);
    request.range = context.keyed_setup.range;
    request.max_parallelism = context.max_parallelism;
    request.restored = std::move(restored);
    WIESEL_ASSIGN_OR_RETURN(context.keyed_setup.byte_store,
                            environment_.open_byte_store(std::move(request)));
    return absl::OkStatus();
  }

  const TaskSpec& spec_;
  const TaskEnvironment& environment_;
  OperatorChain& chain_;
  std::unique_ptr<state::SnapshotStore> store_;
};

}  // namespace

absl::Status restoreChain(const TaskSpec& spec, const TaskEnvironment& environment,
                          OperatorChain& chain) {
  return ChainRestore(spec, environment, chain).run();
}

}  // namespace wiesel::runtime
