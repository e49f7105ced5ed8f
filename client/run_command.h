#pragma once

#include "client/command_line.h"

namespace wiesel::client {

/// `wiesel run`: starts the user's binary, which builds its graph and submits itself
/// (runtime/jobcode/job_submitter.h), waits for it, and says what went wrong. Returns the exit
/// status: 0 when the program ended well and had called execute(), else 1.
int runRun(const CommandLine& line);

}  // namespace wiesel::client
