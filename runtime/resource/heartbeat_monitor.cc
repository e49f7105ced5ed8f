#include "runtime/resource/heartbeat_monitor.h"

#include "common/check.h"

namespace wiesel::runtime {

HeartbeatMonitor::HeartbeatMonitor(int64_t timeout_ms) : timeout_ms_(timeout_ms) {
  WIESEL_CHECK(timeout_ms > 0);
}

void HeartbeatMonitor::heard(const std::string& peer, int64_t now_ms) { heard_ms_[peer] = now_ms; }

void HeartbeatMonitor::heardIfWatched(const std::string& peer, int64_t now_ms) {
  const auto found = heard_ms_.find(peer);
  if (found != heard_ms_.end()) found->second = now_ms;
}

void HeartbeatMonitor::forget(const std::string& peer) { heard_ms_.erase(peer); }

std::vector<std::string> HeartbeatMonitor::silentAt(int64_t now_ms) const {
  std::vector<std::string> silent;
  for (const auto& [peer, heard_ms] : heard_ms_) {
    if (now_ms - heard_ms >= timeout_ms_) silent.push_back(peer);
  }
  return silent;
}

}  // namespace wiesel::runtime
