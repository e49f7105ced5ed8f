#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/check.h"
#include "runtime/windowing/window_assigner.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// The windows of the current key that may merge, and for each the window under which its state is
/// kept: that of the first one it was made of.
///
/// Threads: the task thread only.
/// Flink:   MergingWindowSet (1.20), with its state "merging-window-set". Unlike there, adding a
///          window that is there already leaves its state where it is.
template <class T, class W>
class MergingWindowSet {
 public:
  /// A merge that addWindow() has made.
  struct Merge {
    W result;
    std::vector<W> merged_windows;  // Without the new one.
    W state_window;                 // Of the result.
    std::vector<W> merged_states;   // Windows whose state goes into that of `state_window`.
  };

  MergingWindowSet(const WindowAssigner<T, W>& assigner, state::KeyedStateBackend& backend)
      : assigner_(assigner),
        cell_(backend.listCell<VoidNamespace, std::pair<W, W>>("merging-window-set")) {}

  /// Reads the set of the current key. Before the calls below.
  void load() {
    const std::vector<std::pair<W, W>>* stored = cell_.find({});
    windows_ = stored == nullptr ? std::vector<std::pair<W, W>>() : *stored;
    changed_ = false;
  }

  /// Writes the set back if it has changed.
  void persist() {
    if (!changed_) return;
    if (windows_.empty()) {
      cell_.clear({});
    } else {
      cell_.put({}, windows_);
    }
    changed_ = false;
  }

  /// Null when the window is not there (any more).
  const W* stateWindow(const W& window) const {
    const auto found = find(window);
    return found == windows_.end() ? nullptr : &found->second;
  }

  /// Returns the window that `window` has become part of, itself if it merges with none. Calls
  /// `on_merge(const Merge&)` for windows that became one, while the set shows it already.
  template <class OnMerge>
  W addWindow(const W& window, OnMerge on_merge) {
    if (stateWindow(window) != nullptr) return window;
    std::vector<W> all;
    for (const auto& [known, state_window] : windows_) all.push_back(known);
    all.push_back(window);
    W result = window;
    bool has_merged = false;
    for (WindowMerge<W>& found : assigner_.mergeWindows(std::move(all))) {
      if (std::erase(found.merged, window) > 0) {
        result = found.result;
        has_merged = true;
      }
      if (!found.merged.empty()) merge(found, on_merge);
    }
    if (!has_merged) put(window, window);
    return result;
  }

  /// Requires that the window is there.
  void retireWindow(const W& window) {
    const auto found = find(window);
    WIESEL_CHECK(found != windows_.end());
    windows_.erase(found);
    changed_ = true;
  }

 private:
  using Windows = std::vector<std::pair<W, W>>;

  typename Windows::const_iterator find(const W& window) const {
    return std::ranges::find(windows_, window, &std::pair<W, W>::first);
  }

  void put(const W& window, const W& state_window) {
    windows_.emplace_back(window, state_window);
    changed_ = true;
  }

  template <class OnMerge>
  void merge(const WindowMerge<W>& found, OnMerge& on_merge) {
    Merge merge{found.result, found.merged, *stateWindow(found.merged.front()), {}};
    for (const W& merged : merge.merged_windows) {
      const W state_window = *stateWindow(merged);
      if (state_window != merge.state_window) merge.merged_states.push_back(state_window);
      retireWindow(merged);
    }
    put(merge.result, merge.state_window);
    // A window that only swallows the new one stays what it was.
    const bool is_same =
        merge.merged_windows.size() == 1 && merge.merged_windows.front() == merge.result;
    if (!is_same) on_merge(std::as_const(merge));
  }

  const WindowAssigner<T, W>& assigner_;
  state::ListCell<VoidNamespace, std::pair<W, W>>& cell_;  // Owned by the backend.
  Windows windows_;
  bool changed_ = false;
};

}  // namespace wiesel::runtime
