#pragma once

#include <memory>
#include <string>

#include "common/simulation/simulated_world.h"
#include "runtime/network/data_client.h"
#include "runtime/network/data_server.h"
#include "runtime/network/data_transport.h"
#include "runtime/network/simulated_network.h"

namespace wiesel::runtime {

/// The data plane of one simulated worker: the protocol of GrpcDataTransport, with its frames and
/// credits, over a SimulatedNetwork. Each element is a message and each channel has a connection of
/// its own, so that the seed decides how channels overtake each other.
///
/// Borrows: `network`, which must outlive it.
/// Threads: single-threaded, as the world. on_lost is called in an event of the consumer's process;
///          not after the transport was destroyed or its process killed.
class SimulatedDataTransport final : public DataTransport, private DataConnector {
 public:
  /// Transports of one `scope` (job) talk to each other.
  SimulatedDataTransport(SimulatedNetwork& network, SimulatedWorld::ProcessId process,
                         const std::string& scope = "");
  ~SimulatedDataTransport() override;

  std::string address() const override { return address_; }
  void publish(const ChannelAddress& channel, std::shared_ptr<ChannelQueue> queue) override;
  void subscribe(const ChannelAddress& channel, const std::string& producer_address,
                 std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                 std::function<void(std::string why)> on_lost) override;
  void releaseAttempt(int32_t attempt) override;

 private:
  void connect(const std::string& address, std::shared_ptr<DataConnectionHandler> handler) override;

  SimulatedNetwork& network_;
  const SimulatedWorld::ProcessId process_;
  Executor& executor_;  // The world's.
  DataServer server_;
  DataClient client_;
  std::string address_;
};

}  // namespace wiesel::runtime
