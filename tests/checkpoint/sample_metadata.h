#pragma once

#include <string>

#include "checkpoint/metadata/checkpoint_metadata.h"
#include "tests/checkpoint/sample_job.h"

namespace wiesel::checkpoint {

inline state::StreamHandle relativeStream(const std::string& name, int64_t size,
                                          uint64_t checksum = 0) {
  return {state::StreamHandle::Kind::kRelative, name, "", size, checksum};
}

/// A metadata that has one of everything.
inline CheckpointMetadata richMetadata() {
  CheckpointMetadata metadata;
  metadata.checkpoint_id = 1234567890123;
  metadata.master_states = {{3, "hook", std::string("\0\1\2", 3)}, {0, "", ""}};

  OperatorSnapshot source;
  source.id = idOf(1);
  source.parallelism = 3;
  source.coordinator_state = inlineStream("splits");
  source.subtasks[0].operator_state = listState("position", {10, 20, 30}, "abc");
  source.subtasks[0].operator_state->states.push_back(
      {"rules \xc3\xa9\xe9\x94\xae", state::DistributionMode::kBroadcast, {7}});
  source.subtasks[0].operator_state->states.push_back(
      {"empty", state::DistributionMode::kUnion, {}});
  source.subtasks[1].finished = true;
  source.subtasks[2].raw_operator_state = listState("raw", {0}, "r");

  OperatorSnapshot window;
  window.id = idOf(2);
  window.parallelism = 4;
  window.max_parallelism = 8;
  window.subtasks[0].keyed_state = heapState(0, 1, "heap");
  state::KeyGroupsHandle canonical = heapState(2, 3, "canonical");
  canonical.format = state::KeyGroupsHandle::Format::kCanonical;
  canonical.id = "";
  canonical.offsets = {0, 500};
  canonical.stream = relativeStream("wiesel-canonical", 77);
  window.subtasks[1].keyed_state = canonical;
  state::IncrementalHandle incremental;
  incremental.checkpoint_id = 12;
  incremental.backend_id = "backend";
  incremental.key_groups = {4, 5};
  incremental.checkpointed_size = 4711;
  incremental.metadata = inlineStream("states");
  incremental.shared_files = {
      {"000012.sst", {state::StreamHandle::Kind::kFile, "file:/ck/shared/x", "", 99, 0}}};
  incremental.private_files = {{"CURRENT", inlineStream("MANIFEST-000004")},
                               {"MANIFEST-000004", relativeStream("wiesel-m", 3)}};
  incremental.id = "handle";
  window.subtasks[2].keyed_state = incremental;
  window.subtasks[3].raw_keyed_state = heapState(6, 7, "raw");
  window.subtasks[3].input_channels = {{3, {0, 1}, {5, 6}, 11, inlineStream("in")}};
  window.subtasks[3].result_subpartitions = {{3, {1, 2}, {}, 0, {}}};

  OperatorSnapshot done;
  done.id = idOf(3);
  done.parallelism = 2;
  done.fully_finished = true;

  OperatorSnapshot stateless;
  stateless.id = idOf(4);
  metadata.operators = {source, window, done, stateless};
  return metadata;
}

}  // namespace wiesel::checkpoint
