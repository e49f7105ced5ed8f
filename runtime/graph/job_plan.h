#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/config/configuration.h"
#include "runtime/graph/stream_graph.h"
#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// One operator of a chain and where its records go.
struct ChainedOperator {
  int node = 0;  // In the stream graph.
  std::string id;
  /// Where the records go inside the chain: the operator (its place in the chain) and its input.
  struct Next {
    int operator_index = 0;
    int input_index = 0;
  };
  std::vector<Next> chained;
  std::vector<int> outputs;  // Places in VertexPlan::outputs.
};

/// An edge that leaves a chain.
struct OutputPlan {
  StreamEdge edge;  // With its partitioning settled.
  int consumer_max_parallelism = 0;
};

/// What a task of one job vertex is made of.
struct VertexPlan {
  std::string id;
  std::string name;
  int parallelism = 1;
  int max_parallelism = 128;  // The head's: only it can be keyed.
  bool is_source = false;
  int input_count = 0;                     // Of the head operator.
  std::vector<ChainedOperator> operators;  // The head first; each behind the one that feeds it.
  std::vector<OutputPlan> outputs;
};

/// A program cut into tasks: the part that others need to know as a message, and beside it what
/// only this process can have, the functions. `vertices` are those of `graph`, in the same order.
struct JobPlan {
  StreamGraph program;
  proto::JobGraph graph;
  std::vector<VertexPlan> vertices;
  std::map<std::string, std::string> global_job_parameters;

  /// Null when there is no such vertex.
  const VertexPlan* findVertex(const std::string& id) const;
};

/// Settles parallelism, partitioning and operator ids, and joins operators into chains.
///
/// Errors: InvalidArgument that names the operator and what to change.
/// Flink:  StreamingJobGraphGenerator, StreamGraphHasherV2 (1.20). An operator with a uid has
///         Flink's id; one without has an id that follows from its place in the program, not
///         Flink's.
absl::StatusOr<JobPlan> planJob(StreamGraph program, const Configuration& configuration,
                                const std::string& job_name);

}  // namespace wiesel::runtime
