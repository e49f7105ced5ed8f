#include "runtime/graph/job_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/config/pipeline_options.h"
#include "common/hash/murmur.h"
#include "common/ids.h"
#include "common/status_macros.h"
#include "runtime/graph/job_settings.h"
#include "state/key_group.h"

namespace wiesel::runtime {
namespace {

/// Gives every node its parallelism, max parallelism and id.
class NodeSettlement {
 public:
  NodeSettlement(StreamGraph& program, const Configuration& configuration)
      : program_(program), configuration_(configuration) {}

  absl::StatusOr<std::vector<std::string>> settle() {
    const int default_parallelism = configuration_.get(kDefaultParallelism);
    const int default_max = configuration_.get(kMaxParallelism);
    std::vector<std::string> ids;
    for (StreamNode& node : program_.nodes) {
      if (node.parallelism == 0) node.parallelism = default_parallelism;
      if (node.max_parallelism == 0) {
        node.max_parallelism =
            default_max > 0 ? default_max : state::defaultMaxParallelism(node.parallelism);
      }
      if (!state::isValidParallelism(node.parallelism, node.max_parallelism)) {
        return absl::InvalidArgumentError(absl::StrFormat(
            "operator '%s' has parallelism %d and max parallelism %d: give a parallelism of at "
            "least 1 and a max parallelism in [parallelism, %d]",
            node.name, node.parallelism, node.max_parallelism, kMaxMaxParallelism));
      }
      WIESEL_ASSIGN_OR_RETURN(std::string id, idOf(node, ids.size()));
      ids.push_back(std::move(id));
    }
    return ids;
  }

 private:
  absl::StatusOr<std::string> idOf(const StreamNode& node, size_t place) {
    if (node.uid.empty()) {
      if (!configuration_.get(kAutoGenerateUids)) {
        return absl::InvalidArgumentError(absl::StrFormat(
            "operator '%s' has no uid, and pipeline.auto-generate-uids is false: call uid(\"...\")",
            node.name));
      }
      return Id128(murmur3_128(absl::StrFormat("wiesel-node-%d", place))).toHex();
    }
    if (!uids_.insert(node.uid).second) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "the uid '%s' is given to two operators, one of them '%s': uids must differ", node.uid,
          node.name));
    }
    return Id128(murmur3_128(node.uid)).toHex();
  }

  StreamGraph& program_;
  const Configuration& configuration_;
  std::set<std::string> uids_;
};

absl::Status settlePartitioning(StreamGraph& program) {
  for (StreamNode& node : program.nodes) {
    for (StreamEdge& edge : node.inputs) {
      const StreamNode& source = program.nodes[edge.source_node];
      const bool same = source.parallelism == node.parallelism;
      if (edge.partitioning == Partitioning::kUnset) {
        edge.partitioning = same ? Partitioning::kForward : Partitioning::kRebalance;
      } else if (edge.partitioning == Partitioning::kForward && !same) {
        return absl::InvalidArgumentError(absl::StrFormat(
            "forward() from '%s' (parallelism %d) to '%s' (parallelism %d): both need the same "
            "parallelism; use rebalance() or rescale()",
            source.name, source.parallelism, node.name, node.parallelism));
      }
    }
  }
  return absl::OkStatus();
}

bool canChain(const StreamGraph& program, const StreamNode& node, bool chaining_enabled) {
  if (!chaining_enabled || node.inputs.size() != 1 || node.chaining != Chaining::kAlways) {
    return false;
  }
  const StreamEdge& edge = node.inputs.front();
  const StreamNode& source = program.nodes[edge.source_node];
  return edge.partitioning == Partitioning::kForward && source.chaining != Chaining::kNever &&
         source.parallelism == node.parallelism &&
         source.slot_sharing_group == node.slot_sharing_group;
}

std::string_view shipStrategy(Partitioning partitioning) {
  switch (partitioning) {
    case Partitioning::kHash:
      return "HASH";
    case Partitioning::kRebalance:
      return "REBALANCE";
    case Partitioning::kRescale:
      return "RESCALE";
    case Partitioning::kShuffle:
      return "SHUFFLE";
    case Partitioning::kBroadcast:
      return "BROADCAST";
    case Partitioning::kGlobal:
      return "GLOBAL";
    case Partitioning::kCustom:
      return "CUSTOM";
    default:
      return "FORWARD";
  }
}

proto::Distribution distributionOf(Partitioning partitioning) {
  const bool pointwise =
      partitioning == Partitioning::kForward || partitioning == Partitioning::kRescale;
  return pointwise ? proto::POINTWISE : proto::ALL_TO_ALL;
}

/// Cuts the settled program into chains.
class Chains {
 public:
  Chains(const StreamGraph& program, const std::vector<std::string>& ids, bool chaining_enabled)
      : program_(program), ids_(ids) {
    for (size_t node = 0; node < program.nodes.size(); ++node) {
      if (canChain(program, program.nodes[node], chaining_enabled)) {
        joinChain(static_cast<int>(node));
      } else {
        beginChain(static_cast<int>(node));
      }
    }
    for (VertexPlan& vertex : vertices_) vertex.name = nameFrom(vertex, 0);
  }

  /// To be called once.
  std::vector<VertexPlan> takeVertices() { return std::move(vertices_); }

  /// The edges between chains as messages, by the consumer's place among the vertices.
  const std::map<int, std::vector<proto::JobEdge>>& edges() const { return edges_; }

 private:
  struct Place {
    int vertex = 0;
    int operator_index = 0;
  };

