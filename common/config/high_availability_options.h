#pragma once

#include <string>
#include <utility>

#include "common/config/config_option.h"

namespace wiesel {

/// `file` and `etcd` are ours: one JobManager that recovers its jobs from the storage directory, or
/// several of which one leads. Flink's `zookeeper` and `kubernetes` are not among them.
enum class HighAvailabilityType { kNone, kFile, kEtcd };

template <>
struct EnumNames<HighAvailabilityType> {
  static constexpr std::pair<std::string_view, HighAvailabilityType> kNames[] = {
      {"NONE", HighAvailabilityType::kNone},
      {"file", HighAvailabilityType::kFile},
      {"etcd", HighAvailabilityType::kEtcd}};
};

inline constexpr ConfigOption<HighAvailabilityType> kHighAvailability{
    "high-availability.type", HighAvailabilityType::kNone, {"high-availability", "recovery.mode"}};

/// Where job graphs, binaries and checkpoint pointers outlive the JobManager.
inline constexpr OptionalConfigOption<std::string> kHighAvailabilityStorageDirectory{
    "high-availability.storageDir"};
inline constexpr ConfigOption<std::string> kHighAvailabilityClusterId{
    "high-availability.cluster-id", "/default"};

}  // namespace wiesel
