#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/output_tag.h"
#include "runtime/operators/output.h"
#include "state/keyed_state_backend.h"
#include "state/keyed_state_store.h"

namespace wiesel {

/// The clocks of a window operator.
class WindowClocks {
 public:
  virtual ~WindowClocks() = default;
  virtual int64_t currentProcessingTime() const = 0;
  virtual int64_t currentWatermark() const = 0;
};

/// What a window function sees besides its elements.
///
/// Threads: the task's own, only during the call that got it.
/// Flink:   ProcessWindowFunction.Context, ProcessAllWindowFunction.Context (1.20), which do not
/// tell
///          the key.
template <class K, class W>
class WindowContext {
 public:
  /// Borrows all of them. `merges`: the windows merge, so they have no state of their own.
  WindowContext(const WindowClocks& clocks, state::TypedKeyedStateBackend<K>& backend,
                runtime::OutputBase& output, bool merges)
      : clocks_(clocks),
        backend_(backend),
        window_state_(backend),
        global_state_(backend),
        output_(output),
        merges_(merges) {}

  /// The window's key, in clear(), too. Of no use behind windowAll().
  const K& getCurrentKey() const { return backend_.currentKey(); }

  const W& window() const { return window_state_.currentNamespace(); }
  /// Milliseconds since the epoch.
  int64_t currentProcessingTime() const { return clocks_.currentProcessingTime(); }
  /// The smallest int64_t before the first watermark.
  int64_t currentWatermark() const { return clocks_.currentWatermark(); }

  /// State of this window and key; the function's clear() has to clear it. Throws for windows that
  /// merge.
  KeyedStateStore<W>& windowState() {
    if (merges_) {
      throw std::logic_error(
          "windows that merge have no state of their own: use globalState(), or windows that do "
          "not merge");
    }
    return window_state_;
  }
  /// State of this key, for all of its windows.
  KeyedStateStore<VoidNamespace>& globalState() { return global_state_; }

  /// Puts a record out at the side, with the timestamp of the window's results.
  template <class S>
  void output(const OutputTag<S>& tag, S value) {
    output_.emitSide(tag, std::move(value), window().maxTimestamp());
  }

  void setWindow(const W& window) { window_state_.setCurrentNamespace(window); }

 private:
  const WindowClocks& clocks_;
  state::TypedKeyedStateBackend<K>& backend_;
  KeyedStateStore<W> window_state_;
  KeyedStateStore<VoidNamespace> global_state_;
  runtime::OutputBase& output_;
  const bool merges_;
};

}  // namespace wiesel
