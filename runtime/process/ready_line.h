#pragma once

#include <string>

namespace wiesel::runtime {

/// The variable that start-cluster sets: the process is to stay without a terminal.
inline constexpr char kDaemonVariable[] = "WIESEL_DAEMON";

/// Prints "READY ..." as one line on standard output. A process that start-cluster has started then
/// leaves its standard output and error to `log_directory`/`role`.out and .err.
void announceReady(const std::string& line, const std::string& log_directory,
                   const std::string& role);

}  // namespace wiesel::runtime
