#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/metrics/metric_group.h"
#include "runtime/operators/operator_context.h"

namespace wiesel::runtime {

/// Says when somebody is to be told of the records that a task's operators dropped as late, since
/// results that lack records look right: of the first ones of an operator at once, of more at most
/// once a minute, of the rest at the end.
///
/// Units:   monotonic milliseconds.
/// Threads: the task thread only.
class LateRecords {
 public:
  static constexpr int64_t kPauseMs = 60'000;

  struct Notice {
    const OperatorContext* context;  // Not owned.
    int64_t dropped;                 // Since the attempt began.
  };

  /// Watches an operator, which is open. Borrows `context`.
  void watch(const OperatorContext& context);

  /// True when records were dropped of which nobody was told.
  bool hasNews() const;

  /// What is to be told now, each but once.
  std::vector<Notice> takeDue(int64_t now_ms) {
    return take([now_ms](const Watched& one) { return one.next_notice_ms <= now_ms; }, now_ms);
  }
  std::vector<Notice> takeRest() {
    return take([](const Watched&) { return true; }, 0);
  }

  /// How long until there is something to tell; nullopt when there is no news.
  std::optional<int64_t> untilDueMs(int64_t now_ms) const;

 private:
  struct Watched {
    const OperatorContext* context;
    const Counter* dropped;  // Owned by the context.
    int64_t told = 0;
    int64_t next_notice_ms = 0;

    bool hasNews() const { return dropped->getCount() != told; }
  };

  template <class IsDue>
  std::vector<Notice> take(IsDue is_due, int64_t now_ms) {
    std::vector<Notice> notices;
    for (Watched& one : watched_) {
      if (!one.hasNews() || !is_due(one)) continue;
      one.told = one.dropped->getCount();
      one.next_notice_ms = now_ms + kPauseMs;
      notices.push_back({one.context, one.told});
    }
    return notices;
  }

  std::vector<Watched> watched_;
};

}  // namespace wiesel::runtime
