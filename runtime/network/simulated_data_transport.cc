#include "runtime/network/simulated_data_transport.h"

#include <utility>

namespace wiesel::runtime {

SimulatedDataTransport::SimulatedDataTransport(SimulatedNetwork& network,
                                               SimulatedWorld::ProcessId process,
                                               const std::string& scope)
    : network_(network),
      process_(process),
      executor_(network.world().newExecutor(process)),
      server_({.scope = scope, .message_bytes = 1}, executor_),
      client_({.scope = scope, .share_connections = false}, *this, executor_) {
  address_ = network_.listen(process_, executor_, [this] { return server_.accept(); });
}

SimulatedDataTransport::~SimulatedDataTransport() {
  network_.stopListening(address_);
  client_.shutDown();
  server_.shutDown();
}

void SimulatedDataTransport::publish(const ChannelAddress& channel,
                                     std::shared_ptr<ChannelQueue> queue) {
  server_.publish(channel, std::move(queue));
}

void SimulatedDataTransport::subscribe(const ChannelAddress& channel,
                                       const std::string& producer_address,
                                       std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                                       std::function<void(std::string why)> on_lost) {
  client_.subscribe(channel, producer_address, std::move(queue), type, std::move(on_lost));
}

void SimulatedDataTransport::releaseAttempt(int32_t attempt) {
  server_.releaseAttempt(attempt);
  client_.releaseAttempt(attempt);
}

void SimulatedDataTransport::connect(const std::string& address,
                                     std::shared_ptr<DataConnectionHandler> handler) {
  network_.connect(process_, executor_, address, std::move(handler));
}

}  // namespace wiesel::runtime
