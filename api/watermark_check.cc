#include "api/watermark_check.h"

#include <algorithm>
#include <set>
#include <vector>

#include "api/exceptions.h"
#include "common/log.h"

namespace wiesel::internal {
namespace {

using runtime::WatermarkOrigin;

constexpr const char* kWayOut =
    "call assignTimestampsAndWatermarks(WatermarkStrategy...) on the stream before window(), or "
    "use "
    "windows by processing time";

/// The best that a node or one before it does for watermarks.
WatermarkOrigin originOf(const runtime::StreamGraph& graph, int node, std::set<int>& seen) {
  if (!seen.insert(node).second) return WatermarkOrigin::kNone;
  const runtime::StreamNode& known = graph.nodes[node];
  WatermarkOrigin best = known.watermarks;
  for (const runtime::StreamEdge& edge : known.inputs) {
    best = std::max(best, originOf(graph, edge.source_node, seen));
  }
  return best;
}

}  // namespace

void requireWatermarks(const Upstream& upstream, const std::string& name) {
  upstream.requireOpen(name);
  WatermarkOrigin best = WatermarkOrigin::kNone;
  std::set<int> seen;
  for (const Upstream::Branch& branch : upstream.branches) {
    best = std::max(best, originOf(upstream.program->graph(), branch.node, seen));
  }
  if (best == WatermarkOrigin::kNone) {
    throw InvalidProgramException("'" + name +
                                  "' works by event time, but nothing before it makes watermarks, "
                                  "so it would never put anything out: " +
                                  kWayOut);
  }
  if (best == WatermarkOrigin::kMaybe) {
    WIESEL_LOG(WARN) << "'" << name << "' works by event time and gets watermarks only if the "
                     << "source function before it emits them; if it does not, " << kWayOut;
  }
}

}  // namespace wiesel::internal
