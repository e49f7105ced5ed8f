#include "tests/conformance/seed_replay/timeline_player.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace wiesel::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Kind = TimelineStep::Kind;

constexpr milliseconds kConnectPatience{120'000};
constexpr milliseconds kTurn{100};  // After so long a wait looks around.
constexpr int kBacklog = 16;

[[noreturn]] void throwErrno(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// How long to wait so that the next five seconds are in one minute.
milliseconds untilMinuteIsFresh() {
  constexpr milliseconds kMinute{60'000};
  constexpr milliseconds kNearTheEnd{55'000};
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto in_minute = std::chrono::duration_cast<milliseconds>(since_epoch) % kMinute;
  return in_minute < kNearTheEnd ? milliseconds(0) : kMinute - in_minute + kTurn;
}

}  // namespace

TimelinePlayer::TimelinePlayer(Timeline timeline) : timeline_(std::move(timeline)) {
  for (const int recorded : timeline_.ports) {
    Server& server = servers_[recorded];
    server.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    if (server.listener < 0 || bind(server.listener, generic, size) != 0 ||
        listen(server.listener, kBacklog) != 0 ||
        getsockname(server.listener, generic, &size) != 0) {
      throwErrno("cannot listen on a free port");
    }
    server.port = ntohs(address.sin_port);
  }
}

TimelinePlayer::~TimelinePlayer() {
  for (auto& [recorded, server] : servers_) {
    for (const int connection : server.connections) {
      if (connection >= 0) close(connection);
    }
    if (server.listener >= 0) close(server.listener);
  }
}

uint16_t TimelinePlayer::portFor(int recorded) const { return servers_.at(recorded).port; }

void TimelinePlayer::play(const PlayOptions& options) {
  for (size_t i = 0; i < timeline_.steps.size(); ++i) {
    try {
      playStep(timeline_.steps[i], options);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("step " + std::to_string(i + 1) +
                               " of the timeline: " + error.what());
    }
  }
  for (auto& [recorded, server] : servers_) closeConnection(server);
}

void TimelinePlayer::playStep(const TimelineStep& step, const PlayOptions& options) {
  acceptWaiting();
  switch (step.kind) {
    case Kind::kAwait:
      return awaitConnection(step, options);
    case Kind::kSend:
      return send(step, options);
    case Kind::kSleep:
      return acceptFor(std::chrono::duration_cast<Milliseconds>(step.duration * options.stretch),
                       options.stop);
    case Kind::kClose:
      return closeConnection(servers_.at(step.port));
    case Kind::kTouch:
      if (options.on_touch) options.on_touch(step.text);
      return;
  }
}

void TimelinePlayer::awaitConnection(const TimelineStep& step, const PlayOptions& options) {
  const std::string awaited = "connection " + std::to_string(step.connection) + " on port " +
                              std::to_string(step.port) + " (recorded)";
  const auto deadline = steady_clock::now() + kConnectPatience;
  const std::vector<int>& connections = servers_.at(step.port).connections;
  while (connections.size() < static_cast<size_t>(step.connection)) {
    if (options.job_has_ended && options.job_has_ended()) {
      throw std::runtime_error("the job ended before " + awaited);
    }
    if (steady_clock::now() > deadline) throw std::runtime_error(awaited + " did not come");
    acceptFor(kTurn, options.stop);
  }
}

void TimelinePlayer::send(const TimelineStep& step, const PlayOptions& options) {
  if (!std::exchange(has_sent_, true) && options.keeps_clear_of_minute_end) {
    acceptFor(untilMinuteIsFresh(), options.stop);
  }
  const std::string to = "cannot send to port " + std::to_string(step.port) + " (recorded)";
  const std::vector<int>& connections = servers_.at(step.port).connections;
  if (connections.empty() || connections.back() < 0) {
    throw std::runtime_error(to + ": nobody is connected");
  }
  for (std::string_view rest = step.text; !rest.empty();) {
    const ssize_t count = ::send(connections.back(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) throwErrno(to);
    rest.remove_prefix(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  }
}

void TimelinePlayer::closeConnection(Server& server) {
  if (server.connections.empty() || server.connections.back() < 0) return;
  const int connection = std::exchange(server.connections.back(), -1);
  shutdown(connection, SHUT_RDWR);
  close(connection);
}

void TimelinePlayer::acceptFor(Milliseconds duration, const std::stop_token& stop) {
  const auto deadline = steady_clock::now() + duration;
  std::vector<pollfd> listeners;
  for (const auto& [recorded, server] : servers_) listeners.push_back({server.listener, POLLIN, 0});
  for (auto now = steady_clock::now(); now < deadline; now = steady_clock::now()) {
    if (stop.stop_requested()) throw std::runtime_error("interrupted");
    const auto left = std::chrono::ceil<Milliseconds>(deadline - now);
    const int turn_ms = static_cast<int>(std::min(left, kTurn).count());
    if (poll(listeners.data(), listeners.size(), turn_ms) > 0) acceptWaiting();
  }
}

void TimelinePlayer::acceptWaiting() {
  for (auto& [recorded, server] : servers_) {
    for (;;) {
      const int connection = accept4(server.listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) break;
      const int at_once = 1;
      setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
      server.connections.push_back(connection);
    }
  }
}

}  // namespace wiesel::conformance
