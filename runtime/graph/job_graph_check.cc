#include "runtime/graph/job_graph_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/ids.h"
#include "common/max_parallelism.h"
#include "common/status_macros.h"

namespace wiesel::runtime {
namespace {

absl::Status refuse(const std::string& why) {
  return absl::InvalidArgumentError("the job graph is refused: " + why);
}

absl::Status refuse(const proto::JobVertex& vertex, const std::string& why) {
  return refuse(absl::StrFormat("operator '%s': %s", vertex.name(), why));
}

bool isId(const std::string& text) {
  return Id128::fromHex(text).has_value() && text == Id128::fromHex(text)->toHex();
}

absl::Status checkParallelism(const proto::JobVertex& vertex) {
  if (vertex.parallelism() < 1 || vertex.parallelism() > kMaxMaxParallelism) {
    return refuse(vertex, absl::StrFormat("parallelism %d is not within 1 .. %d",
                                          vertex.parallelism(), kMaxMaxParallelism));
  }
  if (vertex.max_parallelism() < vertex.parallelism() ||
      vertex.max_parallelism() > kMaxMaxParallelism) {
    return refuse(vertex, absl::StrFormat(
                              "maximum parallelism %d is not within %d (its parallelism) .. %d",
                              vertex.max_parallelism(), vertex.parallelism(), kMaxMaxParallelism));
  }
  return absl::OkStatus();
}

absl::Status checkOperators(const proto::JobVertex& vertex, std::set<std::string>& seen) {
  if (vertex.operators().empty()) return refuse(vertex, "its chain has no operators");
  for (const proto::OperatorInfo& info : vertex.operators()) {
    if (!isId(info.id())) {
      return refuse(vertex,
                    absl::StrFormat("operator id '%s' is not 32 lower-case hex digits", info.id()));
    }
    if (!seen.insert(info.id()).second) {
      return refuse(vertex, absl::StrFormat("operator id %s (uid '%s') appears twice", info.id(),
                                            info.uid()));
    }
  }
  return absl::OkStatus();
}

/// Vertices seen so far and which of their outputs have a consumer.
struct Seen {
  std::map<std::string, const proto::JobVertex*> vertices;
  std::set<std::pair<std::string, int32_t>> outputs;
  std::set<std::string> operators;
  int64_t channels = 0;
};

absl::Status checkEdge(const proto::JobVertex& vertex, const proto::JobEdge& edge, Seen& seen) {
  const auto source = seen.vertices.find(edge.source_vertex());
  if (source == seen.vertices.end()) {
    return refuse(vertex,
                  absl::StrFormat("its input comes from vertex '%s', which is not before it",
                                  edge.source_vertex()));
  }
  if (!proto::Distribution_IsValid(edge.distribution())) {
    return refuse(vertex, absl::StrFormat("an edge has the unknown distribution %d",
                                          static_cast<int>(edge.distribution())));
  }
  if (edge.output_index() < 0 || edge.input_index() < 0) {
    return refuse(vertex, "an edge has a negative index");
  }
  if (!seen.outputs.emplace(edge.source_vertex(), edge.output_index()).second) {
    return refuse(vertex, absl::StrFormat("output %d of operator '%s' has two consumers",
                                          edge.output_index(), source->second->name()));
  }
  const int64_t producers = source->second->parallelism();
  const int64_t consumers = vertex.parallelism();
  seen.channels += edge.distribution() == proto::ALL_TO_ALL ? producers * consumers
                                                            : std::max(producers, consumers);
  if (seen.channels > kMaxJobChannels) {
    return refuse(vertex, absl::StrFormat("the job has more than %d channels", kMaxJobChannels));
  }
  return absl::OkStatus();
}

absl::Status checkVertex(const proto::JobVertex& vertex, Seen& seen) {
  if (!isId(vertex.id())) {
    return refuse(vertex,
                  absl::StrFormat("vertex id '%s' is not 32 lower-case hex digits", vertex.id()));
  }
  WIESEL_RETURN_IF_ERROR(checkParallelism(vertex));
  WIESEL_RETURN_IF_ERROR(checkOperators(vertex, seen.operators));
  for (const proto::JobEdge& edge : vertex.inputs()) {
    WIESEL_RETURN_IF_ERROR(checkEdge(vertex, edge, seen));
  }
  if (!seen.vertices.emplace(vertex.id(), &vertex).second) {
    return refuse(vertex, absl::StrFormat("vertex id %s appears twice", vertex.id()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status checkJobGraph(const proto::JobGraph& graph) {
  if (!isId(graph.job_id())) {
    return refuse(absl::StrFormat("job id '%s' is not 32 lower-case hex digits", graph.job_id()));
  }
  if (graph.vertices().empty()) return refuse("it has no operators");
  Seen seen;
  for (const proto::JobVertex& vertex : graph.vertices()) {
    WIESEL_RETURN_IF_ERROR(checkVertex(vertex, seen));
  }
  return absl::OkStatus();
}

}  // namespace wiesel::runtime
