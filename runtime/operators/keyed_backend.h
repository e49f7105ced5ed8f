#pragma once

#include <memory>
#include <utility>

#include "runtime/operators/operator_context.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// The keyed state of an operator's subtask, from what the context holds for it. To be called once,
/// in setUp(). State that expires follows the task's clock.
template <class K>
std::unique_ptr<state::TypedKeyedStateBackend<K>> makeKeyedBackend(OperatorContext& context) {
  context.keyed_setup.now_ms = [clock = context.processing_time] { return clock->currentTimeMs(); };
  return state::makeKeyedStateBackend<K>(std::move(context.keyed_setup));
}

}  // namespace wiesel::runtime
