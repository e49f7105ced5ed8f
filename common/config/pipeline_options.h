#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "common/config/config_option.h"

namespace wiesel {

enum class RuntimeMode { kStreaming, kBatch, kAutomatic };

template <>
struct EnumNames<RuntimeMode> {
  static constexpr std::pair<std::string_view, RuntimeMode> kNames[] = {
      {"STREAMING", RuntimeMode::kStreaming},
      {"BATCH", RuntimeMode::kBatch},
      {"AUTOMATIC", RuntimeMode::kAutomatic}};
};

inline constexpr ConfigOption<int32_t> kDefaultParallelism{"parallelism.default", 1};
/// Number of key groups, fixed for a state's life; -1: 128, more beyond 85 subtasks.
inline constexpr ConfigOption<int32_t> kMaxParallelism{"pipeline.max-parallelism", -1};
/// The job's name when the program gives none.
inline constexpr OptionalConfigOption<std::string> kPipelineName{"pipeline.name"};
inline constexpr ConfigOption<bool> kObjectReuse{"pipeline.object-reuse", false};
inline constexpr ConfigOption<bool> kOperatorChaining{
    "pipeline.operator-chaining.enabled", true, {"pipeline.operator-chaining"}};
/// Period of periodic watermarks; 0 switches them off.
inline constexpr ConfigOption<std::chrono::milliseconds> kAutoWatermarkInterval{
    "pipeline.auto-watermark-interval", std::chrono::milliseconds(200)};
/// false: every operator needs a uid.
inline constexpr ConfigOption<bool> kAutoGenerateUids{"pipeline.auto-generate-uids", true};
/// Shown in the job's configuration; user functions can read it.
inline constexpr OptionalConfigOption<std::map<std::string, std::string>> kGlobalJobParameters{
    "pipeline.global-job-parameters"};

/// Only STREAMING exists; the others are refused.
inline constexpr ConfigOption<RuntimeMode> kRuntimeMode{"execution.runtime-mode",
                                                        RuntimeMode::kStreaming};
/// Age at which a half-full batch is sent; 0: after each record.
inline constexpr ConfigOption<std::chrono::milliseconds> kBufferTimeout{
    "execution.buffer-timeout.interval",
    std::chrono::milliseconds(100),
    {"execution.buffer-timeout"}};
/// false: a batch is sent only when it is full.
inline constexpr ConfigOption<bool> kBufferTimeoutEnabled{"execution.buffer-timeout.enabled", true};

inline constexpr ConfigOption<bool> kExecutionAttached{"execution.attached", false};
/// Cancel the job when an attached client ends before it.
inline constexpr ConfigOption<bool> kShutdownOnAttachedExit{"execution.shutdown-on-attached-exit",
                                                            false};

}  // namespace wiesel
