#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "checkpoint/coordinator/loop_scope.h"
#include "checkpoint/storage/checkpoint_storage.h"
#include "common/ids.h"

namespace wiesel::checkpoint {

/// Deletes checkpoints that nobody needs any more, in the background, and does not forget those
/// whose deletion failed or whose files come back.
///
/// Threads: on the coordinator's loop.
/// Borrows: `scope`, in which the deletions run.
/// Flink:   CheckpointsCleaner (1.20), and the late messages of CheckpointCoordinator. Flink does
/// not
///          try again.
class CheckpointCleaner {
 public:
  /// `on_deleted` is called after each deletion, whether it worked or not.
  CheckpointCleaner(const JobId& job, LoopScope& scope, std::shared_ptr<CheckpointStorage> storage,
                    std::function<void()> on_deleted);

  void remove(int64_t checkpoint_id);

  /// As remove(), and again for each late report of a task.
  void removeAborted(int64_t checkpoint_id);

  /// A task reported for a checkpoint that is not under way: it was slow and may have written files
  /// after the checkpoint was deleted.
  void onLateReport(int64_t checkpoint_id);

  /// Deletes what could not be deleted before.
  void tryAgain();

 private:
  /// Aborted checkpoints that are cleaned again when a task reports late.
  static constexpr size_t kMaxRememberedAborts = 16;
  /// Deletions to be tried again; beyond it the oldest stay on disk.
  static constexpr size_t kMaxFailedDeletions = 1000;

  void onFailed(int64_t checkpoint_id, const absl::Status& status);

  const JobId job_;
  LoopScope& scope_;                                  // Not owned.
  const std::shared_ptr<CheckpointStorage> storage_;  // Shared with deletions on their way.
  const std::function<void()> on_deleted_;
  std::deque<int64_t> aborted_;
  std::deque<int64_t> failed_;
};

}  // namespace wiesel::checkpoint
