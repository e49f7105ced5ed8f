#include "runtime/embedded/embedded_cluster.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/clock.h"
#include "common/config/cluster_options.h"
#include "common/filesystem/local_file_system.h"
#include "common/ids.h"
#include "common/log.h"
#include "common/random.h"
#include "common/thread_event_loop.h"
#include "common/thread_pool.h"
#include "runtime/embedded/local_task_manager.h"
#include "runtime/jobmanager/dispatcher.h"
#include "runtime/jobmanager/job_manager_settings.h"
#include "runtime/network/no_data_transport.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/rpc/in_memory_link.h"
#include "runtime/scheduler/slot_sharing.h"
#include "runtime/worker/thread_task_runner.h"
#include "state/rocksdb/open_rocksdb_store.h"

namespace wiesel::runtime {
namespace {

constexpr int kIoThreads = 4;
/// What a task may need beyond task.cancellation.timeout.
constexpr int64_t kLastStepsMs = 5'000;
constexpr int64_t kForeverMs = int64_t{1000} * 60 * 60 * 24 * 365;
constexpr int kFatal = 1;

/// Runs `f` on the loop and waits for it.
template <class F>
void runOn(EventLoop& loop, F f) {
  std::promise<void> done;
  loop.post([&] {
    f();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace

/// Everything that the cluster is made of, in the order in which it depends on each other.
class EmbeddedCluster::Processes {
 public:
  Processes(const JobPlan& plan, const Configuration& configuration, PrintLine print_line)
      : plan_(plan),
        print_line_(std::move(print_line)),
        heartbeat_interval_ms_(configuration.get(kHeartbeatInterval).count()),
        working_directory_(absl::StrFormat("%s/wiesel-%s",
                                           std::filesystem::temp_directory_path().string(),
                                           randomId(random_).toHex())) {
    const JobManagerSettings settings = jobManagerSettingsFrom(configuration);
    cancellation_timeout_ms_ = settings.dispatcher.jobs.scheduler.cancellation_timeout_ms;
    runOn(master_loop_, [&] {
      resources_.emplace(master_loop_, clock_, settings.resources);
      dispatcher_.emplace(JobMasterEnvironment{master_loop_, clock_, io_, random_, *resources_,
                                               checkpointStorageIn(files_)},
                          settings.dispatcher);
    });
    startTaskManager();
  }

  ~Processes() {
    runOn(master_loop_, [this] { dispatcher_.reset(); });
    endTasks();
    io_.stop();                                           // Uploads use the workers.
    runOn(master_loop_, [this] { resources_.reset(); });  // First: it would miss its TaskManager.
    runOn(worker_loop_, [this] { task_manager_.reset(); });
    worker_loop_.stop();
    master_loop_.stop();
    files_.removeAll(working_directory_).IgnoreError();
  }

  absl::StatusOr<JobView> run(proto::JobGraph graph) {
    std::promise<absl::StatusOr<JobView>> result;
    master_loop_.post([&] {
      job_id_ = graph.job_id();
      JobSubmission submission;
      submission.graph = std::move(graph);
      dispatcher_->submit(std::move(submission), [&](absl::StatusOr<std::string> job_id) {
        if (!job_id.ok()) return result.set_value(job_id.status());
        dispatcher_->waitFor(
            *job_id, [&](absl::StatusOr<JobView> view) { result.set_value(std::move(view)); });
      });
    });
    return result.get_future().get();
  }

  void cancel() {
    master_loop_.post([this] {
      if (dispatcher_) dispatcher_->cancel(job_id_).IgnoreError();
    });
  }

 private:
  /// The job is over, so its tasks have ended or have had their task.cancellation.timeout. A thread
  /// cannot be killed, and it uses all that is about to be destroyed: the process has to end.
  /// Flink: TaskCancelerWatchDog (1.20), whose fatal error ends the TaskManager.
  void endTasks() {
    const bool bounded = cancellation_timeout_ms_ > 0;
    const auto stuck =
        runner_->awaitAll(bounded ? std::min(cancellation_timeout_ms_, kLastStepsMs) : kForeverMs);
    if (stuck.empty()) return runner_.reset();
    for (const std::string& task : stuck) {
      WIESEL_LOG(ERROR) << absl::StrFormat(
          "Task '%s' did not react to cancelling within %d ms (task.cancellation.timeout) and "
          "cannot be ended otherwise: the process ends",
          task, cancellation_timeout_ms_);
    }
    files_.removeAll(working_directory_).IgnoreError();
    std::fflush(nullptr);
    std::_Exit(kFatal);
  }

  void startTaskManager() {
    auto link = makeInMemoryLink<proto::TaskManagerToMaster, proto::MasterToTaskManager>(
        worker_loop_, master_loop_);
    runOn(master_loop_, [&] { dispatcher_->acceptTaskManager(std::move(link.second)); });
    runOn(worker_loop_, [&] {
      task_manager_.emplace(
          worker_loop_, plan_, "embedded", planSlots(plan_.graph).num_slots, std::move(link.first),
          [this] { return connectWorker(); }, [this] { return services(); });
      task_manager_->start();
    });
  }

  std::unique_ptr<TaskExecutor::Link> connectWorker() {
    auto link =
        makeInMemoryLink<proto::WorkerToMaster, proto::MasterToWorker>(worker_loop_, master_loop_);
    // A closure must be copyable, the link is not: it travels behind a pointer.
    auto accepted = std::make_shared<std::unique_ptr<WorkerLink>>(std::move(link.second));
    master_loop_.post([this, accepted] {
      if (dispatcher_) dispatcher_->acceptWorker(std::move(*accepted));
    });
    return std::move(link.first);
  }

  WorkerServices services() {
    TaskEnvironment tasks;
    tasks.clock = &clock_;
    tasks.io = &io_;
    tasks.files = &files_;
    tasks.random = &random_;
    tasks.print_line = print_line_;
    tasks.working_directory = working_directory_;
    tasks.open_byte_store = state::openRocksDbStore;
    return {worker_loop_, transport_, *runner_, std::move(tasks), heartbeat_interval_ms_};
  }

  const JobPlan& plan_;
  const PrintLine print_line_;
  const int64_t heartbeat_interval_ms_;
  SystemClock clock_;
  SystemRandom random_;
  LocalFileSystem files_;
  const std::string working_directory_;
  std::string job_id_;  // Used on master_loop_.
  int64_t cancellation_timeout_ms_ = 0;
  NoDataTransport transport_;
  ThreadEventLoop master_loop_{"jobmanager"};
  ThreadEventLoop worker_loop_{"worker"};
  ThreadPool io_{kIoThreads, "io"};
  std::optional<ThreadTaskRunner> runner_{std::in_place};
  std::optional<ResourceManager> resources_;      // Lives on master_loop_.
  std::optional<Dispatcher> dispatcher_;          // Lives on master_loop_.
  std::optional<LocalTaskManager> task_manager_;  // Lives on worker_loop_.
};

EmbeddedCluster::EmbeddedCluster(const JobPlan& plan, const Configuration& configuration,
                                 PrintLine print_line)
    : processes_(std::make_unique<Processes>(plan, configuration, std::move(print_line))) {}

EmbeddedCluster::~EmbeddedCluster() = default;

absl::StatusOr<JobView> EmbeddedCluster::run(proto::JobGraph graph) {
  return processes_->run(std::move(graph));
}

void EmbeddedCluster::cancel() { processes_->cancel(); }

}  // namespace wiesel::runtime
