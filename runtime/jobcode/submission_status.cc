#include "runtime/jobcode/submission_status.h"

#include <unistd.h>

#include "runtime/jobcode/text_escape.h"

namespace wiesel::runtime {

void SubmissionStatus::read(std::string_view line) {
  const size_t space = line.find(' ');
  const std::string_view key = line.substr(0, space);
  const std::string value =
      space == std::string_view::npos ? "" : unescapeLine(line.substr(space + 1));
  if (key == kStatusExecute) {
    called_execute = true;
  } else if (key == kStatusSubmitted) {
    submitted_job_id = value;
    state = failure_detail = "";
  } else if (key == kStatusState) {
    state = value;
  } else if (key == kStatusFailureDetail) {
    failure_detail = value;
  }
}

void writeSubmissionStatus(int status_fd, std::string_view key, std::string_view value) {
  if (status_fd < 0) return;
  const std::string line = std::string(key) + " " + escapeLine(value) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(status_fd, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace wiesel::runtime
