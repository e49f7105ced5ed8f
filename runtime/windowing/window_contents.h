#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/functions/aggregate_function.h"
#include "runtime/functions/function_traits.h"
#include "runtime/windowing/timestamped_value.h"
#include "state/keyed_state_backend.h"
#include "state/namespaced_cells.h"

namespace wiesel::runtime {

// What a window of type W keeps of its elements, behind one face for the window operators:
//   open(backend)              declares the state "window-contents", as Flink's operators do
//   add(window, element, ts)   returns false when the window is known to have had elements before
//   withContents(window, f)    calls f(contents) when there are any
//   clear(window)
//   merge(window, others)      takes over what the others have

/// All elements: for window functions, coGroup and join. C is how they are held in memory.
template <class W, class E, class C = std::vector<E>>
class ElementsOfWindow {
 public:
  void open(state::KeyedStateBackend& backend) {
    cell_ = &backend.listCell<W, E, C>("window-contents");
  }
  bool add(const W& window, E&& element, int64_t) { return cell_->add(window, std::move(element)); }

  template <class F>
  void withContents(const W& window, F&& f) {
    if (C* contents = cell_->find(window)) f(*contents);
  }
  void clear(const W& window) { cell_->clear(window); }
  void merge(const W& window, const std::vector<W>& others) {
    state::mergeLists(*cell_, window, others);
  }

 private:
  state::ListCell<W, E, C>* cell_ = nullptr;  // Owned by the backend.
};

/// All elements with their timestamps: for evictors. Flink: EvictingWindowOperator (1.20).
template <class W, class E>
class TimestampedElementsOfWindow {
 public:
  using Element = TimestampedValue<E>;

  void open(state::KeyedStateBackend& backend) {
    cell_ = &backend.listCell<W, Element>("window-contents");
  }
  bool add(const W& window, E&& element, int64_t timestamp_ms) {
    return cell_->add(window, Element(std::move(element), timestamp_ms));
  }

  /// Takes the elements out, lets `f` see and change them, and puts back what is left.
  template <class F>
  void withContents(const W& window, F&& f) {
    const std::vector<Element>* stored = cell_->find(window);
    if (stored == nullptr || stored->empty()) return;
    std::vector<Element> elements = *stored;
    f(elements);
    if (elements.empty()) {
      cell_->clear(window);
    } else {
      cell_->put(window, std::move(elements));
    }
  }
  void clear(const W& window) { cell_->clear(window); }
  void merge(const W& window, const std::vector<W>& others) {
    state::mergeLists(*cell_, window, others);
  }

 private:
  state::ListCell<W, Element>* cell_ = nullptr;  // Owned by the backend.
};

/// One element, combined as they come.
template <class W, class E, class F>
class ReducedWindow {
 public:
  explicit ReducedWindow(F reduce) : reduce_(std::move(reduce)) {}

  void open(state::KeyedStateBackend& backend) {
    cell_ = &backend.valueCell<W, E>("window-contents", state::StateKind::kReducing);
  }

  bool add(const W& window, E&& element, int64_t) {
    if (const E* known = cell_->find(window)) {
      cell_->put(window, invokeReduce(reduce_, *known, element));
      return false;
    }
    cell_->put(window, std::move(element));
    return true;
  }

  template <class Use>
  void withContents(const W& window, Use&& use) {
    if (const E* contents = cell_->find(window)) use(*contents);
  }
  void clear(const W& window) { cell_->clear(window); }
  void merge(const W& window, const std::vector<W>& others) {
    state::mergeValues(*cell_, window, others, [this](const E& left, const E& right) {
      return invokeReduce(reduce_, left, right);
    });
  }

 private:
  F reduce_;
  state::ValueCell<W, E>* cell_ = nullptr;  // Owned by the backend.
};

/// An accumulator, to which elements are added as they come. F is an AggregateFunction.
template <class W, class F>
class AggregatedWindow {
 public:
  using Accumulator = typename F::Accumulator;

  explicit AggregatedWindow(F function) : function_(std::move(function)) {}

  void open(state::KeyedStateBackend& backend) {
    cell_ = &backend.valueCell<W, Accumulator>("window-contents", state::StateKind::kAggregating);
  }

  bool add(const W& window, typename F::Input&& element, int64_t) {
    const Accumulator* known = cell_->find(window);
    const bool is_new = known == nullptr;
    Accumulator accumulator = is_new ? function_.createAccumulator() : *known;
    cell_->put(window, function_.add(element, std::move(accumulator)));
    return is_new;
  }

  template <class Use>
  void withContents(const W& window, Use&& use) {
    if (const Accumulator* accumulator = cell_->find(window)) {
      use(std::as_const(function_).getResult(*accumulator));
    }
  }
  void clear(const W& window) { cell_->clear(window); }
  void merge(const W& window, const std::vector<W>& others) {
    state::mergeValues(*cell_, window, others,
                       [this](const Accumulator& left, const Accumulator& right) {
                         return function_.merge(left, right);
                       });
  }

 private:
  F function_;
  state::ValueCell<W, Accumulator>* cell_ = nullptr;  // Owned by the backend.
};

}  // namespace wiesel::runtime
