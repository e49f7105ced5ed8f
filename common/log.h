#pragma once

#include <sstream>
#include <string>
#include <string_view>

/// Logs one event: `WIESEL_LOG(INFO) << "Registered " << id;` with INFO, WARN or ERROR. The line is
/// written when the statement ends. Thread-safe; lines do not mix.
#define WIESEL_LOG(severity) \
  ::wiesel::internal::LogLine(__FILE__, __LINE__, ::wiesel::LogSeverity::k##severity).stream()

namespace wiesel {

/// kINFO: an operator of the cluster would want it on a quiet day. kWARN: handled, but look.
/// kERROR: a job or process is lost.
enum class LogSeverity { kINFO, kWARN, kERROR };

/// Sends all later lines to `file` (appended, flushed by line) or, when it is empty, to standard
/// error. `process_name` stands in every line. Without a call lines go to standard error. Returns
/// false and stays with standard error when the file cannot be opened.
bool initLogging(const std::string& file, const std::string& process_name);

/// Drops lines below `severity`.
void setMinLogSeverity(LogSeverity severity);

namespace internal {

class LogLine {
 public:
  LogLine(const char* file, int line, LogSeverity severity);
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;
  ~LogLine();

  std::ostream& stream() { return stream_; }

 private:
  const char* file_;
  const int line_;
  const LogSeverity severity_;
  std::ostringstream stream_;
};

}  // namespace internal
}  // namespace wiesel
