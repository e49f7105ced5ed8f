#include "runtime/network/simulated_network.h"

#include <deque>
#include <utility>

#include "absl/strings/str_format.h"

namespace wiesel::runtime {

/// A connection: two ends, each with the messages that are on their way to it.
class SimulatedNetwork::Link : public std::enable_shared_from_this<SimulatedNetwork::Link> {
 public:
  class End final : public DataConnection {
   public:
    End(ProcessId process, Executor& executor, std::string peer)
        : process_(process), executor_(executor), peer_name_(std::move(peer)) {}

    DataOutput newMessage() override { return DataOutput(); }
    void write(DataOutput message) override;
    void close(const std::string& why) override;
    std::string peer() const override { return peer_name_; }

   private:
    friend class Link;

    const ProcessId process_;
    Executor& executor_;
    const std::string peer_name_;
    Link* link_ = nullptr;
    End* other_ = nullptr;
    std::shared_ptr<DataConnectionHandler> handler_;  // Null once it was told of the closing.
    std::deque<DataOutput> arriving_;
    bool closing_ = false;
  };

  Link(SimulatedWorld& world, ProcessId client, Executor& client_executor,
       const std::string& address, ProcessId server, Executor& server_executor)
      : world_(world),
        client_(client, client_executor, address),
        server_(server, server_executor, world.nameOf(client)) {
    for (End* end : {&client_, &server_}) {
      end->link_ = this;
      end->other_ = end == &client_ ? &server_ : &client_;
    }
  }

  void open(std::shared_ptr<DataConnectionHandler> client,
            std::shared_ptr<DataConnectionHandler> server) {
    client_.handler_ = std::move(client);
    server_.handler_ = std::move(server);
    server_.handler_->onOpened(server_);
    if (client_.handler_ != nullptr) client_.handler_->onOpened(client_);
  }

  bool isBetween(ProcessId one, ProcessId other) const {
    return (client_.process_ == one && server_.process_ == other) ||
           (client_.process_ == other && server_.process_ == one);
  }

  void breakFor(ProcessId dead) {
    for (End* end : {&client_, &server_}) {
      if (end->process_ != dead) continue;
      end->closing_ = true;  // And its handler stays: nobody is there to be told.
      closeEnd(*end->other_, "the connection was reset");
    }
  }

  /// Nobody uses it any more.
  bool isOver() const { return client_.handler_ == nullptr && server_.handler_ == nullptr; }

  void closeBoth(const std::string& why) {
    closeEnd(client_, why);
    closeEnd(server_, why);
  }

 private:
  void send(End& to, DataOutput message) {
    if (to.closing_) return;
    to.arriving_.push_back(std::move(message));
    deliverLater(to);
  }

  // One delivery for each message, but the one that is due first takes the oldest message.
  void deliverLater(End& to) {
    to.executor_.execute([link = shared_from_this(), &to] {
      if (to.handler_ == nullptr || to.arriving_.empty()) return;
      if (link->world_.random().below(kSlowOneIn) == 0) return link->deliverLater(to);
      const DataOutput message = std::move(to.arriving_.front());
      to.arriving_.pop_front();
      const std::shared_ptr<DataConnectionHandler> handler = to.handler_;
      handler->onMessage(message.view());
    });
  }

  void tellWritten(End& end) {
    end.executor_.execute([link = shared_from_this(), &end] {
      if (end.handler_ == nullptr) return;
      const std::shared_ptr<DataConnectionHandler> handler = end.handler_;
      handler->onWritten();
    });
  }

  void closeEnd(End& end, const std::string& why) {
    if (std::exchange(end.closing_, true)) return;
    end.executor_.execute([link = shared_from_this(), &end, why] {
      end.arriving_.clear();
      const auto handler = std::exchange(end.handler_, nullptr);
      if (handler != nullptr) handler->onClosed(why);
    });
  }

  static constexpr uint64_t kSlowOneIn = 4;

  SimulatedWorld& world_;
  End client_;
  End server_;
};

void SimulatedNetwork::Link::End::write(DataOutput message) {
  link_->send(*other_, std::move(message));
  link_->tellWritten(*this);
}

void SimulatedNetwork::Link::End::close(const std::string& why) {
  // The other end may still get what is on its way to it, or may not.
  link_->closeEnd(*other_, why);
  link_->closeEnd(*this, why);
}

SimulatedNetwork::SimulatedNetwork(SimulatedWorld& world) : world_(world) {}

SimulatedNetwork::~SimulatedNetwork() = default;

std::string SimulatedNetwork::listen(ProcessId process, Executor& executor, Accept accept) {
  const std::string address = absl::StrFormat("%s:%d", world_.nameOf(process), ++last_port_);
  listeners_.emplace(address, Listener{process, &executor, std::move(accept)});
  return address;
}

void SimulatedNetwork::stopListening(const std::string& address) { listeners_.erase(address); }

void SimulatedNetwork::connect(ProcessId process, Executor& executor, const std::string& address,
                               std::shared_ptr<DataConnectionHandler> handler) {
  const auto listener = listeners_.find(address);
  if (listener == listeners_.end() || !world_.isAlive(listener->second.process)) {
    executor.execute([handler, address] { handler->onClosed("nobody listens at " + address); });
    return;
  }
  const Listener& server = listener->second;
  const auto link =
      std::make_shared<Link>(world_, process, executor, address, server.process, *server.executor);
  std::erase_if(links_, [](const auto& known) { return known->isOver(); });
  links_.push_back(link);
  link->open(std::move(handler), server.accept());
}

void SimulatedNetwork::kill(ProcessId process) {
  std::erase_if(listeners_,
                [&](const auto& listener) { return listener.second.process == process; });
  for (const auto& link : links_) link->breakFor(process);
}

void SimulatedNetwork::disconnect(ProcessId one, ProcessId other) {
  for (const auto& link : links_) {
    if (link->isBetween(one, other)) link->closeBoth("the connection was reset");
  }
}

}  // namespace wiesel::runtime