  void beginChain(int index) {
    const StreamNode& node = program_.nodes[index];
    VertexPlan vertex;
    vertex.id = ids_[index];
    vertex.parallelism = node.parallelism;
    vertex.max_parallelism = node.max_parallelism;
    vertex.is_source = node.is_source;
    vertex.operators.push_back({index, ids_[index], {}, {}});
    const int place = static_cast<int>(vertices_.size());
    for (const StreamEdge& edge : node.inputs) {
      vertex.input_count = std::max(vertex.input_count, edge.input_index + 1);
      const Place from = places_.at(edge.source_node);
      VertexPlan& producer = vertices_[from.vertex];
      const int output = static_cast<int>(producer.outputs.size());
      producer.operators[from.operator_index].outputs.push_back(output);
      producer.outputs.push_back({edge, node.max_parallelism});
      addEdge(place, producer.id, output, edge);
    }
    places_[index] = {place, 0};
    vertices_.push_back(std::move(vertex));
  }

  void joinChain(int index) {
    const StreamEdge& edge = program_.nodes[index].inputs.front();
    const Place from = places_.at(edge.source_node);
    VertexPlan& vertex = vertices_[from.vertex];
    const int place = static_cast<int>(vertex.operators.size());
    vertex.operators.push_back({index, ids_[index], {}, {}});
    vertex.operators[from.operator_index].chained.push_back({place, edge.input_index});
    places_[index] = {from.vertex, place};
  }

  void addEdge(int consumer, const std::string& producer_id, int output, const StreamEdge& edge) {
    proto::JobEdge message;
    message.set_source_vertex(producer_id);
    message.set_output_index(output);
    message.set_input_index(edge.input_index);
    message.set_distribution(distributionOf(edge.partitioning));
    message.set_ship_strategy(std::string(shipStrategy(edge.partitioning)));
    edges_[consumer].push_back(std::move(message));
  }

  /// "Source: A -> Map -> (B, C)", as Flink names a vertex.
  std::string nameFrom(const VertexPlan& vertex, int operator_index) const {
    const ChainedOperator& op = vertex.operators[operator_index];
    std::string name = program_.nodes[op.node].name;
    if (op.chained.empty()) return name;
    std::string rest;
    for (const ChainedOperator::Next& next : op.chained) {
      rest += (rest.empty() ? "" : ", ") + nameFrom(vertex, next.operator_index);
    }
    return name + " -> " + (op.chained.size() > 1 ? "(" + rest + ")" : rest);
  }

  const StreamGraph& program_;
  const std::vector<std::string>& ids_;
  std::map<int, Place> places_;  // By node.
  std::vector<VertexPlan> vertices_;
  std::map<int, std::vector<proto::JobEdge>> edges_;
};

proto::JobVertex vertexMessage(const StreamGraph& program, const VertexPlan& vertex) {
  proto::JobVertex message;
  message.set_id(vertex.id);
  message.set_name(vertex.name);
  message.set_parallelism(vertex.parallelism);
  message.set_max_parallelism(vertex.max_parallelism);
  message.set_slot_sharing_group(program.nodes[vertex.operators.front().node].slot_sharing_group);
  message.set_is_source(vertex.is_source);
  for (const ChainedOperator& op : vertex.operators) {
    proto::OperatorInfo& info = *message.add_operators();
    info.set_id(op.id);
    info.set_uid(program.nodes[op.node].uid);
    info.set_name(program.nodes[op.node].name);
  }
  return message;
}

proto::JobGraph jobGraphMessage(const Configuration& configuration, const std::string& job_name) {
  proto::JobGraph graph;
  graph.set_name(!job_name.empty()
                     ? job_name
                     : configuration.get(kPipelineName).value_or("Flink Streaming Job"));
  *graph.mutable_checkpointing() = checkpointSettings(configuration);
  *graph.mutable_restart() = restartSettings(configuration);
  graph.set_auto_watermark_interval_ms(configuration.get(kAutoWatermarkInterval).count());
  graph.set_buffer_timeout_ms(
      configuration.get(kBufferTimeoutEnabled) ? configuration.get(kBufferTimeout).count() : -1);
  for (const auto& [key, value] : configuration.entries()) {
    (*graph.mutable_configuration())[key] = value;
  }
  return graph;
}

}  // namespace

const VertexPlan* JobPlan::findVertex(const std::string& id) const {
  const auto vertex = std::find_if(vertices.begin(), vertices.end(),
                                   [&id](const VertexPlan& v) { return v.id == id; });
  return vertex == vertices.end() ? nullptr : &*vertex;
}

absl::StatusOr<JobPlan> planJob(StreamGraph program, const Configuration& configuration,
                                const std::string& job_name) {
  if (program.nodes.empty()) {
    return absl::InvalidArgumentError(
        "the program has no operators: make a source and use its stream before execute()");
  }
  JobPlan plan;
  plan.program = std::move(program);
  WIESEL_ASSIGN_OR_RETURN(const std::vector<std::string> ids,
                          NodeSettlement(plan.program, configuration).settle());
  WIESEL_RETURN_IF_ERROR(settlePartitioning(plan.program));
  Chains chains(plan.program, ids, configuration.get(kOperatorChaining));
  plan.vertices = chains.takeVertices();
  plan.graph = jobGraphMessage(configuration, job_name);
  if (auto parameters = configuration.get(kGlobalJobParameters)) {
    plan.global_job_parameters = *std::move(parameters);
  }
  for (size_t i = 0; i < plan.vertices.size(); ++i) {
    proto::JobVertex vertex = vertexMessage(plan.program, plan.vertices[i]);
    if (const auto edges = chains.edges().find(static_cast<int>(i));
        edges != chains.edges().end()) {
      for (const proto::JobEdge& edge : edges->second) *vertex.add_inputs() = edge;
    }
    *plan.graph.add_vertices() = std::move(vertex);
  }
  return plan;
}

}  // namespace wiesel::runtime
