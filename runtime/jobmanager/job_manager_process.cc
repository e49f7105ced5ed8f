#include "runtime/jobmanager/job_manager_process.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/clock.h"
#include "common/config/cluster_options.h"
#include "common/filesystem/local_file_system.h"
#include "common/log.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/thread_event_loop.h"
#include "common/thread_pool.h"
#include "runtime/jobmanager/job_manager.h"
#include "runtime/process/file_limit.h"
#include "runtime/process/process_directories.h"
#include "runtime/process/process_end.h"
#include "runtime/process/ready_line.h"

namespace wiesel::runtime {

namespace {

constexpr char kRole[] = "jobmanager";
constexpr int kCheckpointThreads = 2;

absl::Status run(const Configuration& configuration, ProcessEnd& end) {
  SystemClock clock;
  SystemRandom random;
  LocalFileSystem files;
  WIESEL_ASSIGN_OR_RETURN(
      const std::string log_directory,
      createLogDirectory(configuration, absl::StrFormat("jobmanager-%d-%06x", ::getpid(),
                                                        random.next() & 0xffffff)));
  initLogging(log_directory + "/jobmanager.log", kRole);
  WIESEL_ASSIGN_OR_RETURN(
      const WorkingDirectory directory,
      WorkingDirectory::create(configuration.get(kJobManagerWorkingDirectory)
                                   .value_or(temporaryDirectoryOf(configuration)),
                               kRole, random));
  WIESEL_ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> blobs,
                          BlobStore::open(directory.path() + "/blobs"));

  ThreadPool checkpoint_io(kCheckpointThreads, "checkpoint_io");
  ThreadPool disk_work(1, "disk_work");
  ThreadEventLoop loop(kRole);
  JobManager job_manager({.loop = loop,
                          .clock = clock,
                          .random = random,
                          .files = files,
                          .checkpoint_io = checkpoint_io,
                          .disk_work = disk_work,
                          .blobs = *blobs},
                         configuration);
  const absl::Status started = job_manager.start();
  if (!started.ok()) {
    loop.stop();
    return started;
  }
  WIESEL_LOG(INFO) << absl::StrFormat("Serving (rpc=%s, rest=%s)", job_manager.rpcAddress(),
                                      job_manager.restAddress());
  announceReady(absl::StrFormat("READY rpc=%s rest=%s pid=%d log=%s", job_manager.rpcAddress(),
                                job_manager.restAddress(), ::getpid(), log_directory),
                log_directory, kRole);
  disk_work.execute([&directory] { directory.removeAbandonedSiblings(); });

  const std::string why = end.wait();
  WIESEL_LOG(INFO) << "Ending" << (why.empty() ? "" : ": ") << why;
  job_manager.stopServers();
  loop.stop();
  disk_work.stop();
  checkpoint_io.stop();
  return why.empty() ? absl::OkStatus() : absl::UnavailableError(why);
}

}  // namespace

int runJobManager(const Configuration& configuration) {
  ProcessEnd end;
  raiseFileLimit();
  const absl::Status status = run(configuration, end);
  if (status.ok()) return 0;
  std::cerr << status.message() << std::endl;
  return 1;
}

}  // namespace wiesel::runtime
