#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/checkpoint_config.h"
#include "api/data_stream.h"
#include "api/environment_state.h"
#include "api/execution_config.h"
#include "api/keyed_stream.h"
#include "api/restart_strategies.h"
#include "common/config/configuration.h"
#include "connectors/collection/collection_source.h"
#include "runtime/connector_api/source.h"
#include "runtime/functions/source_function.h"
#include "runtime/operators/source_function_operator.h"
#include "runtime/operators/source_operator.h"

namespace wiesel {

/// How a job ended. Flink: JobExecutionResult (1.20).
struct JobExecutionResult {
  std::string job_id;  // 32 hex digits.
  std::chrono::milliseconds net_runtime{0};
};

/// Where a program begins: makes streams out of sources, holds the settings, and runs what was
/// written. A handle: copies mean the same program.
///
/// The same binary runs its job by itself (an embedded cluster in its process), hands it to a
/// cluster when it was started by `wiesel run`, and serves the job's tasks when a TaskManager
/// started it; execute() knows which. In the last case main() must reach execute() with the same
/// program again.
///
/// Flink: StreamExecutionEnvironment (1.20).
class StreamExecutionEnvironment {
 public:
  /// The environment of this process. Also makes sure that an exception which main() does not catch
  /// ends the process with one line and status 1.
  static StreamExecutionEnvironment getExecutionEnvironment(Configuration configuration = {});

  /// The settings as they are now: the file's, what was given here, and what calls have set since.
  const Configuration& getConfiguration() const { return state_->configuration; }

  /// Takes over all entries of `configuration`; they win over what was set before.
  void configure(const Configuration& configuration);

  /// Settings of all operators, among them the parameters that functions can read.
  ExecutionConfig getConfig() const { return ExecutionConfig(state_); }
  /// How checkpoints are taken.
  CheckpointConfig getCheckpointConfig() const { return CheckpointConfig(state_); }

  // Short for calls of getConfig() and getCheckpointConfig():
  void setParallelism(int parallelism) { getConfig().setParallelism(parallelism); }
  int getParallelism() const { return getConfig().getParallelism(); }
  void setMaxParallelism(int max_parallelism) { getConfig().setMaxParallelism(max_parallelism); }
  int getMaxParallelism() const { return getConfig().getMaxParallelism(); }
  void setAutoWatermarkInterval(std::chrono::milliseconds interval) {
    getConfig().setAutoWatermarkInterval(interval);
  }
  void enableCheckpointing(std::chrono::milliseconds interval) {
    getCheckpointConfig().setCheckpointInterval(interval);
  }
  void enableCheckpointing(std::chrono::milliseconds interval, CheckpointingMode mode) {
    getCheckpointConfig().setCheckpointInterval(interval).setCheckpointingConsistencyMode(mode);
  }
  void setCheckpointDirectory(const std::string& directory) {
    getCheckpointConfig().setCheckpointStorage(directory);
  }
  void setExternalizedCheckpointRetention(ExternalizedCheckpointRetention retention) {
    getCheckpointConfig().setExternalizedCheckpointRetention(retention);
  }

  void setRestartStrategy(const RestartStrategies::Settings& settings);
  /// "hashmap" or "rocksdb".
  void setStateBackend(const std::string& name);
  /// How long records may wait for others that go the same way: 0 sends each at once, -1 ms only
  /// full batches, watermarks, barriers and the end of the input behind what waits.
  void setBufferTimeout(std::chrono::milliseconds timeout);
  std::chrono::milliseconds getBufferTimeout() const;
  void disableOperatorChaining();
  bool isChainingEnabled() const;

  template <class T>
  SingleOutputStreamOperator<T> fromCollection(std::vector<T> records) const {
    WIESEL_REQUIRE_RECORD(T);
    return inOneSubtask(fromSource(CollectionSource<T>(std::move(records)), "Collection Source"));
  }

  template <class T, class... More>
  SingleOutputStreamOperator<T> fromElements(T first, More... more) const {
    return fromCollection<T>({std::move(first), static_cast<T>(std::move(more))...});
  }

  template <class S>
  auto fromSource(S source, const std::string& name) const {
    using T = SourceRecord<S>;
    return addSourceOperator<T>(std::move(source), std::nullopt, name);
  }

