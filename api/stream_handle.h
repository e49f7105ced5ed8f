#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/environment_state.h"
#include "common/max_parallelism.h"
#include "runtime/graph/stream_graph.h"

namespace wiesel::internal {

/// The settings of the operator that made a stream; `Self` is the stream's class.
/// Flink: SingleOutputStreamOperator, DataStreamSink (1.20).
template <class Self>
class NodeSettings {
 public:
  NodeSettings() = default;
  NodeSettings(std::shared_ptr<EnvironmentState> environment, int node)
      : environment_(std::move(environment)), node_(node) {}

  Self& name(std::string name) { return change(&runtime::StreamNode::name, std::move(name)); }

  /// Identifies the operator's state over changes of the program: give one to each stateful
  /// operator.
  Self& uid(std::string uid) { return change(&runtime::StreamNode::uid, std::move(uid)); }

  Self& setParallelism(int parallelism) {
    if (parallelism < 1) {
      throw InvalidProgramException("the parallelism of '" + settings().name +
                                    "' must be at least 1, got " + std::to_string(parallelism));
    }
    if (parallelism > 1 && !settings().is_parallel) {
      throw InvalidProgramException("'" + settings().name +
                                    "' cannot run in parallel: its parallelism must be 1, got " +
                                    std::to_string(parallelism));
    }
    return change(&runtime::StreamNode::parallelism, parallelism);
  }

  /// The number of key groups: the highest parallelism that the operator's state can ever have.
  Self& setMaxParallelism(int max_parallelism) {
    if (max_parallelism < 1 || max_parallelism > kMaxMaxParallelism) {
      throw InvalidProgramException("the max parallelism of '" + settings().name +
                                    "' must be in [1, " + std::to_string(kMaxMaxParallelism) +
                                    "], got " + std::to_string(max_parallelism));
    }
    return change(&runtime::StreamNode::max_parallelism, max_parallelism);
  }

  Self& slotSharingGroup(std::string group) {
    return change(&runtime::StreamNode::slot_sharing_group, std::move(group));
  }
  Self& disableChaining() {
    return change(&runtime::StreamNode::chaining, runtime::Chaining::kNever);
  }
  Self& startNewChain() { return change(&runtime::StreamNode::chaining, runtime::Chaining::kHead); }

 protected:
  runtime::StreamNode& settings() { return environment_->node(node_); }

  std::shared_ptr<EnvironmentState> environment_;  // Shared by all handles of one program.
  int node_ = 0;

 private:
  template <class Member, class Value>
  Self& change(Member runtime::StreamNode::*member, Value&& value) {
    settings().*member = std::forward<Value>(value);
    return static_cast<Self&>(*this);
  }
};

/// Where a stream comes from: one node, or several after a union, and how the records of each are
/// dealt out.
struct Upstream {
  struct Branch {
    int node = 0;
    runtime::Partitioning partitioning = runtime::Partitioning::kUnset;
    std::string side{};  // Of the node's outputs; empty: the main one.
    /// For Partitioning::kCustom; makes a writer of this stream's records.
    std::function<std::unique_ptr<runtime::RecordWriter>(runtime::WriterSetup)> custom_writer{};
  };
  std::vector<Branch> branches;

  /// The edges that bring this stream of T records to input `input_index` of a new node.
  template <class T>
  std::vector<runtime::StreamEdge> edges(int input_index = 0) const {
    auto edges = edgesWith<T>(input_index, [](runtime::WriterSetup setup) {
      return runtime::makeWriter<T>(std::move(setup));
    });
    for (size_t i = 0; i < edges.size(); ++i) {
      if (branches[i].custom_writer) edges[i].make_writer = branches[i].custom_writer;
    }
    return edges;
  }

  /// The same behind keyBy().
  template <class T, class KeySelector>
  std::vector<runtime::StreamEdge> keyedEdges(const KeySelector& key_selector,
                                              int input_index = 0) const {
    auto edges = edgesWith<T>(input_index, [key_selector](runtime::WriterSetup setup) {
      return runtime::makeKeyedWriter<T>(std::move(setup), key_selector);
    });
    for (runtime::StreamEdge& edge : edges) edge.partitioning = runtime::Partitioning::kHash;
    return edges;
  }

 private:
  template <class T, class MakeWriter>
  std::vector<runtime::StreamEdge> edgesWith(int input_index, MakeWriter make_writer) const {
    std::vector<runtime::StreamEdge> edges;
    for (const Branch& branch : branches) {
      runtime::StreamEdge edge;
      edge.source_node = branch.node;
      edge.input_index = input_index;
      edge.partitioning = branch.partitioning;
      edge.make_writer = make_writer;
      edge.type = &runtime::TypedBatchType<T>::instance();
      if (!branch.side.empty()) {
        edge.side = branch.side;
        edge.make_side = [] { return std::make_unique<runtime::Output<T>>(); };
      }
      edges.push_back(std::move(edge));
    }
    return edges;
  }
};

}  // namespace wiesel::internal

namespace wiesel {

/// The end of a stream. Flink: DataStreamSink (1.20).
class DataStreamSink : public internal::NodeSettings<DataStreamSink> {
 public:
  using NodeSettings::NodeSettings;
};

}  // namespace wiesel
