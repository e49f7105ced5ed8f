#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/clock.h"
#include "common/executor.h"
#include "common/filesystem/file_system.h"
#include "common/random.h"
#include "common/standard_stream.h"
#include "runtime/graph/job_plan.h"
#include "runtime/network/channel_queue.h"
#include "runtime/proto/control.pb.h"
#include "runtime/proto/job_graph.pb.h"
#include "state/bytes/byte_state_store.h"
#include "state/snapshot/snapshot_store.h"

namespace wiesel::runtime {

/// What all tasks of a worker work with. Outlives them.
struct TaskEnvironment {
  const Clock* clock = nullptr;  // Not owned, as all pointers here.
  Executor* io = nullptr;        // For the asynchronous part of snapshots.
  FileSystem* files = nullptr;
  RandomSource* random = nullptr;  // Used by several threads.
  std::function<void(StandardStream stream, const std::string& line)> print_line;
  /// A local directory for the files of databases, without a trailing slash.
  std::string working_directory;
  /// Opens the store of the rocksdb backend; empty when this build or world has none.
  std::function<absl::StatusOr<std::unique_ptr<state::ByteStateStore>>(state::ByteStoreRequest)>
      open_byte_store;
  /// Where the snapshots of a checkpoint are written.
  std::function<std::unique_ptr<state::SnapshotStore>(int64_t checkpoint_id)> snapshot_store;
  /// Where the snapshots of the restored checkpoint are read.
  std::function<std::unique_ptr<state::SnapshotStore>(const std::string& directory)> restore_store;
};

/// One incoming channel of a task.
struct TaskInput {
  int input_index = 0;
  std::shared_ptr<ChannelQueue> queue;  // Shared with the producer's end.
};

/// One outgoing edge of a task.
struct TaskOutput {
  std::vector<std::shared_ptr<ChannelQueue>> channels;  // Shared with the consumers' ends.
};

/// One attempt of one subtask: what the JobManager deploys, joined with the program.
struct TaskSpec {
  proto::TaskRef ref;
  const JobPlan* plan = nullptr;       // Not owned.
  const VertexPlan* vertex = nullptr;  // Not owned.
  std::string job_id;
  std::vector<TaskInput> inputs;
  std::vector<TaskOutput> outputs;  // As VertexPlan::outputs.
  std::vector<proto::OperatorRestore> restore;
  int64_t restored_checkpoint = 0;
  std::string restore_directory;
  bool finished_on_restore = false;

  /// "Map -> Sink: Print (2/4)", as Flink names a task.
  std::string taskName() const;
};

/// What a task tells about itself.
/// Threads: called from the task's thread, acknowledge and decline also from others.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  virtual void taskStateChanged(const proto::TaskRef& task, proto::TaskState state,
                                const proto::Failure* failure) = 0;
  /// The task has read all its input and waits for its last checkpoint.
  virtual void taskReachedEndOfData(const proto::TaskRef& task) = 0;
  virtual void acknowledgeCheckpoint(proto::AcknowledgeCheckpoint acknowledgement) = 0;
  virtual void declineCheckpoint(const proto::TaskRef& task, int64_t checkpoint_id,
                                 const std::string& reason) = 0;
};

}  // namespace wiesel::runtime
