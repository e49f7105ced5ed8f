#include "runtime/jobcode/worker_environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "runtime/jobcode/text_escape.h"

namespace wiesel::runtime {

namespace {

constexpr char kJob[] = "WIESEL_WORKER_JOB";
constexpr char kWorker[] = "WIESEL_WORKER_ID";
constexpr char kTaskManager[] = "WIESEL_WORKER_TASKMANAGER";
constexpr char kMaster[] = "WIESEL_WORKER_JOBMANAGER";
constexpr char kHost[] = "WIESEL_WORKER_HOST";
constexpr char kBindHost[] = "WIESEL_WORKER_BIND_HOST";
constexpr char kMemory[] = "WIESEL_WORKER_MANAGED_BYTES";
constexpr char kDirectory[] = "WIESEL_WORKER_DIRECTORY";
constexpr char kClient[] = "WIESEL_CLIENT_JOBMANAGER";
constexpr char kDetached[] = "WIESEL_CLIENT_DETACHED";
constexpr char kStatusFd[] = "WIESEL_CLIENT_STATUS_FD";
constexpr char kConfiguration[] = "WIESEL_JOB_CONFIGURATION";

std::string read(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int64_t readNumber(const char* name, int64_t otherwise) {
  const std::string text = read(name);
  int64_t value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// One "key=value" a line.
std::string encode(const Configuration& configuration) {
  std::string lines;
  for (const auto& [key, value] : configuration.entries()) {
    lines += escapeLine(key) + "=" + escapeLine(value) + "\n";
  }
  return lines;
}

Configuration decode(std::string_view lines) {
  Configuration configuration;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() < lines.size() ? line.size() + 1 : line.size());
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    configuration.setString(unescapeLine(line.substr(0, equals)),
                            unescapeLine(line.substr(equals + 1)));
  }
  return configuration;
}

}  // namespace

EnvironmentVariables configurationVariables(const Configuration& configuration) {
  return {{kConfiguration, encode(configuration)}};
}

EnvironmentVariables WorkerEnvironment::toVariables() const {
  return {{kJob, job_id},
          {kWorker, worker_id},
          {kTaskManager, task_manager_id},
          {kMaster, master_address},
          {kHost, host},
          {kBindHost, bind_host},
          {kMemory, std::to_string(managed_memory_bytes)},
          {kDirectory, working_directory}};
}

std::optional<WorkerEnvironment> WorkerEnvironment::fromProcess() {
  if (std::getenv(kWorker) == nullptr) return std::nullopt;
  return WorkerEnvironment{.job_id = read(kJob),
                           .worker_id = read(kWorker),
                           .task_manager_id = read(kTaskManager),
                           .master_address = read(kMaster),
                           .host = read(kHost),
                           .bind_host = read(kBindHost),
                           .managed_memory_bytes = readNumber(kMemory, 0),
                           .working_directory = read(kDirectory),
                           .configuration = decode(read(kConfiguration))};
}

EnvironmentVariables ClientEnvironment::toVariables() const {
  EnvironmentVariables variables = {{kClient, rpc_address},
                                    {kDetached, detached ? "1" : "0"},
                                    {kConfiguration, encode(configuration)}};
  if (status_fd >= 0) variables[kStatusFd] = std::to_string(status_fd);
  return variables;
}

std::optional<ClientEnvironment> ClientEnvironment::fromProcess() {
  if (std::getenv(kClient) == nullptr) return std::nullopt;
  return ClientEnvironment{.rpc_address = read(kClient),
                           .detached = readNumber(kDetached, 0) != 0,
                           .status_fd = static_cast<int>(readNumber(kStatusFd, -1)),
                           .configuration = decode(read(kConfiguration))};
}

bool isJobVariable(const std::string& name) {
  return name.starts_with("WIESEL_WORKER_") || name.starts_with("WIESEL_CLIENT_") ||
         name == kConfiguration;
}

}  // namespace wiesel::runtime
