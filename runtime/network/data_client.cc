#include "runtime/network/data_client.h"

#include <algorithm>
#include <utility>

#include "runtime/network/data_client_session.h"

namespace wiesel::runtime {

DataClient::DataClient(Options options, DataConnector& connector, Executor& executor)
    : options_(std::move(options)), connector_(connector), executor_(executor) {}

DataClient::~DataClient() { shutDown(); }

void DataClient::subscribe(const ChannelAddress& channel, const std::string& producer_address,
                           std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                           std::function<void(std::string why)> on_lost) {
  const Subscription subscription{channel, producer_address, std::move(queue), &type,
                                  std::move(on_lost)};
  std::shared_ptr<DataClientSession> session;
  // A session that closes between the two calls does not take the subscription, and is not found
  // again.
  do {
    session = sessionFor(channel, producer_address);
    if (session == nullptr) return;
  } while (!session->subscribe(subscription));

  // The attempt may have been released before the session knew of the channel.
  bool released = false;
  {
    MutexLock lock(mutex_);
    released = channel.attempt <= released_attempt_;
  }
  if (released) session->releaseAttempt(channel.attempt);
}

std::shared_ptr<DataClientSession> DataClient::sessionFor(const ChannelAddress& channel,
                                                          const std::string& producer_address) {
  std::shared_ptr<DataClientSession> session;
  {
    MutexLock lock(mutex_);
    if (shut_down_ || channel.attempt <= released_attempt_) return nullptr;
    const auto found = sessions_.find(producer_address);
    if (options_.share_connections && found != sessions_.end()) return found->second;
    session = std::make_shared<DataClientSession>(*this, options_.scope, producer_address);
    sessions_.emplace(producer_address, session);
  }
  connector_.connect(producer_address, session);
  return session;
}

void DataClient::releaseAttempt(int32_t attempt) {
  std::multimap<std::string, std::shared_ptr<DataClientSession>> sessions;
  {
    MutexLock lock(mutex_);
    released_attempt_ = std::max(released_attempt_, attempt);
    sessions = sessions_;
  }
  for (const auto& [address, session] : sessions) session->releaseAttempt(attempt);
}

void DataClient::shutDown() {
  std::multimap<std::string, std::shared_ptr<DataClientSession>> sessions;
  {
    MutexLock lock(mutex_);
    shut_down_ = true;
    sessions.swap(sessions_);
  }
  for (const auto& [address, session] : sessions) session->shutDown();
}

void DataClient::forget(const DataClientSession& session) {
  MutexLock lock(mutex_);
  std::erase_if(sessions_, [&](const auto& entry) { return entry.second.get() == &session; });
}

}  // namespace wiesel::runtime
