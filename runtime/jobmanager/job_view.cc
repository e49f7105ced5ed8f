#include "runtime/jobmanager/job_view.h"

#include <algorithm>

namespace wiesel::runtime {

int64_t SubtaskView::startMs() const {
  return entered_ms[proto::DEPLOYING] == 0 ? -1 : entered_ms[proto::DEPLOYING];
}

int64_t SubtaskView::endMs() const { return isTerminal(state) ? entered_ms[state] : -1; }

int64_t VertexView::startMs() const {
  int64_t first = -1;
  for (const SubtaskView& subtask : subtasks) {
    const int64_t start = subtask.startMs();
    if (start >= 0 && (first < 0 || start < first)) first = start;
  }
  return first;
}

int64_t VertexView::endMs() const {
  int64_t last = -1;
  for (const SubtaskView& subtask : subtasks) {
    const int64_t end = subtask.endMs();
    if (end < 0) return -1;
    last = std::max(last, end);
  }
  return last;
}

}  // namespace wiesel::runtime
