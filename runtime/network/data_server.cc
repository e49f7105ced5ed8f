#include "runtime/network/data_server.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/check.h"
#include "runtime/network/data_frame.h"
#include "runtime/network/data_server_session.h"

namespace wiesel::runtime {

namespace {

std::string releasedText(int32_t attempt) {
  return absl::StrFormat("the producer's worker has released attempt %d", attempt);
}

}  // namespace

DataServer::DataServer(Options options, Executor& executor)
    : options_(std::move(options)), executor_(executor) {}

DataServer::~DataServer() { shutDown(); }

void DataServer::publish(const ChannelAddress& channel, std::shared_ptr<ChannelQueue> queue) {
  Subscriber subscriber;
  {
    MutexLock lock(mutex_);
    if (shut_down_ || channel.attempt <= released_attempt_) return;
    auto [place, added] = published_.try_emplace(channel);
    WIESEL_CHECK(added) << "published twice: " << channelText(channel);
    const auto waiting = waiting_.find(channel);
    if (waiting == waiting_.end()) {
      place->second.queue = std::move(queue);
      return;
    }
    subscriber = std::move(waiting->second);
    waiting_.erase(waiting);
    place->second.subscriber = subscriber;
  }
  subscriber.session->attach(subscriber.number, std::move(queue));
}

void DataServer::releaseAttempt(int32_t attempt) {
  std::vector<std::pair<int32_t, Subscriber>> lost;
  {
    MutexLock lock(mutex_);
    released_attempt_ = std::max(released_attempt_, attempt);
    std::erase_if(published_, [&](const auto& entry) {
      if (entry.first.attempt > attempt) return false;
      lost.emplace_back(entry.first.attempt, entry.second.subscriber);
      return true;
    });
    std::erase_if(waiting_, [&](const auto& entry) {
      if (entry.first.attempt > attempt) return false;
      lost.emplace_back(entry.first.attempt, entry.second);
      return true;
    });
  }
  for (const auto& [lost_attempt, subscriber] : lost) {
    if (subscriber.session == nullptr) continue;
    subscriber.session->lose(subscriber.number, releasedText(lost_attempt));
  }
}

std::shared_ptr<DataConnectionHandler> DataServer::accept() {
  auto session = std::make_shared<DataServerSession>(*this);
  bool refuse = false;
  {
    MutexLock lock(mutex_);
    refuse = shut_down_;
    if (!refuse) sessions_.insert(session);
  }
  if (refuse) session->shutDown();
  return session;
}

void DataServer::shutDown() {
  std::set<std::shared_ptr<DataServerSession>> sessions;
  {
    MutexLock lock(mutex_);
    shut_down_ = true;
    sessions.swap(sessions_);
    published_.clear();
    waiting_.clear();
  }
  for (const auto& session : sessions) session->shutDown();
}

absl::StatusOr<std::shared_ptr<ChannelQueue>> DataServer::subscribe(
    const ChannelAddress& channel, const std::shared_ptr<DataServerSession>& session,
    int32_t number) {
  MutexLock lock(mutex_);
  if (shut_down_ || !sessions_.contains(session)) {
    return absl::UnavailableError("the producer's worker is shutting down");
  }
  if (channel.attempt <= released_attempt_) {
    return absl::NotFoundError(releasedText(channel.attempt));
  }
  const auto published = published_.find(channel);
  if (published == published_.end()) {
    const bool added = waiting_.try_emplace(channel, Subscriber{session, number}).second;
    if (added) return std::shared_ptr<ChannelQueue>();
    return absl::AlreadyExistsError("another consumer waits for the channel");
  }
  if (published->second.queue == nullptr) {
    return absl::AlreadyExistsError("the channel was given to a consumer before");
  }
  published->second.subscriber = Subscriber{session, number};
  return std::exchange(published->second.queue, nullptr);
}

void DataServer::forget(const std::shared_ptr<DataServerSession>& session) {
  MutexLock lock(mutex_);
  sessions_.erase(session);
  std::erase_if(waiting_, [&](const auto& entry) { return entry.second.session == session; });
  for (auto& [channel, published] : published_) {
    if (published.subscriber.session == session) published.subscriber = Subscriber();
  }
}

void DataServer::cancel(const ChannelAddress& channel,
                        const std::shared_ptr<DataServerSession>& session) {
  MutexLock lock(mutex_);
  const auto waiting = waiting_.find(channel);
  if (waiting != waiting_.end() && waiting->second.session == session) waiting_.erase(waiting);
}

}  // namespace wiesel::runtime
