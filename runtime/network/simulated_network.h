#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/executor.h"
#include "common/simulation/simulated_world.h"
#include "runtime/network/data_connection.h"

namespace wiesel::runtime {

/// What connects the data transports of simulated processes: messages keep their order within a
/// connection and take random times, so that connections overtake each other.
///
/// Borrows: the world, which must outlive it. Outlives all that listen and connect.
/// Threads: single-threaded, as the world.
class SimulatedNetwork {
 public:
  using ProcessId = SimulatedWorld::ProcessId;
  using Accept = std::function<std::shared_ptr<DataConnectionHandler>()>;

  explicit SimulatedNetwork(SimulatedWorld& world);
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;
  ~SimulatedNetwork();

  SimulatedWorld& world() { return world_; }

  /// Takes in connections at the address that it returns, until stopListening().
  std::string listen(ProcessId process, Executor& executor, Accept accept);
  void stopListening(const std::string& address);

  /// See DataConnector; `executor` is one of `process`.
  void connect(ProcessId process, Executor& executor, const std::string& address,
               std::shared_ptr<DataConnectionHandler> handler);

  /// To be called after SimulatedWorld::kill(): what the process had sent arrives or is lost, by
  /// chance, then the other ends of its connections see them broken.
  void kill(ProcessId process);

  /// Breaks all connections between two processes that live on.
  void disconnect(ProcessId one, ProcessId other);

 private:
  class Link;
  struct Listener {
    ProcessId process;
    Executor* executor;
    Accept accept;
  };

  SimulatedWorld& world_;
  int last_port_ = 0;
  std::map<std::string, Listener> listeners_;
  std::vector<std::shared_ptr<Link>> links_;
};

}  // namespace wiesel::runtime
