#include "client/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/version.h"

namespace wiesel::client {

namespace {

struct Verb {
  const char* name;
  const char* arguments;  // As the usage line has them, behind the options.
  const char* purpose;
};
constexpr Verb kVerbs[] = {
    {"run", " PROGRAM [ARGUMENTS...]", "Runs a job's binary: it submits its job to a cluster."},
    {"list", "", "Lists the jobs of a cluster."},
    {"cancel", " JOBID", "Cancels a job."},
    {"jobmanager", "", "Is a JobManager, until SIGTERM."},
    {"taskmanager", "", "Is a TaskManager, until SIGTERM."},
    {"start-cluster", "", "Starts a JobManager and TaskManagers in the background."},
    {"stop-cluster", "", "Ends what start-cluster has started."}};
constexpr const char* kLaterVerbs[] = {"run-application", "info",  "stop",   "savepoint",
                                       "checkpoint",      "state", "config", "doctor"};

// The group of options that are known, but not built yet.
constexpr char kNotInHelp[] = "";

constexpr char kHelpHint[] = "Use the help option (-h or --help) to get help on the command.";

const Verb* findVerb(const std::string& name) {
  const Verb* found = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                   [&](const Verb& verb) { return name == verb.name; });
  return found == std::end(kVerbs) ? nullptr : found;
}

/// Prints the usage line, which CLI11 gives no say in.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(const Verb& verb) : verb_(verb) {}

  std::string make_usage(const CLI::App*, std::string) const override {
    return absl::StrFormat("Usage: wiesel %s [OPTIONS]%s\n", verb_.name, verb_.arguments);
  }

 private:
  const Verb& verb_;
};

/// Flink's options of several letters behind one dash, which CLI11 would take for several options.
const std::map<std::string, std::string>& longNames() {
  static const std::map<std::string, std::string> kNames = {
      {"-sae", "--shutdownOnAttachedExit"}, {"-cm", "--claimMode"}, {"-rm", "--restoreMode"}};
  return kNames;
}

/// Options whose value is the next argument.
bool takesValue(const std::string& option) {
  static const std::set<std::string> kOptions = {"-m",
                                                 "--jobmanager",
                                                 "-p",
                                                 "--parallelism",
                                                 "-s",
                                                 "--fromSavepoint",
                                                 "-D",
                                                 "-c",
                                                 "--class",
                                                 "-C",
                                                 "--classpath",
                                                 "-t",
                                                 "--target",
                                                 "--claimMode",
                                                 "--restoreMode",
                                                 "--configDir"};
  return kOptions.contains(option);
}

/// Replaces them up to the first argument that is no option.
std::vector<std::string> withLongNames(const std::vector<std::string>& arguments) {
  std::vector<std::string> replaced;
  auto next = arguments.begin();
  while (next != arguments.end() && next->starts_with("-")) {
    const auto found = longNames().find(*next);
    replaced.push_back(found == longNames().end() ? *next : found->second);
    ++next;
    if (takesValue(replaced.back()) && next != arguments.end()) replaced.push_back(*next++);
  }
  replaced.insert(replaced.end(), next, arguments.end());
  return replaced;
}

CommandLineResult refuse(const std::string& message) {
  return {.command = std::nullopt, .text = message + "\n\n" + kHelpHint + "\n", .exit_status = 1};
}

std::string listOfVerbs() {
  const auto name = [](std::string* out, const Verb& verb) { *out += verb.name; };
  return absl::StrFormat("Valid actions are %s.", absl::StrJoin(kVerbs, ", ", name));
}

CommandLineResult overview(const std::string& first_line, int exit_status) {
  return {.command = std::nullopt,
          .text = absl::StrFormat(
              "%s%s\n\nSpecify the version option (-v or --version) to print the version.\n\n"
              "Specify the help option (-h or --help) to get help on the command, after an action "
              "to get help on that.\n",
              first_line.empty() ? "" : first_line + "\n\n", listOfVerbs()),
          .exit_status = exit_status};
}

void addProperties(CLI::App& app, CommandLine& line) {
  app.add_option("-D", line.properties, "KEY=VALUE: a configuration value, over the file's")
      ->allow_extra_args(false);
}

void addConfigurationDirectory(CLI::App& app, CommandLine& line, bool with_short_name) {
  app.add_option(with_short_name ? "-c,--configDir" : "--configDir", line.configuration_directory,
                 "Where config.yaml is");
}

