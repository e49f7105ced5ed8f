#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/graph/execution_state.h"
#include "runtime/proto/control.pb.h"
#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// A subtask by its place: index of its vertex in the job graph, index within the vertex.
struct SubtaskId {
  int32_t vertex = 0;
  int32_t subtask = 0;

  auto operator<=>(const SubtaskId&) const = default;
};

/// The current attempt of one subtask.
struct Execution {
  ExecutionState state = proto::CREATED;
  StateTimestamps entered_ms{};
  std::string worker_id;        // Empty until it is deployed.
  std::string task_manager_id;  // Empty until it is deployed.
  bool end_of_data = false;     // It has read all its input.
};

/// An edge as its consumer sees it.
struct ExecutionInput {
  int32_t producer = 0;  // Index of the producing vertex.
  int32_t output_index = 0;
  int32_t input_index = 0;
  proto::Distribution distribution = proto::ALL_TO_ALL;
};

/// An edge as its producer sees it.
struct ExecutionOutput {
  int32_t consumer = 0;  // Index of the consuming vertex.
  int32_t output_index = 0;
  proto::Distribution distribution = proto::ALL_TO_ALL;
};

struct ExecutionVertex {
  const proto::JobVertex* info = nullptr;  // In ExecutionGraph::jobGraph().
  std::vector<ExecutionInput> inputs;      // In the order of the job graph.
  std::vector<ExecutionOutput> outputs;    // By output index.
  std::vector<Execution> subtasks;
  StateCounts counts{};  // Of subtasks.

  int32_t parallelism() const { return static_cast<int32_t>(subtasks.size()); }
  ExecutionState state() const { return aggregateState(counts, parallelism()); }
};

/// How a job is going: the state of the current attempt of each subtask. All subtasks share one
/// attempt number, since a failure restarts all of them.
///
/// Owns:    the job graph.
/// Units:   epoch milliseconds.
/// Threads: not thread-safe; belongs to the job master's event loop.
/// Flink:   DefaultExecutionGraph (1.20) without regions and intermediate results.
class ExecutionGraph {
 public:
  /// InvalidArgument when the graph cannot run; see checkJobGraph().
  static absl::StatusOr<std::unique_ptr<ExecutionGraph>> build(proto::JobGraph graph,
                                                               int64_t now_ms);

  ExecutionGraph(const ExecutionGraph&) = delete;
  ExecutionGraph& operator=(const ExecutionGraph&) = delete;

  const proto::JobGraph& jobGraph() const { return graph_; }
  const std::vector<ExecutionVertex>& vertices() const { return vertices_; }
  const Execution& execution(SubtaskId id) const;
  /// In topological order.
  const std::vector<SubtaskId>& subtasks() const { return subtasks_; }
  int32_t attempt() const { return attempt_; }

  /// The subtask that `ref` names, or nullopt when it is unknown or of another attempt.
  std::optional<SubtaskId> find(const proto::TaskRef& ref) const;
  proto::TaskRef refOf(SubtaskId id) const;

  /// "Source: numbers -> map (1/2)", as Flink names tasks.
  std::string taskNameOf(SubtaskId id) const;

  /// Moves the attempt to `state`; false (and no change) when it cannot follow. See canFollow().
  bool transition(SubtaskId id, ExecutionState state, int64_t now_ms);
  void place(SubtaskId id, std::string worker_id, std::string task_manager_id);
  void setEndOfData(SubtaskId id);

  /// All subtasks become CREATED attempts with the next number. Requires all to be terminal.
  void beginNextAttempt(int64_t now_ms);

  bool allTerminal() const;
  bool allIn(ExecutionState state) const;

 private:
  explicit ExecutionGraph(proto::JobGraph graph);
  void connect();
  void startAttempt(int64_t now_ms);
  Execution& mutableExecution(SubtaskId id);

  const proto::JobGraph graph_;
  std::vector<ExecutionVertex> vertices_;
  std::vector<SubtaskId> subtasks_;
  std::unordered_map<std::string, int32_t> index_of_vertex_;
  StateCounts counts_{};  // Of all subtasks.
  int32_t attempt_ = 0;
};

}  // namespace wiesel::runtime
