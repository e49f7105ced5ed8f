#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/network/batch.h"
#include "runtime/operators/stream_operator.h"
#include "runtime/partition/partitioner.h"

namespace wiesel::runtime {

/// May an operator run in the task of the one before it?
enum class Chaining : uint8_t {
  kAlways,
  kHead,   // Only at the head of a chain.
  kNever,  // Alone.
};

/// A stream from one node to another.
struct StreamEdge {
  int source_node = 0;  // Its index in the graph.
  int input_index = 0;  // Which input of the consumer.
  Partitioning partitioning = Partitioning::kUnset;
  std::function<std::unique_ptr<RecordWriter>(WriterSetup)> make_writer;
  const BatchType* type = nullptr;  // Immortal.
  std::string side;                 // Which side output of the source node; empty: its main output.
  std::function<std::unique_ptr<OutputBase>()> make_side;  // Set for a side output.
};

/// Whether a node makes watermarks of its own.
enum class WatermarkOrigin : uint8_t {
  kNone,
  kMaybe,  // A user's source may emit some.
  kMakes,
};

/// One operator of the program, before it is cut into subtasks.
struct StreamNode {
  std::string name;
  std::string uid;          // Empty: the program gave none.
  int parallelism = 0;      // 0: the environment's.
  int max_parallelism = 0;  // 0: the environment's.
  std::string slot_sharing_group = "default";
  Chaining chaining = Chaining::kAlways;
  bool is_source = false;
  bool is_parallel = true;  // false: there must be one subtask.
  bool is_keyed = false;
  WatermarkOrigin watermarks = WatermarkOrigin::kNone;
  std::vector<StreamEdge> inputs;
  std::function<std::unique_ptr<StreamOperator>()> make_operator;
};

/// The program as it was written: nodes in the order of their making, so inputs come first.
/// Flink: StreamGraph (1.20).
struct StreamGraph {
  std::vector<StreamNode> nodes;
};

}  // namespace wiesel::runtime
