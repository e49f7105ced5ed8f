#pragma once

#include <string>
#include <vector>

#include "client/command_line.h"
#include "client/rest_client.h"

namespace wiesel::client {

// Verbs about jobs of a running cluster. Each returns the exit status.

int runList(const CommandLine& line);
int runCancel(const CommandLine& line);

/// What `list` prints, times in this process's zone.
std::string listText(const std::vector<JobSummary>& jobs, const CommandLine& line);

/// Flink's block for a failed command: a dashed line, the title, then `text`.
std::string exceptionBlock(const std::string& text);

}  // namespace wiesel::client
