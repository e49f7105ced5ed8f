#include "checkpoint/coordinator/checkpoint_cleaner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/log.h"

namespace wiesel::checkpoint {

CheckpointCleaner::CheckpointCleaner(const JobId& job, LoopScope& scope,
                                     std::shared_ptr<CheckpointStorage> storage,
                                     std::function<void()> on_deleted)
    : job_(job), scope_(scope), storage_(std::move(storage)), on_deleted_(std::move(on_deleted)) {}

void CheckpointCleaner::remove(int64_t checkpoint_id) {
  scope_.execute([storage = storage_, checkpoint_id] { return storage->discard(checkpoint_id); },
                 [this, checkpoint_id](const absl::Status& status) {
                   if (!status.ok()) onFailed(checkpoint_id, status);
                   on_deleted_();
                 });
}

void CheckpointCleaner::removeAborted(int64_t checkpoint_id) {
  aborted_.push_back(checkpoint_id);
  if (aborted_.size() > kMaxRememberedAborts) aborted_.pop_front();
  remove(checkpoint_id);
}

void CheckpointCleaner::onLateReport(int64_t checkpoint_id) {
  const bool was_aborted =
      std::find(aborted_.begin(), aborted_.end(), checkpoint_id) != aborted_.end();
  if (was_aborted) remove(checkpoint_id);
}

void CheckpointCleaner::tryAgain() {
  for (const int64_t id : std::exchange(failed_, {})) remove(id);
}

void CheckpointCleaner::onFailed(int64_t checkpoint_id, const absl::Status& status) {
  WIESEL_LOG(WARN) << absl::StrFormat("Could not delete checkpoint %d of job %s: %s", checkpoint_id,
                                      job_.toHex(), std::string(status.message()));
  failed_.push_back(checkpoint_id);
  if (failed_.size() > kMaxFailedDeletions) failed_.pop_front();
}

}  // namespace wiesel::checkpoint
