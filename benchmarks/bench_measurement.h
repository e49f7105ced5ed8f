#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace wiesel::benchmarks {

/// What one run is measured by. Wall and CPU time are taken when the first record is made, when the
/// last source has passed a third of its records, and at the end.
///
/// Threads: thread-safe; subtasks report now and then, not for every record.
class Measurement {
 public:
  explicit Measurement(int64_t records) : records_(records) {}

  /// A source subtask makes its first record.
  void sourceStarted();
  /// A source subtask has passed a third of its records; the last one to say so counts.
  void sourceWarm();
  /// A sink subtask has had its last result.
  void sinkEnded(uint64_t checksum, int64_t outputs);

  /// One line of JSON, after the job's end. `extra` is put in as it is.
  std::string report(const std::string& workload, int parallelism, const std::string& extra) const;

 private:
  struct Moment {
    double wall_s = 0;
    double cpu_s = 0;
  };
  static Moment now();

  const int64_t records_;
  mutable std::mutex mutex_;
  bool started_ = false;  // Guarded by mutex_, as all below.
  Moment first_;
  Moment warm_;
  Moment last_;
  uint64_t checksum_ = 0;
  int64_t outputs_ = 0;
};

}  // namespace wiesel::benchmarks
