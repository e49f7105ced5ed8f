#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/windowing/any_trigger.h"

namespace wiesel {

/// What an assigner sees of the clock. Flink: WindowAssigner.WindowAssignerContext (1.20).
class WindowAssignerContext {
 public:
  virtual ~WindowAssignerContext() = default;
  virtual int64_t getCurrentProcessingTime() const = 0;
};

/// Windows that become one. Flink: MergingWindowAssigner.MergeCallback (1.20).
template <class W>
struct WindowMerge {
  std::vector<W> merged;
  W result;
};

/// Says in which windows a record is: a user's own assigner derives from it. W is a TimeWindow, a
/// GlobalWindow or a window of the user's: a described struct with maxTimestamp() and operator==.
///
/// Threads: one object serves all subtasks of a process, so it must not change.
/// Flink:   WindowAssigner (1.20).
template <class T, class W>
class WindowAssigner {
 public:
  using Window = W;

  virtual ~WindowAssigner() = default;

  /// Appends the windows of a record to `windows`. `timestamp_ms` is the smallest int64_t when the
  /// record has none.
  virtual void assignWindows(const T& element, int64_t timestamp_ms, WindowAssignerContext& context,
                             std::vector<W>& windows) const = 0;

  /// Whether windows end by the watermark, and records can be late, or by the clock.
  virtual bool isEventTime() const = 0;
  virtual AnyTrigger<T, W> getDefaultTrigger() const = 0;
  /// For the operator's name: "TumblingEventTimeWindows(5000)".
  virtual std::string toString() const = 0;

  /// True for windows that merge, whose assigner derives from MergingWindowAssigner.
  virtual bool merges() const { return false; }
  /// Finds those of `windows`, which are in no order, that become one: two or more of them.
  virtual std::vector<WindowMerge<W>> mergeWindows(std::vector<W> windows) const {
    (void)windows;
    return {};
  }
};

/// Flink: MergingWindowAssigner (1.20).
template <class T, class W>
class MergingWindowAssigner : public WindowAssigner<T, W> {
 public:
  bool merges() const final { return true; }
  std::vector<WindowMerge<W>> mergeWindows(std::vector<W> windows) const override = 0;
};

namespace internal {

/// An assigner of ours, which is for records of any type, as a WindowAssigner.
template <class T, class Assigner>
class BuiltInAssigner final : public WindowAssigner<T, typename Assigner::Window> {
 public:
  using W = typename Assigner::Window;

  explicit BuiltInAssigner(Assigner assigner) : assigner_(std::move(assigner)) {}

  void assignWindows(const T& element, int64_t timestamp_ms, WindowAssignerContext& context,
                     std::vector<W>& windows) const override {
    assigner_.assignWindows(element, timestamp_ms, context, windows);
  }
  bool isEventTime() const override { return Assigner::kIsEventTime; }
  AnyTrigger<T, W> getDefaultTrigger() const override { return assigner_.getDefaultTrigger(); }
  std::string toString() const override { return assigner_.toString(); }
  bool merges() const override { return Assigner::kMerges; }
  std::vector<WindowMerge<W>> mergeWindows(std::vector<W> windows) const override {
    if constexpr (Assigner::kMerges) {
      return assigner_.mergeWindows(std::move(windows));
    } else {
      return {};
    }
  }

 private:
  const Assigner assigner_;
};

/// Shares an assigner between the subtasks of an operator on T records.
template <class T, class Assigner>
std::shared_ptr<const WindowAssigner<T, typename Assigner::Window>> shareAssigner(
    Assigner assigner) {
  using W = typename Assigner::Window;
  if constexpr (std::is_base_of_v<WindowAssigner<T, W>, Assigner>) {
    return std::make_shared<const Assigner>(std::move(assigner));
  } else {
    return std::make_shared<const BuiltInAssigner<T, Assigner>>(std::move(assigner));
  }
}

}  // namespace internal
}  // namespace wiesel
