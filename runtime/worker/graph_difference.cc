#include "runtime/worker/graph_difference.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace wiesel::runtime {
namespace {

constexpr char kAdvice[] =
    "main() must build the same program in every process: take what depends on clock, random "
    "numbers, files or environment from env.fromClient()";

std::string operatorDifference(const proto::OperatorInfo& submitted,
                               const proto::OperatorInfo& built) {
  if (submitted.name() != built.name()) {
    return absl::StrFormat("operator '%s' is '%s' here", submitted.name(), built.name());
  }
  if (submitted.id() != built.id()) {
    return absl::StrFormat("operator '%s' has another uid or place here", submitted.name());
  }
  return "";
}

std::string vertexDifference(const proto::JobVertex& submitted, const proto::JobVertex& built) {
  const int operators = std::min(submitted.operators_size(), built.operators_size());
  for (int i = 0; i < operators; ++i) {
    std::string difference = operatorDifference(submitted.operators(i), built.operators(i));
    if (!difference.empty()) return difference;
  }
  if (submitted.operators_size() != built.operators_size()) {
    return absl::StrFormat("the chain '%s' is '%s' here", submitted.name(), built.name());
  }
  if (submitted.parallelism() != built.parallelism() ||
      submitted.max_parallelism() != built.max_parallelism()) {
    return absl::StrFormat("operator '%s' has parallelism %d (of at most %d), here %d (of %d)",
                           submitted.name(), submitted.parallelism(), submitted.max_parallelism(),
                           built.parallelism(), built.max_parallelism());
  }
  if (submitted.SerializeAsString() != built.SerializeAsString()) {
    return absl::StrFormat("the inputs of operator '%s' differ", submitted.name());
  }
  return "";
}

}  // namespace

std::string graphDifference(const proto::JobGraph& submitted, const proto::JobGraph& built) {
  std::string difference;
  const int vertices = std::min(submitted.vertices_size(), built.vertices_size());
  for (int i = 0; i < vertices && difference.empty(); ++i) {
    difference = vertexDifference(submitted.vertices(i), built.vertices(i));
  }
  if (difference.empty() && submitted.vertices_size() != built.vertices_size()) {
    const bool more = submitted.vertices_size() > vertices;
    difference =
        absl::StrFormat("operator '%s' is %s", (more ? submitted : built).vertices(vertices).name(),
                        more ? "missing here" : "only here");
  }
  if (difference.empty()) return "";
  return absl::StrFormat("the job's program differs between the client and a worker: %s; %s",
                         difference, kAdvice);
}

}  // namespace wiesel::runtime
