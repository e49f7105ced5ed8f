#pragma once

#include <span>
#include <utility>
#include <vector>

#include "runtime/functions/function_traits.h"
#include "runtime/windowing/time_window.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

// What a window keeps of its elements, behind one face for the window operator:
//   open(backend)            declares the state "window-contents", as Flink's window operator does
//   add(window, element)     returns false when the window is known to have had elements before
//   withContents(window, f)  calls f(contents) when there are any
//   clear(window)

/// All elements: for window functions, coGroup and join. C is how they are held in memory.
template <class E, class C = std::vector<E>>
class ElementsOfWindow {
 public:
  void open(state::KeyedStateBackend& backend) {
    cell_ = &backend.listCell<TimeWindow, E, C>("window-contents");
  }
  bool add(const TimeWindow& window, E&& element) { return cell_->add(window, std::move(element)); }

  template <class F>
  void withContents(const TimeWindow& window, F&& f) {
    if (C* contents = cell_->find(window)) f(*contents);
  }
  void clear(const TimeWindow& window) { cell_->clear(window); }

 private:
  state::ListCell<TimeWindow, E, C>* cell_ = nullptr;  // Owned by the backend.
};

/// One element, combined as they come.
template <class E, class F>
class ReducedWindow {
 public:
  explicit ReducedWindow(F reduce) : reduce_(std::move(reduce)) {}

  void open(state::KeyedStateBackend& backend) {
    cell_ = &backend.valueCell<TimeWindow, E>("window-contents", state::StateKind::kReducing);
  }

  bool add(const TimeWindow& window, E&& element) {
    if (const E* known = cell_->find(window)) {
      cell_->put(window, invokeReduce(reduce_, *known, element));
      return false;
    }
    cell_->put(window, std::move(element));
    return true;
  }

  template <class Use>
  void withContents(const TimeWindow& window, Use&& use) {
    if (const E* contents = cell_->find(window)) use(*contents);
  }
  void clear(const TimeWindow& window) { cell_->clear(window); }

 private:
  F reduce_;
  state::ValueCell<TimeWindow, E>* cell_ = nullptr;  // Owned by the backend.
};

}  // namespace wiesel::runtime
