#pragma once

#include <map>
#include <string>

#include "common/serialization/serializer.h"
#include "common/serialization/void_namespace.h"
#include "runtime/functions/job_info.h"
#include "runtime/operators/operator_context.h"
#include "state/aggregating_state.h"
#include "state/keyed_state_backend.h"
#include "state/list_state.h"
#include "state/map_state.h"
#include "state/reducing_state.h"
#include "state/state_descriptor.h"
#include "state/time_to_live.h"
#include "state/value_state.h"

namespace wiesel {

/// What a rich function learns about its subtask, and where it gets its state from.
///
/// Threads: the task's own.
/// Errors:  state::StateError when a state is asked for that is not to be had: no keyed stream,
///          another type than before or than stored.
/// Flink:   RuntimeContext (1.20).
class RuntimeContext {
 public:
  RuntimeContext(const runtime::OperatorContext& context, state::KeyedStateBackend* keyed_state)
      : context_(&context), keyed_state_(keyed_state) {}

  JobInfo getJobInfo() const { return JobInfo(*context_); }
  TaskInfo getTaskInfo() const { return TaskInfo(*context_); }

  // Short for calls of getJobInfo() and getTaskInfo():
  const std::string& getJobId() const { return context_->job_id; }
  const std::string& getTaskName() const { return context_->task_name; }
  std::string getTaskNameWithSubtasks() const { return getTaskInfo().getTaskNameWithSubtasks(); }
  int getIndexOfThisSubtask() const { return context_->subtask; }
  int getNumberOfParallelSubtasks() const { return context_->parallelism; }
  int getMaxNumberOfParallelSubtasks() const { return context_->max_parallelism; }
  int getAttemptNumber() const { return context_->attempt; }

  /// What ExecutionConfig::setGlobalJobParameters() or `pipeline.global-job-parameters` gave the
  /// job; ParameterTool::fromMap() reads numbers from it. Holds as long as the function.
  const std::map<std::string, std::string>& getGlobalJobParameters() const {
    return context_->global_job_parameters;
  }

  /// Writes a line to the job's standard output or error: the process's own, or the job's file on a
  /// cluster.
  void printLine(const std::string& line, StandardStream stream = StandardStream::kOut) {
    context_->print_line(stream, line);
  }

  template <class T>
  ValueState<T> getState(const ValueStateDescriptor<T>& descriptor) {
    return ValueState<T>(open(
        descriptor, [&]() -> auto& {
          return keyed(descriptor.name).template valueCell<VoidNamespace, T>(descriptor.name);
        }));
  }

  template <class T>
  ListState<T> getListState(const ListStateDescriptor<T>& descriptor) {
    return ListState<T>(open(
        descriptor, [&]() -> auto& {
          return keyed(descriptor.name).template listCell<VoidNamespace, T>(descriptor.name);
        }));
  }

  template <class K, class V>
  MapState<K, V> getMapState(const MapStateDescriptor<K, V>& descriptor) {
    return MapState<K, V>(open(
        descriptor, [&]() -> auto& {
          return keyed(descriptor.name).template mapCell<VoidNamespace, K, V>(descriptor.name);
        }));
  }

  template <class T>
  ReducingState<T> getReducingState(const ReducingStateDescriptor<T>& descriptor) {
    auto& cell = open(
        descriptor, [&]() -> auto& {
          return keyed(descriptor.name)
              .template valueCell<VoidNamespace, T>(descriptor.name, state::StateKind::kReducing);
        });
    return ReducingState<T>(cell, descriptor.reduce);
  }

  template <class In, class Acc, class Out>
  AggregatingState<In, Out> getAggregatingState(
      const AggregatingStateDescriptor<In, Acc, Out>& descriptor) {
    auto& cell = open(
        descriptor, [&]() -> auto& {
          return keyed(descriptor.name)
              .template valueCell<VoidNamespace, Acc>(descriptor.name,
                                                      state::StateKind::kAggregating);
        });
    return AggregatingState<In, Out>(cell, descriptor.function);
  }

 private:
  friend class FunctionInitializationContext;

  /// The state's cell: the one behind its time to live, or else what `open_plain` gives.
  template <class Descriptor, class OpenPlain>
  auto& open(const Descriptor& descriptor, OpenPlain open_plain) const {
    if (!descriptor.time_to_live.isEnabled()) return open_plain();
    return descriptor.time_to_live.open(keyed(descriptor.name), descriptor.name,
                                        descriptor.time_to_live.config);
  }

  state::KeyedStateBackend& keyed(const std::string& state_name) const {
    if (keyed_state_ == nullptr) {
      throw state::StateError("operator '" + context_->operator_name + "' asks for keyed state '" +
                              state_name + "', but its input has no keys: call keyBy() before it");
    }
    return *keyed_state_;
  }

  const runtime::OperatorContext* context_;  // Not owned, as below.
  state::KeyedStateBackend* keyed_state_;
};

}  // namespace wiesel
