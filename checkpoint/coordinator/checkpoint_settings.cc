#include "checkpoint/coordinator/checkpoint_settings.h"

namespace wiesel::checkpoint {

std::optional<Retention> retentionFromName(std::string_view name) {
  if (name == "NO_EXTERNALIZED_CHECKPOINTS") return Retention::kNoExternalized;
  if (name == "DELETE_ON_CANCELLATION") return Retention::kDeleteOnCancellation;
  if (name == "RETAIN_ON_CANCELLATION") return Retention::kRetainOnCancellation;
  return std::nullopt;
}

bool keepsCheckpoints(Retention retention, JobEnd end) {
  switch (end) {
    case JobEnd::kFinished:
      return false;
    case JobEnd::kCanceled:
      return retention == Retention::kRetainOnCancellation;
    case JobEnd::kFailed:
      return retention != Retention::kNoExternalized;
  }
  return true;
}

}  // namespace wiesel::checkpoint
