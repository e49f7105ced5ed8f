#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "state/broadcast_state.h"
#include "state/operator_state_store.h"
#include "state/state_descriptor.h"
#include "state/state_error.h"

namespace wiesel::runtime {

/// The broadcast states of one operator: those that the program gave to broadcast().
class BroadcastStates {
 public:
  /// Names a state, until the operator has a store for it.
  template <class K, class V>
  void add(const MapStateDescriptor<K, V>& descriptor) {
    declarations_[descriptor.name] = [descriptor](state::OperatorStateStore& store) {
      store.getBroadcastState(descriptor);
    };
  }

  /// Declares all of them in `store`, which outlives this, so that each has what was restored.
  void open(state::OperatorStateStore& store) {
    store_ = &store;
    for (const auto& [name, declare] : declarations_) declare(store);
  }

  /// Requires open().
  template <class K, class V>
  BroadcastState<K, V>& get(const MapStateDescriptor<K, V>& descriptor) const {
    if (!declarations_.contains(descriptor.name)) {
      throw state::StateError("broadcast state '" + descriptor.name +
                              "' is not there: give its descriptor to broadcast(), or look for a "
                              "mistake in its name");
    }
    return store_->getBroadcastState(descriptor);
  }

 private:
  std::map<std::string, std::function<void(state::OperatorStateStore&)>> declarations_;
  state::OperatorStateStore* store_ = nullptr;  // Not owned.
};

}  // namespace wiesel::runtime
