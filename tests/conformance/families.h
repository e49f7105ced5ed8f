#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wiesel::conformance {

enum class Backend { kHashmap, kRocksdb };

/// Replays one scenario; returns the first difference to what Flink recorded, if there is one.
/// May throw nlohmann::json::exception for a scenario that is not of the described form.
using Replay =
    std::function<std::optional<std::string>(const nlohmann::json& scenario, Backend backend)>;

/// The scenarios of one operator, or rows of one table.
struct Family {
  std::string name;
  Replay replay;
  bool keeps_state = false;  // Replayed once per state backend.
};

/// Rows of Java hash codes, key groups and key group ranges. Flink: KeyGroupRangeAssignment (1.20).
Family keyGroupsFamily();

/// Flink: TimestampsAndWatermarksOperator (1.20).
Family watermarkFamily();

/// Flink: KeyedStream.reduce, sum, min, max, minBy, maxBy (1.20).
Family rollingFamily();

/// Flink: CoBroadcastWithNonKeyedOperator, CoBroadcastWithKeyedOperator (1.20).
Family broadcastFamily();

/// Flink: IntervalJoinOperator (1.20).
Family intervalJoinFamily();

/// Rows of the channels that partitioners select and of pointwise edges.
/// Flink: StreamPartitioner, EdgeManagerBuildUtil (1.20).
Family partitionersFamily();

/// Flink: StatusWatermarkValve, IndexedCombinedWatermarkStatus (1.20).
Family valveFamily();

/// The input gate of a task: barriers, cancellations and ends, exactly once and at least once.
/// Flink: SingleCheckpointBarrierHandler, CheckpointBarrierTracker (1.20).
Family barriersFamily();

/// Flink: KeyedProcessOperator, ProcessOperator (1.20).
Family processFamily();

/// Flink: KeyedCoProcessOperator, CoProcessOperator, CoStreamMap, CoStreamFlatMap (1.20).
Family coProcessFamily();

/// Flink: TtlValueState and the other states that expire (1.20).
Family stateTtlFamily();

/// Flink: TwoPhaseCommitSinkFunction, StreamSink (1.20).
Family twoPhaseCommitFamily();

/// Flink: AsyncWaitOperator (1.20).
Family asyncFamily();

/// Flink: WindowOperator, EvictingWindowOperator (1.20).
Family windowFamily();

/// Flink: CoGroupedStreams, JoinedStreams (1.20).
Family windowJoinFamily();

/// The families that can be replayed; scenarios of others are skipped.
std::vector<Family> allFamilies();

}  // namespace wiesel::conformance
