#pragma once

#include "common/config/configuration.h"

namespace wiesel::runtime {

/// The whole life of a TaskManager process: prints "READY id=ID pid=PID log=DIR" once it is
/// registered, runs until SIGTERM or SIGINT, and returns the exit status. `configuration` has been
/// checked. To be called on the main thread, before other threads are started.
int runTaskManager(const Configuration& configuration);

}  // namespace wiesel::runtime
