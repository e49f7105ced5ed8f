#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/functions/checkpointed_function.h"
#include "runtime/functions/rich_function.h"

namespace wiesel::runtime {

// What an operator calls of its function besides the function proper, if the function has it. A
// function may also be one that gives another form to a user's and returns it from userFunction().

/// Initializes the function's state and opens it.
template <class F>
void openFunction(F& function, RuntimeContext& context) {
  if constexpr (std::is_base_of_v<RichFunction, F>) function.setRuntimeContext(&context);
  if constexpr (std::is_base_of_v<CheckpointedFunction, F>) {
    FunctionInitializationContext initialization(context);
    function.initializeState(initialization);
  }
  if constexpr (std::is_base_of_v<RichFunction, F>) function.open(OpenContext{});
  if constexpr (std::is_base_of_v<RichFunction, F> || std::is_base_of_v<CheckpointedFunction, F>) {
    return;
  } else if constexpr (requires { function.userFunction(); }) {
    openFunction(function.userFunction(), context);
  }
}

template <class F>
void closeFunction(F& function) {
  if constexpr (std::is_base_of_v<RichFunction, F>) {
    function.close();
  } else if constexpr (requires { function.userFunction(); }) {
    closeFunction(function.userFunction());
  }
}

template <class F>
void snapshotFunction(F& function, int64_t checkpoint_id) {
  if constexpr (std::is_base_of_v<CheckpointedFunction, F>) {
    FunctionSnapshotContext context(checkpoint_id);
    function.snapshotState(context);
  } else if constexpr (requires { function.userFunction(); }) {
    snapshotFunction(function.userFunction(), checkpoint_id);
  }
}

template <class F>
void notifyFunctionOfCompletion(F& function, int64_t checkpoint_id) {
  if constexpr (std::is_base_of_v<CheckpointListener, F>) {
    function.notifyCheckpointComplete(checkpoint_id);
  } else if constexpr (requires { function.userFunction(); }) {
    notifyFunctionOfCompletion(function.userFunction(), checkpoint_id);
  }
}

template <class F>
void notifyFunctionOfAbort(F& function, int64_t checkpoint_id) {
  if constexpr (std::is_base_of_v<CheckpointListener, F>) {
    function.notifyCheckpointAborted(checkpoint_id);
  } else if constexpr (requires { function.userFunction(); }) {
    notifyFunctionOfAbort(function.userFunction(), checkpoint_id);
  }
}

}  // namespace wiesel::runtime
