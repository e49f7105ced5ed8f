#include "runtime/scheduler/job_failure.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "runtime/graph/failure_text.h"

namespace wiesel::runtime {
namespace {

/// What a user's function throws may have many lines; people get one line.
std::string oneLine(const std::string& text) {
  std::string line = text;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

bool learn(JobFailure& failure, std::string_view worker_id, const std::string& cause) {
  if (failure.cause_known || failure.lost_worker_id != worker_id) return false;
  failure.info.set_message(boundedFailureText(cause));
  failure.info.clear_operator_name();  // The operator only noticed it.
  failure.cause_known = true;
  return true;
}

}  // namespace

std::string failureLine(const JobFailure& failure) {
  const proto::Failure& info = failure.info;
  const std::string message = oneLine(info.message());
  if (info.operator_name().empty()) return message;
  return absl::StrFormat("%s (operator '%s', subtask %d/%d)", message,
                         oneLine(info.operator_name()), info.subtask() + 1, info.parallelism());
}

std::string ExceptionEntry::flinkText() const {
  std::string cause = root.info.message();
  if (!root.info.trace().empty()) cause += "\n" + root.info.trace();
  if (job_exception.empty()) return cause;
  return absl::StrFormat("org.apache.flink.runtime.JobException: %s\nCaused by: %s", job_exception,
                         cause);
}

ExceptionHistory::ExceptionHistory(size_t max_entries)
    : max_entries_(std::max<size_t>(max_entries, 1)) {}

void ExceptionHistory::add(JobFailure root, std::string job_exception) {
  entries_.push_front({std::move(job_exception), std::move(root), {}});
  if (entries_.size() > max_entries_) entries_.pop_back();
}

void ExceptionHistory::addConcurrent(JobFailure failure) {
  if (entries_.empty() || entries_.front().concurrent.size() >= kMaxConcurrent) return;
  entries_.front().concurrent.push_back(std::move(failure));
}

bool ExceptionHistory::learnCause(std::string_view worker_id, const std::string& cause) {
  if (entries_.empty()) return false;
  ExceptionEntry& newest = entries_.front();
  bool learnt = learn(newest.root, worker_id, cause);
  for (JobFailure& failure : newest.concurrent) learnt |= learn(failure, worker_id, cause);
  return learnt;
}

}  // namespace wiesel::runtime
