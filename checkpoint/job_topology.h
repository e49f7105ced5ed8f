#pragma once

#include <string>
#include <vector>

#include "common/ids.h"

namespace wiesel::checkpoint {

/// What checkpoints need to know of a job: its chained vertices, their operators and who feeds
/// whom.
///
/// Flink: ExecutionJobVertex and JobEdge, as far as CheckpointCoordinator (1.20) looks at them.
struct JobTopology {
  struct Operator {
    OperatorId id;
    std::string uid;  // Empty when the program gave none.
    std::string name;
  };

  struct Edge {
    int source = 0;          // Index of the producing vertex; smaller than the consumer's.
    bool pointwise = false;  // Else every producer subtask feeds every consumer subtask.
  };

  struct Vertex {
    JobVertexId id;
    std::string name;
    int parallelism = 1;
    int max_parallelism = 128;
    std::vector<Operator> operators;  // In chain order.
    std::vector<Edge> inputs;         // Empty for a source.
  };

  std::vector<Vertex> vertices;           // Topological order.
  std::string state_backend = "hashmap";  // Or "rocksdb": where keyed state lives.

  /// The index of the vertex, or -1.
  int indexOf(const JobVertexId& vertex) const {
    for (size_t i = 0; i < vertices.size(); ++i) {
      if (vertices[i].id == vertex) return static_cast<int>(i);
    }
    return -1;
  }
};

}  // namespace wiesel::checkpoint
