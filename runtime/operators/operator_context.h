#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "common/standard_stream.h"
#include "runtime/metrics/metric_group.h"
#include "runtime/time/processing_time_service.h"
#include "state/keyed_state_backend.h"
#include "state/operator_state_store.h"

namespace wiesel {
class FileSystem;
}

namespace wiesel::runtime {

/// What an operator's subtask knows of its surroundings. Outlives the operator.
struct OperatorContext {
  std::string operator_name;
  std::string operator_id;  // 32 hex digits.
  std::string task_name;    // Without the subtask.
  std::string job_id;
  std::string job_name;
  int subtask = 0;
  int parallelism = 1;
  int max_parallelism = 128;
  int attempt = 0;
  int64_t auto_watermark_interval_ms = 200;
  bool checkpointing = false;
  /// The checkpoint that the task goes on from; 0: none, be it that the whole job begins anew or
  /// that the checkpoint holds no state of any operator of the task. As Flink has it.
  int64_t restored_checkpoint = 0;
  /// That checkpoint holds state of this very operator, if only of others of its subtasks.
  bool has_saved_state = false;
  ProcessingTimeService* processing_time = nullptr;
  state::OperatorStateStore* operator_state = nullptr;
  FileSystem* files = nullptr;
  /// Writes a line, which has no end of line, to the job's standard output or error. Thread-safe.
  std::function<void(StandardStream stream, const std::string& line)> print_line;
  /// For keyed operators: what their backend starts from. Taken by the operator in setUp().
  state::KeyedBackendSetup keyed_setup;
  MetricGroup metrics;
  std::map<std::string, std::string> global_job_parameters;
  /// Makes the task look for work again. Any thread.
  std::function<void()> wake_task;

  bool isRestored() const { return restored_checkpoint > 0; }
};

}  // namespace wiesel::runtime
