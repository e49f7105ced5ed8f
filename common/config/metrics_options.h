#pragma once

#include <chrono>
#include <string>

#include "common/config/config_option.h"

namespace wiesel {

/// Names of the reporters to use; unset: all that have a factory class. Their own keys,
/// `metrics.reporter.NAME.*`, are read by name.
inline constexpr OptionalConfigOption<std::string> kMetricsReporters{"metrics.reporters"};

/// Age of the metrics that REST shows.
inline constexpr ConfigOption<std::chrono::milliseconds> kMetricsFetcherUpdateInterval{
    "metrics.fetcher.update-interval", std::chrono::seconds(10)};

/// Time between latency markers; 0 switches them off.
inline constexpr ConfigOption<std::chrono::milliseconds> kLatencyInterval{
    "metrics.latency.interval", std::chrono::milliseconds(0)};

}  // namespace wiesel
