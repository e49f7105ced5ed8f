#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "client/cluster_commands.h"
#include "client/command_line.h"
#include "client/job_commands.h"
#include "client/run_command.h"

namespace wiesel::client {
namespace {

int run(const CommandLine& line) {
  if (line.verb == "run") return runRun(line);
  if (line.verb == "list") return runList(line);
  if (line.verb == "cancel") return runCancel(line);
  if (line.verb == "start-cluster") return runStartCluster(line);
  if (line.verb == "stop-cluster") return runStopCluster(line);
  if (line.verb == "jobmanager") return runJobManagerVerb(line);
  return runTaskManagerVerb(line);
}

}  // namespace
}  // namespace wiesel::client

int main(int argc, char** argv) {
  try {
    const wiesel::client::CommandLineResult parsed =
        wiesel::client::parseCommandLine({argv + 1, argv + argc});
    std::cout << parsed.text << std::flush;
    return parsed.command.has_value() ? wiesel::client::run(*parsed.command) : parsed.exit_status;
  } catch (const std::exception& error) {  // A malformed value of the configuration.
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
