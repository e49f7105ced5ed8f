#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/network/data_transport.h"

namespace wiesel::runtime {

/// For a cluster with a single worker: there is nobody to send to.
class NoDataTransport final : public DataTransport {
 public:
  std::string address() const override { return ""; }
  void publish(const ChannelAddress&, std::shared_ptr<ChannelQueue>) override {}
  void subscribe(const ChannelAddress&, const std::string& producer_address,
                 std::shared_ptr<ChannelQueue>, const BatchType&,
                 std::function<void(std::string)> on_lost) override {
    on_lost("there is no worker at '" + producer_address + "'");
  }
  void releaseAttempt(int32_t) override {}
};

}  // namespace wiesel::runtime
