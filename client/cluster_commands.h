#pragma once

#include "client/command_line.h"

namespace wiesel::client {

// Verbs that start and end the processes of a cluster on this host. Each returns the exit status.

/// Starts a JobManager and TaskManagers, prints their READY lines and leaves them running.
int runStartCluster(const CommandLine& line);
/// Ends what the pid files name.
int runStopCluster(const CommandLine& line);

/// Are such a process themselves.
int runJobManagerVerb(const CommandLine& line);
int runTaskManagerVerb(const CommandLine& line);

}  // namespace wiesel::client
