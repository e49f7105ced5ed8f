#include "runtime/worker/worker_process.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "common/clock.h"
#include "common/config/cluster_options.h"
#include "common/filesystem/local_file_system.h"
#include "common/log.h"
#include "common/random.h"
#include "common/thread_event_loop.h"
#include "common/thread_pool.h"
#include "runtime/network/grpc_data_transport.h"
#include "runtime/rpc/grpc_client_link.h"
#include "runtime/worker/print_line.h"
#include "runtime/worker/task_executor.h"
#include "runtime/worker/thread_task_runner.h"
#include "state/rocksdb/open_rocksdb_store.h"

namespace wiesel::runtime {
namespace {

constexpr int kIoThreads = 4;

/// The process ends without destructors: the tasks are over, and the kernel takes back the rest.
[[noreturn]] void endProcess(int status) {
  std::fflush(nullptr);
  _exit(status);
}

template <class T>
T orEnd(absl::StatusOr<T> result) {
  if (!result.ok()) {
    WIESEL_LOG(ERROR) << "The worker cannot start: " << result.status().message();
    endProcess(1);
  }
  return *std::move(result);
}

}  // namespace

void runWorkerProcess(const JobPlan& plan, const WorkerEnvironment& environment) {
  SystemClock clock;
  SystemRandom random;
  LocalFileSystem files;
  ThreadEventLoop loop("worker");
  ThreadPool io(kIoThreads, "io");
  ThreadTaskRunner runner;
  const auto transport = orEnd(GrpcDataTransport::start({.bind_host = environment.bind_host,
                                                         .external_host = environment.host,
                                                         .scope = environment.job_id}));

  TaskEnvironment tasks;
  tasks.clock = &clock;
  tasks.io = &io;
  tasks.files = &files;
  tasks.random = &random;
  tasks.print_line = printLine;
  tasks.working_directory = environment.working_directory;
  tasks.open_byte_store = state::openRocksDbStore;
  WorkerServices services{loop, *transport, runner, std::move(tasks),
                          environment.configuration.get(kHeartbeatInterval).count()};

  std::promise<int> ended;
  std::unique_ptr<TaskExecutor> executor;
  loop.post([&] {
    executor = std::make_unique<TaskExecutor>(
        plan,
        WorkerIdentity{environment.job_id, environment.worker_id, environment.task_manager_id},
        std::move(services), orEnd(connectWorker(environment.master_address, loop)),
        [&ended](const std::string& why, bool asked) {
          if (asked) {
            WIESEL_LOG(INFO) << "Worker ended: " << why;
          } else {
            WIESEL_LOG(WARN) << "Worker ended: " << why;
          }
          ended.set_value(asked ? 0 : 1);
        });
    executor->start();
  });
  endProcess(ended.get_future().get());
}

}  // namespace wiesel::runtime
