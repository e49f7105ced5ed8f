#include "common/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

namespace wiesel {
namespace {

/// A log file that has grown to so many bytes gets a number, and the oldest of these goes.
constexpr size_t kMaxFileBytes = 100u << 20;
constexpr size_t kMaxOldFiles = 10;

spdlog::level::level_enum levelOf(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kINFO:
      return spdlog::level::info;
    case LogSeverity::kWARN:
      return spdlog::level::warn;
    case LogSeverity::kERROR:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::shared_ptr<spdlog::logger> makeLogger(std::shared_ptr<spdlog::sinks::sink> sink,
                                           const std::string& process_name) {
  auto logger = std::make_shared<spdlog::logger>(process_name, std::move(sink));
  // Time with zone, severity, process, thread, file:line.
  logger->set_pattern(process_name.empty() ? "%Y-%m-%dT%H:%M:%S.%e%z %-7l %t %s:%# %v"
                                           : "%Y-%m-%dT%H:%M:%S.%e%z %-7l %n %t %s:%# %v");
  logger->flush_on(spdlog::level::trace);
  return logger;
}

/// The process-wide destination. The only state that is not injected: a log line may come from
/// anywhere. Never destroyed, so that late threads can still log.
struct Destination {
  std::mutex mutex;
  std::shared_ptr<spdlog::logger> logger =
      makeLogger(std::make_shared<spdlog::sinks::stderr_sink_mt>(), "");
  std::atomic<LogSeverity> min_severity = LogSeverity::kINFO;
};

Destination& destination() {
  static Destination* const instance = new Destination;
  return *instance;
}

std::shared_ptr<spdlog::logger> currentLogger() {
  const std::lock_guard<std::mutex> lock(destination().mutex);
  return destination().logger;
}

}  // namespace

bool initLogging(const std::string& file, const std::string& process_name) {
  std::shared_ptr<spdlog::logger> logger;
  bool opened = true;
  if (!file.empty()) {
    try {
      logger = makeLogger(
          std::make_shared<spdlog::sinks::rotating_file_sink_mt>(file, kMaxFileBytes, kMaxOldFiles),
          process_name);
    } catch (const spdlog::spdlog_ex&) {
      opened = false;
    }
  }
  if (logger == nullptr) {
    logger = makeLogger(std::make_shared<spdlog::sinks::stderr_sink_mt>(), process_name);
  }
  const std::lock_guard<std::mutex> lock(destination().mutex);
  destination().logger = std::move(logger);
  return opened;
}

void setMinLogSeverity(LogSeverity severity) { destination().min_severity = severity; }

namespace internal {

LogLine::LogLine(const char* file, int line, LogSeverity severity)
    : file_(file), line_(line), severity_(severity) {}

LogLine::~LogLine() {
  if (severity_ < destination().min_severity.load(std::memory_order_relaxed)) return;
  const spdlog::source_loc location(file_, line_, "");
  // The text goes in as an argument: braces in it are no format.
  currentLogger()->log(location, levelOf(severity_), "{}", stream_.str());
}

}  // namespace internal
}  // namespace wiesel
