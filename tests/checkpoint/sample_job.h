#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/coordinator/task_gateway.h"
#include "checkpoint/job_topology.h"
#include "common/ids.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// The id whose last byte is `number`.
inline Id128 idOf(uint8_t number) {
  std::array<uint8_t, Id128::kSize> bytes{};
  bytes.back() = number;
  return Id128(bytes);
}

/// A vertex with one operator of the same id and name, uid "uid-<name>".
inline JobTopology::Vertex vertexOf(uint8_t id, const std::string& name, int parallelism,
                                    std::vector<JobTopology::Edge> inputs = {},
                                    int max_parallelism = 128) {
  return {idOf(id),         name, parallelism, max_parallelism, {{idOf(id), "uid-" + name, name}},
          std::move(inputs)};
}

/// "source" (1) with 2 subtasks, all to all into "window" (2) with 2, pointwise into "sink" (3)
/// with
/// 2. The numbers are those of the ids.
inline JobTopology sampleJob() {
  return {{vertexOf(1, "source", 2), vertexOf(2, "window", 2, {{0, false}}),
           vertexOf(3, "sink", 2, {{1, true}})}};
}

inline ExecutionRef task(uint8_t vertex, int subtask, int attempt = 0) {
  return {idOf(vertex), subtask, attempt};
}

inline state::StreamHandle inlineStream(const std::string& bytes) {
  return {state::StreamHandle::Kind::kInline, "wiesel-" + bytes, bytes,
          static_cast<int64_t>(bytes.size()), 0};
}

/// List state with one element an offset, in a stream of its own.
inline state::OperatorStateHandle listState(
    const std::string& name, std::vector<int64_t> offsets, const std::string& bytes,
    state::DistributionMode mode = state::DistributionMode::kSplit) {
  return {{{name, mode, std::move(offsets)}}, inlineStream(bytes)};
}

/// Heap state of the key groups, with offset 100 + key group.
inline state::KeyGroupsHandle heapState(int first, int last, const std::string& bytes) {
  state::KeyGroupsHandle handle;
  handle.key_groups = {first, last};
  for (int group = first; group <= last; ++group) handle.offsets.push_back(100 + group);
  handle.stream = inlineStream(bytes);
  handle.id = "id-" + bytes;
  return handle;
}

}  // namespace wiesel::checkpoint