  /// A source whose records get timestamps and watermarks from `strategy` at once: where it reads
  /// splits, each has watermarks of its own, and a subtask without a split holds nobody back.
  template <class S, class T>
  SingleOutputStreamOperator<T> fromSource(S source, WatermarkStrategy<T> strategy,
                                           const std::string& name) const {
    const auto stream = addSourceOperator<T>(std::move(source), std::move(strategy), name);
    nodeOf(stream).watermarks = runtime::WatermarkOrigin::kMakes;
    return stream;
  }

  /// A source written as a loop, see SourceFunction; one subtask unless it is a
  /// ParallelSourceFunction. It may give timestamps and watermarks itself.
  template <class F>
  auto addSource(F function, const std::string& name = "Custom Source") const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using T = typename Function::Output;
    WIESEL_REQUIRE_RECORD(T);
    const auto stream = addSourceNode<T>(
        "Source: " + name, [prototype = runtime::FunctionPrototype<F>{std::move(function)}] {
          return std::make_unique<runtime::SourceFunctionOperator<T, Function>>(prototype.make());
        });
    nodeOf(stream).watermarks = runtime::WatermarkOrigin::kMaybe;
    if constexpr (std::is_base_of_v<ParallelSourceFunction<T>, Function>) {
      return stream;
    } else {
      return inOneSubtask(stream);
    }
  }

  /// The numbers from `from` to `to`, both included, see NumberSequenceSource. Throws
  /// std::invalid_argument when `from` is above `to`.
  SingleOutputStreamOperator<int64_t> fromSequence(int64_t from, int64_t to) const;
  /// The old name of fromSequence().
  SingleOutputStreamOperator<int64_t> generateSequence(int64_t from, int64_t to) const {
    return fromSequence(from, to);
  }

  /// Lines from a TCP server, see SocketTextSource.
  SingleOutputStreamOperator<std::string> socketTextStream(const std::string& host, uint16_t port,
                                                           char delimiter = '\n',
                                                           int64_t max_retries = 0) const;

  /// A value that main() takes from a clock, random numbers, files or the environment: computed
  /// once, by the client, and the same in every worker.
  std::string fromClient(const std::string& name,
                         const std::function<std::string()>& compute) const;

  /// The program as it is written so far. Flink: getStreamGraph (1.20).
  const runtime::StreamGraph& getStreamGraph() const { return state_->program->graph(); }

  /// Runs the program to its end. Throws InvalidProgramException, JobExecutionException. In a
  /// worker process it serves the job's tasks and does not return.
  JobExecutionResult execute(const std::string& job_name = "");

 private:
  explicit StreamExecutionEnvironment(std::shared_ptr<internal::EnvironmentState> state)
      : state_(std::move(state)) {}

  template <class T>
  static T recordOf(const Source<T>&);
  template <class S>
  using SourceRecord = decltype(recordOf(std::declval<const S&>()));

  template <class T, class S>
  SingleOutputStreamOperator<T> addSourceOperator(S source,
                                                  std::optional<WatermarkStrategy<T>> strategy,
                                                  const std::string& name) const {
    WIESEL_REQUIRE_RECORD(T);
    return addSourceNode<T>(
        "Source: " + name,
        [shared = std::shared_ptr<const Source<T>>(std::make_shared<const S>(std::move(source))),
         strategy = std::move(strategy)] {
          return std::make_unique<runtime::SourceOperator<T>>(shared, strategy);
        });
  }

  template <class T, class MakeOperator>
  SingleOutputStreamOperator<T> addSourceNode(const std::string& name,
                                              MakeOperator make_operator) const {
    runtime::StreamNode node;
    node.name = name;
    node.is_source = true;
    node.make_operator = std::move(make_operator);
    return SingleOutputStreamOperator<T>(state_->program,
                                         state_->program->addNode(std::move(node)));
  }

  template <class T>
  runtime::StreamNode& nodeOf(const SingleOutputStreamOperator<T>& source) const {
    return state_->program->node(source.upstream().branches.front().node);
  }

  /// The stream of a source that is none for several subtasks.
  template <class T>
  SingleOutputStreamOperator<T> inOneSubtask(SingleOutputStreamOperator<T> source) const {
    nodeOf(source).is_parallel = false;
    return source.setParallelism(1);
  }

  std::shared_ptr<internal::EnvironmentState> state_;  // Shared by all handles of one program.
};

}  // namespace wiesel
