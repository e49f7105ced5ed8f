// A child process for tests. The first argument says what it does.
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/thread_event_loop.h"
#include "runtime/jobcode/worker_environment.h"
#include "runtime/rpc/grpc_client_link.h"
#include "runtime/taskmanager/worker_supervisor.h"

namespace wiesel::runtime {
namespace {

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

/// Registers as a worker and stays.
int connectWorkerAndStay(const std::string& address) {
  ThreadEventLoop loop("helper");
  const auto link = connectWorker(address, loop).value();
  proto::WorkerToMaster message;
  message.mutable_register_()->set_worker_id("helper");
  link->send(message);
  link->start([](const proto::MasterToWorker&) {}, [](const std::string&) { ::_exit(0); });
  while (true) ::pause();
}

std::string openDescriptors() {
  std::vector<int> numbers;
  DIR* directory = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(directory)) {
    const int number = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && number != ::dirfd(directory)) numbers.push_back(number);
  }
  ::closedir(directory);
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + " ";
  return text;
}

/// Says what a worker was given.
int describe(int argc, char** argv) {
  char buffer[16];
  const ssize_t from_input = ::read(STDIN_FILENO, buffer, sizeof(buffer));
  std::string text = std::string("name=") + argv[0];
  for (int i = 1; i < argc; ++i) text += std::string("\nargument=") + argv[i];
  text += std::string("\nmark=") + std::getenv("WIESEL_TEST_MARK");
  text += "\nstdin=" + std::to_string(from_input) + " bytes";
  text += "\ndescriptors=" + openDescriptors();
  say(text);
  return 0;
}

/// Says in one line what a worker learns from its TaskManager.
int describeWorker(int argc, char** argv) {
  const std::optional<WorkerEnvironment> worker = WorkerEnvironment::fromProcess();
  if (!worker.has_value()) return 1;
  std::string text = std::string(argv[0]) + " |";
  for (int i = 1; i < argc; ++i) text += std::string(" ") + argv[i];
  text += " | job=" + worker->job_id + " worker=" + worker->worker_id;
  text += " taskmanager=" + worker->task_manager_id + " jobmanager=" + worker->master_address;
  text += " host=" + worker->host + " memory=" + std::to_string(worker->managed_memory_bytes);
  text += std::string(" directory=") +
          (::access(worker->working_directory.c_str(), W_OK) == 0 ? "exists" : "missing");
  text += std::string(" mark=") + std::getenv("WIESEL_TEST_MARK");
  say(text);
  return 0;
}

int waitForEver() {
  say("waiting in " + std::to_string(::getpid()));
  while (true) ::pause();
}

/// A TaskManager with one worker that waits.
int supervise(const char* own_binary, const std::string& directory) {
  ThreadEventLoop loop("supervise");
  WorkerSupervisor supervisor(loop, [](const std::string&, const std::string&, bool) {});
  WorkerCommand command;
  command.worker_id = "worker";
  command.binary = own_binary;
  command.process_name = "wiesel-worker JOB TASKMANAGER";
  command.arguments = {"wait"};
  command.output_file = directory + "/JOB.out";
  command.error_file = directory + "/JOB.err";
  loop.post([&] {
    if (!supervisor.start(command).ok()) ::_exit(1);
  });
  while (true) ::pause();
}

int run(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "connect-worker") return connectWorkerAndStay(argv[2]);
  if (verb == "describe") return describe(argc, argv);
  if (verb == "describe-worker") return describeWorker(argc, argv);
  if (verb == "exit") {
    say(std::string("exiting with ") + argv[2]);
    return std::atoi(argv[2]);
  }
  if (verb == "throw") throw std::runtime_error(argv[2]);
  if (verb == "raise") return ::raise(std::atoi(argv[2]));
  if (verb == "wait") return waitForEver();
  if (verb == "ignore-term") {
    ::signal(SIGTERM, SIG_IGN);
    return waitForEver();
  }
  if (verb == "supervise") return supervise("/proc/self/exe", argv[2]);
  std::fprintf(stderr, "unknown verb '%s'\n", verb.c_str());
  return 2;
}

}  // namespace
}  // namespace wiesel::runtime

int main(int argc, char** argv) { return wiesel::runtime::run(argc, argv); }
