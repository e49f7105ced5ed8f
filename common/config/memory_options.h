#pragma once

#include "common/config/config_option.h"

namespace wiesel {

inline constexpr OptionalConfigOption<MemorySize> kTaskManagerProcessMemory{
    "taskmanager.memory.process.size"};
inline constexpr OptionalConfigOption<MemorySize> kTaskManagerFlinkMemory{
    "taskmanager.memory.flink.size"};

/// Memory of the state backends, shared by the slots; unset: kManagedMemoryFraction of the total.
inline constexpr OptionalConfigOption<MemorySize> kManagedMemorySize{
    "taskmanager.memory.managed.size", {"taskmanager.memory.size"}};
inline constexpr ConfigOption<double> kManagedMemoryFraction{"taskmanager.memory.managed.fraction",
                                                             0.4};

/// Memory of the batches between processes: a fraction of the total within these bounds.
inline constexpr ConfigOption<MemorySize> kNetworkMemoryMin{"taskmanager.memory.network.min",
                                                            MemorySize::ofMebibytes(64),
                                                            {"taskmanager.network.memory.min"}};
inline constexpr OptionalConfigOption<MemorySize> kNetworkMemoryMax{
    "taskmanager.memory.network.max", {"taskmanager.network.memory.max"}};
inline constexpr ConfigOption<double> kNetworkMemoryFraction{
    "taskmanager.memory.network.fraction", 0.1, {"taskmanager.network.memory.fraction"}};
/// One network buffer.
inline constexpr ConfigOption<MemorySize> kMemorySegmentSize{"taskmanager.memory.segment-size",
                                                             MemorySize::ofKibibytes(32)};

}  // namespace wiesel
