#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/exceptions.h"
#include "api/program.h"
#include "common/max_parallelism.h"
#include "runtime/graph/stream_graph.h"

namespace wiesel::internal {

/// The settings of the operator that made a stream, or of a sink; `Self` is the handle's class,
/// with settings(), the node. Flink: SingleOutputStreamOperator, DataStreamSink (1.20).
template <class Self>
class NodeSettings {
 public:
  Self& name(std::string name) { return change(&runtime::StreamNode::name, std::move(name)); }

  /// Identifies the operator's state over changes of the program: give one to each stateful
  /// operator.
  Self& uid(std::string uid) { return change(&runtime::StreamNode::uid, std::move(uid)); }

  Self& setParallelism(int parallelism) {
    const runtime::StreamNode& node = self().settings();
    if (parallelism < 1) {
      throw InvalidProgramException("the parallelism of '" + node.name +
                                    "' must be at least 1, got " + std::to_string(parallelism));
    }
    if (parallelism > 1 && !node.is_parallel) {
      throw InvalidProgramException("'" + node.name +
                                    "' cannot run in parallel: its parallelism must be 1, got " +
                                    std::to_string(parallelism));
    }
    return change(&runtime::StreamNode::parallelism, parallelism);
  }

  /// The number of key groups: the highest parallelism that the operator's state can ever have.
  Self& setMaxParallelism(int max_parallelism) {
    if (max_parallelism < 1 || max_parallelism > kMaxMaxParallelism) {
      throw InvalidProgramException("the max parallelism of '" + self().settings().name +
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

 private:
  Self& self() { return static_cast<Self&>(*this); }

  template <class Member, class Value>
  Self& change(Member runtime::StreamNode::*member, Value&& value) {
    self().settings().*member = std::forward<Value>(value);
    return self();
  }
};

/// Refuses, when compiled, the settings of a stream that is no operator's own: they would be those
/// of an operator before it. In Flink such a stream has no such methods.
class NoSettings {
 public:
  template <class... Args>
  void name(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void uid(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void setParallelism(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void setMaxParallelism(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void slotSharingGroup(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void disableChaining(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void startNewChain(const Args&...) const {
    refuse<Args...>();
  }
  template <class... Args>
  void getSideOutput(const Args&...) const {
    refuse<Args...>();
  }

 private:
  template <class... Args>
  static void refuse() {
    static_assert(
        sizeof...(Args) > 99,
        "wiesel: a DataStream is no operator of its own (it may be a union, a partitioning "
        "or a side output): set name, uid, parallelism and so on right behind the "
        "operator's call, or keep its stream as auto or SingleOutputStreamOperator<T>");
  }
};

/// Where a stream comes from: one node of a program, or several after a union, and how the records
/// of each are dealt out.
///
/// Errors: InvalidProgramException for a stream that was only declared, and for streams of
///         different programs that meet.
struct Upstream {
  struct Branch {
    int node = 0;
    runtime::Partitioning partitioning = runtime::Partitioning::kUnset;
    std::string side{};  // Of the node's outputs; empty: the main one.
    /// For Partitioning::kCustom; makes a writer of this stream's records.
    std::function<std::unique_ptr<runtime::RecordWriter>(runtime::WriterSetup)> custom_writer{};
  };
  std::shared_ptr<Program> program;  // Shared by all handles of it.
  std::vector<Branch> branches;

  /// Throws when the node `name` cannot be added to this stream.
  void requireOpen(const std::string& name) const {
    if (!program) {
      throw InvalidProgramException("'" + name +
                                    "' cannot be added to a stream that comes from nowhere: it "
                                    "was declared, but no stream was assigned to it");
    }
    program->requireOpen(name);
  }

  int addNode(runtime::StreamNode node) const {
    requireOpen(node.name);
    return program->addNode(std::move(node));
  }

  /// Streams of two programs cannot be the inputs of one operator.
  void requireSameProgram(const Upstream& other) const {
    if (program == other.program) return;
    throw InvalidProgramException(describe() + " and " + other.describe() +
                                  " cannot meet: they are not of one environment, or one is of a "
                                  "job that has been executed");
  }

  Upstream unionWith(const Upstream& other) const {
    requireSameProgram(other);
    Upstream both = *this;
    both.branches.insert(both.branches.end(), other.branches.begin(), other.branches.end());
    return both;
  }

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
  std::string describe() const {
    if (!program) return "a stream that comes from nowhere";
    return "the stream of '" + program->nameOf(branches.front().node) + "'";
  }

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

/// A stream on its way to one input of a node.
struct Inlet {
  const Upstream& upstream;
  std::vector<runtime::StreamEdge> edges;
};

}  // namespace wiesel::internal

namespace wiesel {

/// The end of a stream. Flink: DataStreamSink (1.20).
class DataStreamSink : public internal::NodeSettings<DataStreamSink> {
 public:
  DataStreamSink(std::shared_ptr<internal::Program> program, int node)
      : program_(std::move(program)), node_(node) {}

 private:
  friend class internal::NodeSettings<DataStreamSink>;

  runtime::StreamNode& settings() { return program_->node(node_); }

  std::shared_ptr<internal::Program> program_;  // Shared by all handles of it.
  int node_;
};

}  // namespace wiesel
