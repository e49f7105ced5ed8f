#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/event_loop.h"
#include "runtime/proto/control.pb.h"
#include "runtime/resource/heartbeat_monitor.h"
#include "runtime/resource/slot_manager.h"
#include "runtime/rpc/message_link.h"
#include "runtime/rpc/scoped_loop.h"

namespace wiesel::runtime {

/// How a job hears what happens to its slots. Called on the resource manager's loop, never from
/// inside a call of the job.
class SlotHolder {
 public:
  virtual ~SlotHolder() = default;

  /// The job has these slots too.
  virtual void onSlots(const std::vector<SlotOffer>& slots) = 0;
  /// The job has no slots of this TaskManager any more, and its worker there is gone.
  virtual void onTaskManagerLost(const std::string& task_manager_id, const std::string& cause) = 0;
  /// A worker process of the job ended by itself.
  virtual void onWorkerExited(const std::string& worker_id, const std::string& cause) = 0;
};

struct ResourceSettings {
  int64_t heartbeat_interval_ms = 10'000;
  int64_t heartbeat_timeout_ms = 50'000;
  SlotSpread spread = SlotSpread::kFill;
  std::string version;  // TaskManagers of another version are refused; empty: any.
};

/// A TaskManager as REST shows it.
struct TaskManagerView {
  std::string id;
  std::string host;
  int64_t pid = 0;
  std::string log_directory;
  int64_t managed_memory_bytes = 0;
  int32_t slots = 0;
  int32_t free_slots = 0;
  int64_t registered_ms = 0;      // Epoch.
  int64_t last_heartbeat_ms = 0;  // Epoch.
  std::map<std::string, int32_t> slots_of_jobs;
};

/// Who is alive and what is free: the registered TaskManagers, their heartbeats and their slots.
/// Jobs say how many slots they need and get them when they are there.
///
/// A TaskManager is lost when its link closes, when it is silent for heartbeat.timeout, or when
/// another one registers under its id.
///
/// Borrows: loop and clock.
/// Threads: everything on the loop.
/// Flink:   ResourceManager, SlotManager (1.20).
class ResourceManager {
 public:
  using TaskManagerLink = MessageLink<proto::MasterToTaskManager, proto::TaskManagerToMaster>;

  ResourceManager(EventLoop& loop, const Clock& clock, ResourceSettings settings);
  ResourceManager(const ResourceManager&) = delete;
  ResourceManager& operator=(const ResourceManager&) = delete;
  ~ResourceManager();  // Closes the links.

  /// Takes over a new connection; its first message has to be RegisterTaskManager, within
  /// heartbeat.timeout.
  void acceptTaskManager(std::unique_ptr<TaskManagerLink> link);

  /// Tells `holder` (not owned) about the job's slots until removeJob(). Requires a new id.
  void addJob(const std::string& job_id, SlotHolder& holder);
  /// Frees the job's slots.
  void removeJob(const std::string& job_id);
  /// How many slots the job needs in all. Slots that it loses are replaced as soon as it is
  /// possible.
  void requireSlots(const std::string& job_id, int32_t slots);
  /// Slots that the job has or could have now.
  int32_t slotsThereFor(const std::string& job_id) const;

  /// False when there is no such TaskManager. Fills in the memory for that many slots.
  bool startWorker(const std::string& task_manager_id, proto::StartWorker message, int32_t slots);
  void stopWorker(const std::string& task_manager_id, const std::string& worker_id);
  /// The same after `delay_ms`, for a worker that was asked to end; it also works after the job is
  /// gone.
  void stopWorkerLater(const std::string& task_manager_id, const std::string& worker_id,
                       int64_t delay_ms);

  int32_t totalSlots() const { return slots_.totalSlots(); }
  int32_t freeSlots() const { return slots_.freeSlots(); }
  /// In the order of registration.
  std::vector<TaskManagerView> taskManagers() const;
  std::optional<TaskManagerView> taskManager(const std::string& id) const;

 private:
  struct Connection {
    std::unique_ptr<TaskManagerLink> link;
    std::optional<proto::RegisterTaskManager> registration;  // Empty until it has come.
    int64_t registered_ms = 0;
    int64_t last_heartbeat_ms = 0;
  };

  void onMessage(uint64_t key, const proto::TaskManagerToMaster& message);
  void onRegister(uint64_t key, const proto::RegisterTaskManager& registration);
  std::optional<std::string> whyRefused(const proto::RegisterTaskManager& registration) const;
  void drop(uint64_t key, const std::string& cause);
  Connection* find(const std::string& task_manager_id);
  const Connection* find(const std::string& task_manager_id) const;
  TaskManagerView viewOf(const Connection& connection) const;
  void beat();
  void assignSoon();
  void assign();
  int64_t nowMs() const { return clock_.monotonicNs() / 1'000'000; }

  ScopedLoop loop_;
  const Clock& clock_;
  const ResourceSettings settings_;
  SlotManager slots_;
  HeartbeatMonitor heartbeats_;
  std::map<uint64_t, Connection> connections_;  // By order of arrival.
  std::map<std::string, SlotHolder*> jobs_;
  uint64_t next_key_ = 1;
  bool assign_posted_ = false;
};

}  // namespace wiesel::runtime
