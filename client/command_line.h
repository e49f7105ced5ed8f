#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wiesel::client {

/// Everything that can stand on the command line, over all verbs.
struct CommandLine {
  std::string verb;

  std::optional<std::string> configuration_directory;
  std::vector<std::string> properties;  // key=value, in order.
  std::string jobmanager;  // -m HOST:PORT, the REST address; empty: from the configuration.

  // run
  std::optional<int> parallelism;
  std::optional<std::string> savepoint;
  std::string claim_mode;
  std::string main_class;
  bool allow_non_restored_state = false;
  bool detached = false;
  bool shutdown_on_attached_exit = false;
  bool check_only = false;
  std::vector<std::string> program;  // The binary and its arguments.

  // list
  bool running = false;
  bool scheduled = false;
  bool all = false;

  // cancel
  std::string job_id;
  std::optional<std::string> cancel_with_savepoint;

  // start-cluster
  int task_managers = 1;
};

/// What came of a command line: a command to run, or a text to print and an exit status.
struct CommandLineResult {
  std::optional<CommandLine> command;
  std::string text;  // For standard output.
  int exit_status = 0;
};

/// Parses the arguments after the program's name. Options stand before the job id or binary; what
/// follows the binary belongs to the program. Texts and exit statuses are Flink's.
/// Flink: CliFrontend, CliFrontendParser (1.20).
CommandLineResult parseCommandLine(std::vector<std::string> arguments);

}  // namespace wiesel::client
