#include "runtime/taskmanager/task_manager_process.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/clock.h"
#include "common/config/cluster_options.h"
#include "common/log.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/thread_event_loop.h"
#include "common/thread_pool.h"
#include "runtime/process/file_limit.h"
#include "runtime/process/process_directories.h"
#include "runtime/process/process_end.h"
#include "runtime/process/ready_line.h"
#include "runtime/taskmanager/task_manager.h"

namespace wiesel::runtime {

namespace {

constexpr char kRole[] = "taskmanager";

class ProcessListener final : public TaskManagerListener {
 public:
  ProcessListener(const TaskManagerSettings& settings, ProcessEnd& end)
      : settings_(settings), end_(end) {}

  void onRegistered() override {
    if (std::exchange(announced_, true)) return;
    announceReady(absl::StrFormat("READY id=%s pid=%d log=%s", settings_.id, ::getpid(),
                                  settings_.log_directory),
                  settings_.log_directory, kRole);
  }

  void onWaitingForJobManager(const std::string& why) override {
    WIESEL_LOG(WARN) << why << "; trying again";
    if (!announced_) std::cerr << why << "; trying again\n" << std::flush;
  }

  void onFatal(const std::string& why) override { end_.fail(why); }

 private:
  const TaskManagerSettings settings_;
  ProcessEnd& end_;
  bool announced_ = false;
};

absl::Status run(const Configuration& configuration, ProcessEnd& end) {
  SystemClock clock;
  SystemRandom random;
  TaskManagerSettings settings = taskManagerSettingsFrom(configuration, random);
  WIESEL_ASSIGN_OR_RETURN(settings.log_directory,
                          createLogDirectory(configuration, "taskmanager-" + settings.id));
  initLogging(settings.log_directory + "/taskmanager.log", kRole);
  WIESEL_ASSIGN_OR_RETURN(
      const WorkingDirectory directory,
      WorkingDirectory::create(configuration.get(kTaskManagerWorkingDirectory)
                                   .value_or(temporaryDirectoryOf(configuration)),
                               kRole, random));
  settings.working_directory = directory.path();
  WIESEL_ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> blobs,
                          BlobStore::open(directory.path() + "/blobs"));

  ProcessListener listener(settings, end);
  ThreadPool disk_work(1, "disk_work");
  ThreadEventLoop loop(kRole);
  TaskManager task_manager(
      {.loop = loop, .clock = clock, .disk_work = disk_work, .blobs = *blobs, .listener = listener},
      settings);
  loop.post([&] { task_manager.start(); });
  disk_work.execute([&directory] { directory.removeAbandonedSiblings(); });

  const std::string why = end.wait();
  WIESEL_LOG(INFO) << "Ending" << (why.empty() ? "" : ": ") << why;
  loop.stop();
  disk_work.stop();
  return why.empty() ? absl::OkStatus() : absl::UnavailableError(why);
}

}  // namespace

int runTaskManager(const Configuration& configuration) {
  ProcessEnd end;
  raiseFileLimit();
  const absl::Status status = run(configuration, end);
  if (status.ok()) return 0;
  std::cerr << status.message() << std::endl;
  return 1;
}

}  // namespace wiesel::runtime
