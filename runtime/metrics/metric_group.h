#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace wiesel::runtime {

/// Counts something. Flink: Counter (1.20).
class Counter {
 public:
  void inc() { ++count_; }
  int64_t getCount() const { return count_; }

 private:
  int64_t count_ = 0;
};

/// Records that an operator dropped since their windows had fired. Flink: WindowOperator (1.20).
inline constexpr std::string_view kNumLateRecordsDropped = "numLateRecordsDropped";

/// What one operator's subtask measures in one attempt, by Flink's names.
///
/// Threads: the task thread only.
/// Flink:   MetricGroup (1.20), of which there are counters so far.
class MetricGroup {
 public:
  /// The counter of that name, 0 at first. The reference holds as long as the group.
  Counter& counter(std::string_view name) { return counters_[std::string(name)]; }

  /// Null when nobody has asked for such a counter.
  const Counter* find(std::string_view name) const {
    const auto known = counters_.find(name);
    return known == counters_.end() ? nullptr : &known->second;
  }

 private:
  std::map<std::string, Counter, std::less<>> counters_;
};

}  // namespace wiesel::runtime
