#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "common/random.h"

namespace wiesel {

/// Processes, event loops, executors and time of a whole cluster in one thread: a seed picks every
/// interleaving, and time passes only when nothing is left to do now.
///
/// What is due at the same virtual time runs in an order that the seed chooses, except that each
/// loop keeps its own order (event_loop.h). A closure given to an executor is due after a small
/// random delay and has no order. The same seed and the same closures give the same run:
/// traceHash() tells.
///
/// Owns:    the loops and executors, until it is destroyed; then waiting closures are destroyed
///          unrun. What closures refer to must be alive then, or not be touched by their
///          destructors.
/// Threads: one thread uses the world and all that it made.
class SimulatedWorld {
 public:
  using ProcessId = int;

  explicit SimulatedWorld(uint64_t seed);
  SimulatedWorld(const SimulatedWorld&) = delete;
  SimulatedWorld& operator=(const SimulatedWorld&) = delete;
  ~SimulatedWorld();

  /// Virtual time; wall time starts at kStartWallMs.
  const Clock& clock() const { return clock_; }
  int64_t nowMs() const { return clock_.wallMs(); }

  /// Random numbers of the seed for whoever lives in the world: ids, delays, faults.
  RandomSource& random() { return random_; }

  ProcessId newProcess(std::string name);
  EventLoop& newEventLoop(ProcessId process);
  Executor& newExecutor(ProcessId process);

  /// From now on nothing runs in the process: waiting closures are destroyed unrun, later ones too.
  /// A closure of the process that calls this runs to its end. Idempotent.
  void kill(ProcessId process);
  bool isAlive(ProcessId process) const;
  const std::string& nameOf(ProcessId process) const;

  /// Runs one due event; when none is due, time first moves to the next one. False when nothing is
  /// left. Not callable from inside an event, like all run...() below.
  bool step();

  /// Steps until `predicate` holds (then true) or `max_virtual_ms` have passed (false). Time has
  /// then moved by max_virtual_ms even if nothing was left to do.
  bool runUntil(const std::function<bool()>& predicate, int64_t max_virtual_ms);

  void runFor(int64_t virtual_ms);

  /// Steps until only timers (postAfter) wait. Timers that are due on the way run.
  void runUntilIdle();

  /// A hash over which event ran when, so far; and how many ran.
  uint64_t traceHash() const { return trace_hash_; }
  uint64_t numEvents() const { return num_events_; }

  static constexpr int64_t kStartWallMs = 1'700'000'000'000;

  /// Bound of the delay of a closure given to an executor.
  static constexpr int64_t kMaxExecutorDelayMs = 5;

  /// Events that may run without time passing; more is an endless loop, and aborts.
  static constexpr uint64_t kMaxEventsAtOneTime = 10'000'000;

 private:
  class Loop;
  class Worker;
  struct Process {
    std::string name;
    bool alive = true;
  };
  struct Event {
    ProcessId process;
    uint64_t lane;  // One a loop; one for each closure of an executor.
    bool is_timer;
    std::function<void()> closure;
  };
  using Position = std::pair<int64_t, uint64_t>;  // Due time in ms, id.
  using Lane = std::map<Position, Event>;         // What must run in this order.
  struct Address {
    uint64_t lane;
    Position position;
  };

  uint64_t newLane() { return ++last_lane_; }
  uint64_t schedule(int64_t delay_ms, Event event);
  void cancel(uint64_t event_id);
  std::optional<int64_t> nextDueMs() const;
  void advanceTo(int64_t wall_ms);
  uint64_t chooseDueLane();
  Event takeFirst(uint64_t lane_id);
  void forget(uint64_t event_id, const Event& event);

  ManualClock clock_;
  SeededRandom random_;
  SeededRandom scheduling_;

  std::vector<Process> processes_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<Worker>> workers_;

  std::map<uint64_t, Lane> lanes_;  // Those where something waits.
  std::unordered_map<uint64_t, Address> address_by_id_;
  uint64_t last_event_id_ = 0;
  uint64_t last_lane_ = 0;
  uint64_t num_untimed_ = 0;  // Waiting events that are no timers.

  std::vector<uint64_t> due_lanes_;  // Scratch of chooseDueLane().
  uint64_t running_lane_ = 0;        // 0: none.
  uint64_t num_events_ = 0;
  uint64_t events_at_this_time_ = 0;
  uint64_t trace_hash_ = 0;
};

}  // namespace wiesel
