#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/exceptions.h"
#include "runtime/graph/stream_graph.h"

namespace wiesel::internal {

/// A program as far as it is written. The handles of its streams share it, and its environment
/// does until the job is executed: then it can be changed no more.
///
/// Errors: InvalidProgramException for a change after take().
class Program {
 public:
  const runtime::StreamGraph& graph() const { return graph_; }
  const std::string& nameOf(int node) const {
    return is_taken_ ? names_[node] : graph_.nodes[node].name;
  }

  /// Throws when the node `name` cannot be added.
  void requireOpen(const std::string& name) const {
    if (!is_taken_) return;
    throw InvalidProgramException(
        "'" + name + "' cannot be added to a stream whose job has been executed: " + kWayOut);
  }

  int addNode(runtime::StreamNode node) {
    requireOpen(node.name);
    graph_.nodes.push_back(std::move(node));
    return static_cast<int>(graph_.nodes.size()) - 1;
  }

  /// A node, to change its settings.
  runtime::StreamNode& node(int index) {
    if (is_taken_) {
      throw InvalidProgramException("the settings of '" + nameOf(index) +
                                    "' cannot be changed, its job has been executed: " + kWayOut);
    }
    return graph_.nodes[index];
  }

  /// The graph, for the job that is executed.
  runtime::StreamGraph take() {
    for (const runtime::StreamNode& node : graph_.nodes) names_.push_back(node.name);
    is_taken_ = true;
    return std::exchange(graph_, {});
  }

 private:
  static constexpr const char* kWayOut =
      "write all of a job before execute(), and begin the next one with its sources";

  runtime::StreamGraph graph_;
  bool is_taken_ = false;
  std::vector<std::string> names_;  // Of the nodes, once they are taken.
};

}  // namespace wiesel::internal
