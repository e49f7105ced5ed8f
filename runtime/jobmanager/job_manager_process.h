#pragma once

#include "common/config/configuration.h"

namespace wiesel::runtime {

/// The whole life of a JobManager process: prints "READY rpc=HOST:PORT rest=HOST:PORT pid=PID
/// log=DIR" when it serves, runs until SIGTERM or SIGINT, and returns the exit status.
/// `configuration` has been checked. To be called on the main thread, before other threads are
/// started.
int runJobManager(const Configuration& configuration);

}  // namespace wiesel::runtime
