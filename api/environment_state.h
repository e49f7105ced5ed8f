#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/exceptions.h"
#include "common/config/configuration.h"
#include "runtime/graph/stream_graph.h"

namespace wiesel::internal {

/// What the handles of one environment share: the program as far as it is written, and its
/// settings.
struct EnvironmentState {
  runtime::StreamGraph graph;
  Configuration configuration;

  runtime::StreamNode& node(int index) { return graph.nodes[index]; }

  int addNode(runtime::StreamNode node) {
    graph.nodes.push_back(std::move(node));
    return static_cast<int>(graph.nodes.size()) - 1;
  }
};

}  // namespace wiesel::internal
