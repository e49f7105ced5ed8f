#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "common/config/config_option.h"

namespace wiesel {

// ---- JobManager ----

/// Name or address by which TaskManagers and clients reach the JobManager.
inline constexpr OptionalConfigOption<std::string> kJobManagerAddress{"jobmanager.rpc.address"};
/// Its control port, as seen from outside; 0: any free one.
inline constexpr ConfigOption<int32_t> kJobManagerPort{"jobmanager.rpc.port", 6123};
/// Interface to listen on. Unset: kJobManagerAddress (Flink: all).
inline constexpr OptionalConfigOption<std::string> kJobManagerBindHost{"jobmanager.bind-host"};
/// Port to listen on when it is not kJobManagerPort.
inline constexpr OptionalConfigOption<int32_t> kJobManagerBindPort{"jobmanager.rpc.bind-port"};

enum class FailoverStrategy { kRegion, kFull };

template <>
struct EnumNames<FailoverStrategy> {
  static constexpr std::pair<std::string_view, FailoverStrategy> kNames[] = {
      {"region", FailoverStrategy::kRegion}, {"full", FailoverStrategy::kFull}};
};

/// What restarts after a failure: the tasks connected to the failed one, or all.
inline constexpr ConfigOption<FailoverStrategy> kFailoverStrategy{
    "jobmanager.execution.failover-strategy", FailoverStrategy::kRegion};

/// Seconds for which a finished job is still shown.
inline constexpr ConfigOption<int64_t> kJobStoreExpirationSeconds{"jobstore.expiration-time", 3600};
inline constexpr ConfigOption<int32_t> kJobStoreMaxCapacity{"jobstore.max-capacity", 2147483647};

// ---- TaskManager ----

/// Pipelines of subtasks that a TaskManager takes.
inline constexpr ConfigOption<int32_t> kTaskSlots{"taskmanager.numberOfTaskSlots", 1};
/// Name or address by which others reach the TaskManager.
inline constexpr OptionalConfigOption<std::string> kTaskManagerHost{"taskmanager.host"};
/// Interface to listen on. Unset: kTaskManagerHost (Flink: all).
inline constexpr OptionalConfigOption<std::string> kTaskManagerBindHost{"taskmanager.bind-host"};
inline constexpr ConfigOption<PortRange> kTaskManagerPort{"taskmanager.rpc.port", "0"};
/// 0: any free one; each worker has a data port of its own.
inline constexpr ConfigOption<int32_t> kTaskManagerDataPort{"taskmanager.data.port", 0};
/// Fixes the TaskManager's id; unset: host:port-random.
inline constexpr OptionalConfigOption<std::string> kTaskManagerResourceId{
    "taskmanager.resource-id"};

// ---- Liveness and slots ----

inline constexpr ConfigOption<std::chrono::milliseconds> kHeartbeatInterval{
    "heartbeat.interval", std::chrono::seconds(10)};
/// Silence after which the other side counts as lost; greater than the interval.
inline constexpr ConfigOption<std::chrono::milliseconds> kHeartbeatTimeout{
    "heartbeat.timeout", std::chrono::seconds(50)};
/// Failed calls in a row that count as lost; -1 switches it off.
inline constexpr ConfigOption<int32_t> kHeartbeatRpcFailureThreshold{
    "heartbeat.rpc-failure-threshold", 2};

/// A job that has not got its slots by then fails with NoResourceAvailableException.
inline constexpr ConfigOption<std::chrono::milliseconds> kSlotRequestTimeout{
    "slot.request.timeout", std::chrono::minutes(5)};
/// Milliseconds after which a task that does not react to cancelling costs its worker; 0: never.
inline constexpr ConfigOption<int64_t> kTaskCancellationTimeout{"task.cancellation.timeout",
                                                                180'000};
inline constexpr ConfigOption<std::chrono::milliseconds> kSlotIdleTimeout{"slot.idle.timeout",
                                                                          std::chrono::seconds(50)};
inline constexpr ConfigOption<bool> kEvenlySpreadOutSlots{"cluster.evenly-spread-out-slots", false};

// ---- Folders of the processes ----

/// Folders for temporary files, separated by ',' or ':'.
inline constexpr ConfigOption<std::string> kTemporaryDirectories{
    "io.tmp.dirs", "/tmp", {"taskmanager.tmp.dirs"}};
/// Unset: below kTemporaryDirectories.
inline constexpr OptionalConfigOption<std::string> kJobManagerWorkingDirectory{
    "process.jobmanager.working-dir", {"process.working-dir"}};
inline constexpr OptionalConfigOption<std::string> kTaskManagerWorkingDirectory{
    "process.taskmanager.working-dir", {"process.working-dir"}};

inline constexpr OptionalConfigOption<std::string> kLogDirectory{"env.log.dir"};
/// Old log files that are kept.
inline constexpr ConfigOption<int32_t> kLogMaxFiles{"env.log.max", 10};
/// Where start-cluster leaves the pid files that stop-cluster reads.
inline constexpr ConfigOption<std::string> kPidDirectory{"env.pid.dir", "/tmp"};

/// Scheme of paths that have none; unset: file.
inline constexpr OptionalConfigOption<std::string> kDefaultFileScheme{"fs.default-scheme"};

}  // namespace wiesel