void addJobManager(CLI::App& app, CommandLine& line) {
  addProperties(app, line);
  addConfigurationDirectory(app, line, /*with_short_name=*/false);
  app.add_option("-m,--jobmanager", line.jobmanager, "HOST:PORT of the JobManager's REST server");
}

void addRun(CLI::App& app, CommandLine& line) {
  addJobManager(app, line);
  app.add_flag("-d,--detached", line.detached, "Return as soon as the job is accepted");
  app.add_option("-p,--parallelism", line.parallelism, "Parallelism of the job");
  app.add_option("-s,--fromSavepoint", line.savepoint, "Checkpoint or savepoint to start from");
  app.add_flag("-n,--allowNonRestoredState", line.allow_non_restored_state,
               "Leave out state of the checkpoint that no operator takes");
  app.add_option("--claimMode,--restoreMode", line.claim_mode, "claim or no_claim");
  app.add_flag("--shutdownOnAttachedExit", line.shutdown_on_attached_exit,
               "-sae: cancel the job when this command is interrupted");
  app.add_flag("--check", line.check_only)->group(kNotInHelp);
  // Flink's, without a meaning for a binary.
  app.add_option("-c,--class", line.main_class, "Ignored: a binary has one main()");
  app.add_option("-C,--classpath", "Ignored")->allow_extra_args(false);
  app.add_option("-t,--target", "Ignored: always remote");
  app.prefix_command();
}

void addList(CLI::App& app, CommandLine& line) {
  addJobManager(app, line);
  app.add_flag("-r,--running", line.running, "Only running jobs");
  app.add_flag("-s,--scheduled", line.scheduled, "Only scheduled jobs");
  app.add_flag("-a,--all", line.all, "Also the jobs that are over");
}

void addCancel(CLI::App& app, CommandLine& line) {
  addJobManager(app, line);
  app.add_option("-s,--withSavepoint", line.cancel_with_savepoint)
      ->expected(0, 1)
      ->group(kNotInHelp);
  app.add_option("JOBID", line.job_id, "As `wiesel run` and `wiesel list` print it");
}

void addOptionsOf(const std::string& verb, CLI::App& app, CommandLine& line) {
  if (verb == "run") {
    addRun(app, line);
  } else if (verb == "list") {
    addList(app, line);
  } else if (verb == "cancel") {
    addCancel(app, line);
  } else {
    addProperties(app, line);
    addConfigurationDirectory(app, line, /*with_short_name=*/true);
    if (verb == "start-cluster") {
      app.add_option("--taskmanagers", line.task_managers, "How many TaskManagers (1)")
          ->check(CLI::Range(0, 1000));
    }
  }
}

CommandLineResult parseOptions(const Verb& verb, const std::vector<std::string>& options) {
  CommandLine line;
  line.verb = verb.name;
  CLI::App app(verb.purpose);
  app.formatter(std::make_shared<HelpFormatter>(verb));
  addOptionsOf(line.verb, app, line);
  std::vector<std::string> reversed = withLongNames(options);
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return {.command = std::nullopt, .text = app.help(), .exit_status = 0};
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  line.program = app.remaining();
  if (!line.program.empty() && line.program.front().starts_with("-")) {
    return refuse("Unrecognized option: " + line.program.front());
  }
  return {.command = std::move(line), .text = "", .exit_status = 0};
}

}  // namespace

CommandLineResult parseCommandLine(std::vector<std::string> arguments) {
  if (arguments.empty()) return overview("Please specify an action.", 1);
  const std::string verb = arguments.front();
  if (verb == "-h" || verb == "--help") return overview("", 0);
  if (verb == "-v" || verb == "--version") {
    return {.command = std::nullopt,
            .text = absl::StrFormat("Version: %s\n", std::string(kVersion)),
            .exit_status = 0};
  }
  if (std::find(std::begin(kLaterVerbs), std::end(kLaterVerbs), verb) != std::end(kLaterVerbs)) {
    return {.command = std::nullopt,
            .text = absl::StrFormat("wiesel %s: not in this version\n", verb),
            .exit_status = 1};
  }
  const Verb* known = findVerb(verb);
  if (known == nullptr) {
    return overview(absl::StrFormat("\"%s\" is not a valid action.", verb), 1);
  }
  arguments.erase(arguments.begin());
  return parseOptions(*known, arguments);
}

}  // namespace wiesel::client
