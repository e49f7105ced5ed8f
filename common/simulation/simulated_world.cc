#include "common/simulation/simulated_world.h"

#include <bit>

#include "common/check.h"

namespace wiesel {

class SimulatedWorld::Loop final : public EventLoop {
 public:
  Loop(SimulatedWorld& world, ProcessId process)
      : world_(world), process_(process), lane_(world.newLane()) {}

  void post(std::function<void()> closure) override {
    world_.schedule(0, {process_, lane_, /*is_timer=*/false, std::move(closure)});
  }
  uint64_t postAfter(int64_t delay_ms, std::function<void()> closure) override {
    return world_.schedule(delay_ms, {process_, lane_, /*is_timer=*/true, std::move(closure)});
  }
  void cancelTimer(uint64_t timer_id) override { world_.cancel(timer_id); }
  bool runsHere() const override { return world_.running_lane_ == lane_; }

 private:
  SimulatedWorld& world_;
  const ProcessId process_;
  const uint64_t lane_;
};

class SimulatedWorld::Worker final : public Executor {
 public:
  Worker(SimulatedWorld& world, ProcessId process) : world_(world), process_(process) {}

  void execute(std::function<void()> closure) override {
    const int64_t delay_ms =
        static_cast<int64_t>(world_.scheduling_.below(kMaxExecutorDelayMs + 1));
    world_.schedule(delay_ms, {process_, world_.newLane(), /*is_timer=*/false, std::move(closure)});
  }

 private:
  SimulatedWorld& world_;
  const ProcessId process_;
};

SimulatedWorld::SimulatedWorld(uint64_t seed)
    : clock_(kStartWallMs), random_(seed), scheduling_(~seed) {}

SimulatedWorld::~SimulatedWorld() {
  for (size_t process = 0; process < processes_.size(); ++process) {
    kill(static_cast<ProcessId>(process));
  }
}

SimulatedWorld::ProcessId SimulatedWorld::newProcess(std::string name) {
  processes_.push_back({std::move(name)});
  return static_cast<ProcessId>(processes_.size()) - 1;
}

EventLoop& SimulatedWorld::newEventLoop(ProcessId process) {
  WIESEL_CHECK(isAlive(process)) << nameOf(process);
  return *loops_.emplace_back(std::make_unique<Loop>(*this, process));
}

Executor& SimulatedWorld::newExecutor(ProcessId process) {
  WIESEL_CHECK(isAlive(process)) << nameOf(process);
  return *workers_.emplace_back(std::make_unique<Worker>(*this, process));
}

void SimulatedWorld::kill(ProcessId process) {
  processes_.at(static_cast<size_t>(process)).alive = false;
  // Destroying a closure may call back into the world, so the lanes are in order before.
  std::vector<Event> dropped;
  for (auto lane = lanes_.begin(); lane != lanes_.end();) {
    if (lane->second.begin()->second.process != process) {
      ++lane;
      continue;
    }
    for (auto& [position, event] : lane->second) {
      forget(position.second, event);
      dropped.push_back(std::move(event));
    }
    lane = lanes_.erase(lane);
  }
}

bool SimulatedWorld::isAlive(ProcessId process) const {
  return processes_.at(static_cast<size_t>(process)).alive;
}

const std::string& SimulatedWorld::nameOf(ProcessId process) const {
  return processes_.at(static_cast<size_t>(process)).name;
}

bool SimulatedWorld::step() {
  WIESEL_CHECK(running_lane_ == 0) << "the world is run from inside one of its events";
  const std::optional<int64_t> due_ms = nextDueMs();
  if (!due_ms.has_value()) return false;
  if (*due_ms > nowMs()) advanceTo(*due_ms);
  const uint64_t lane = chooseDueLane();
  const Event event = takeFirst(lane);
  WIESEL_CHECK(++events_at_this_time_ <= kMaxEventsAtOneTime)
      << "process '" << nameOf(event.process) << "' keeps the time from passing";
  running_lane_ = lane;
  event.closure();
  running_lane_ = 0;
  return true;
}

bool SimulatedWorld::runUntil(const std::function<bool()>& predicate, int64_t max_virtual_ms) {
  const int64_t end_ms = nowMs() + max_virtual_ms;
  while (!predicate()) {
    const std::optional<int64_t> due_ms = nextDueMs();
    if (!due_ms.has_value() || *due_ms > end_ms) {
      advanceTo(end_ms);
      return predicate();
    }
    step();
  }
  return true;
}

void SimulatedWorld::runFor(int64_t virtual_ms) {
  runUntil([] { return false; }, virtual_ms);
}

void SimulatedWorld::runUntilIdle() {
  while (num_untimed_ > 0) step();
}

uint64_t SimulatedWorld::schedule(int64_t delay_ms, Event event) {
  WIESEL_CHECK(delay_ms >= 0);
  WIESEL_CHECK(event.closure != nullptr);
  const uint64_t id = ++last_event_id_;
  if (!isAlive(event.process)) return id;
  if (!event.is_timer) ++num_untimed_;
  const Address address{event.lane, {nowMs() + delay_ms, id}};
  address_by_id_.emplace(id, address);
  lanes_[address.lane].emplace(address.position, std::move(event));
  return id;
}

void SimulatedWorld::cancel(uint64_t event_id) {
  const auto found = address_by_id_.find(event_id);
  if (found == address_by_id_.end()) return;
  const Address address = found->second;
  const auto lane = lanes_.find(address.lane);
  const auto entry = lane->second.find(address.position);
  const Event dropped = std::move(entry->second);  // Destroyed when the lanes are in order again.
  forget(event_id, dropped);
  lane->second.erase(entry);
  if (lane->second.empty()) lanes_.erase(lane);
}

std::optional<int64_t> SimulatedWorld::nextDueMs() const {
  std::optional<int64_t> due_ms;
  for (const auto& [lane_id, lane] : lanes_) {
    const int64_t lane_due_ms = lane.begin()->first.first;
    if (!due_ms.has_value() || lane_due_ms < *due_ms) due_ms = lane_due_ms;
  }
  return due_ms;
}

void SimulatedWorld::advanceTo(int64_t wall_ms) {
  clock_.setMs(wall_ms);
  events_at_this_time_ = 0;
}

uint64_t SimulatedWorld::chooseDueLane() {
  due_lanes_.clear();
  for (const auto& [lane_id, lane] : lanes_) {
    if (lane.begin()->first.first <= nowMs()) due_lanes_.push_back(lane_id);
  }
  return due_lanes_[scheduling_.below(due_lanes_.size())];
}

SimulatedWorld::Event SimulatedWorld::takeFirst(uint64_t lane_id) {
  const auto lane = lanes_.find(lane_id);
  const auto first = lane->second.begin();
  const uint64_t event_id = first->first.second;
  Event event = std::move(first->second);
  forget(event_id, event);
  lane->second.erase(first);
  if (lane->second.empty()) lanes_.erase(lane);

  ++num_events_;
  const uint64_t what = event_id ^ (static_cast<uint64_t>(nowMs()) << 24);
  trace_hash_ = (std::rotl(trace_hash_, 23) ^ what) * 0x9e3779b97f4a7c15;
  return event;
}

void SimulatedWorld::forget(uint64_t event_id, const Event& event) {
  if (!event.is_timer) --num_untimed_;
  address_by_id_.erase(event_id);
}

}  // namespace wiesel
