#include "api/stream_execution_environment.h"

#include <unistd.h>

#include <cstdio>
#include <exception>

#include "absl/status/status.h"
#include "api/program_runner.h"
#include "common/config/pipeline_options.h"
#include "common/config/state_options.h"
#include "connectors/datagen/number_sequence_source.h"
#include "connectors/socket/socket_source.h"

namespace wiesel {
namespace {

/// Where fromClient() keeps what the client has computed.
constexpr char kClientValuePrefix[] = "wiesel.internal.client-value.";

/// Flink: ExecutionOptions.DISABLED_NETWORK_BUFFER_TIMEOUT (1.20).
constexpr std::chrono::milliseconds kNoBufferTimeout(-1);

/// Ends a program whose main() let an exception pass: one line, the cause first.
[[noreturn]] void endWithOneLine() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    std::fputs("the program called std::terminate\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (...) {
    std::fputs("main() threw a value that is no std::exception\n", stderr);
  }
  std::fflush(nullptr);
  _exit(1);
}

void throwInvalidProgram(const absl::Status& status) {
  if (!status.ok()) throw InvalidProgramException(std::string(status.message()));
}

}  // namespace

StreamExecutionEnvironment StreamExecutionEnvironment::getExecutionEnvironment(
    Configuration configuration) {
  std::set_terminate(endWithOneLine);
  auto state = std::make_shared<internal::EnvironmentState>();
  absl::StatusOr<Configuration> process = internal::processConfiguration();
  throwInvalidProgram(process.status());
  state->configuration = *std::move(process);
  state->configuration.merge(configuration);
  throwInvalidProgram(internal::checkProgramConfiguration(state->configuration));
  return StreamExecutionEnvironment(std::move(state));
}

void StreamExecutionEnvironment::configure(const Configuration& configuration) {
  state_->configuration.merge(configuration);
  throwInvalidProgram(internal::checkProgramConfiguration(state_->configuration));
}

void StreamExecutionEnvironment::setRestartStrategy(const RestartStrategies::Settings& settings) {
  for (const auto& [key, value] : settings) state_->configuration.setString(key, value);
}

void StreamExecutionEnvironment::setStateBackend(const std::string& name) {
  state_->configuration.setString(std::string(kStateBackend.key), name);
}

void StreamExecutionEnvironment::setBufferTimeout(std::chrono::milliseconds timeout) {
  if (timeout < kNoBufferTimeout) {
    throw InvalidProgramException("the buffer timeout must be 0 or more, or -1 ms for none, got " +
                                  std::to_string(timeout.count()) + " ms");
  }
  state_->configuration.set(kBufferTimeoutEnabled, timeout != kNoBufferTimeout);
  if (timeout != kNoBufferTimeout) state_->configuration.set(kBufferTimeout, timeout);
}

std::chrono::milliseconds StreamExecutionEnvironment::getBufferTimeout() const {
  return state_->configuration.get(kBufferTimeoutEnabled)
             ? state_->configuration.get(kBufferTimeout)
             : kNoBufferTimeout;
}

void StreamExecutionEnvironment::disableOperatorChaining() {
  state_->configuration.set(kOperatorChaining, false);
}

bool StreamExecutionEnvironment::isChainingEnabled() const {
  return state_->configuration.get(kOperatorChaining);
}

SingleOutputStreamOperator<int64_t> StreamExecutionEnvironment::fromSequence(int64_t from,
                                                                             int64_t to) const {
  return fromSource(NumberSequenceSource(from, to), "Sequence Source");
}

SingleOutputStreamOperator<std::string> StreamExecutionEnvironment::socketTextStream(
    const std::string& host, uint16_t port, char delimiter, int64_t max_retries) const {
  return inOneSubtask(
      fromSource(SocketTextSource(host, port, delimiter, max_retries), "Socket Stream"));
}

std::string StreamExecutionEnvironment::fromClient(
    const std::string& name, const std::function<std::string()>& compute) const {
  const std::string key = kClientValuePrefix + name;
  if (const auto known = state_->configuration.getString(key)) return *known;
  state_->configuration.setString(key, compute());
  return *state_->configuration.getString(key);
}

JobExecutionResult StreamExecutionEnvironment::execute(const std::string& job_name) {
  // What was written so far belongs to this job; a later execute() begins anew.
  runtime::StreamGraph graph = state_->program->take();
  state_->program = std::make_shared<internal::Program>();
  auto result = internal::runProgram(std::move(graph), state_->configuration, job_name);
  if (!result.ok()) {
    if (absl::IsInvalidArgument(result.status())) throwInvalidProgram(result.status());
    throw JobExecutionException(std::string(result.status().message()));
  }
  return {result->job_id, std::chrono::milliseconds(result->runtime_ms)};
}

}  // namespace wiesel
