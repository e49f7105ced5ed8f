#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/connector_api/source.h"

namespace wiesel {

/// The whole numbers from `from` to `to`, both included, without timestamps. Each subtask of the
/// first run gets a stretch of neighbours, those of the first subtasks one longer where the count
/// does not divide; it gives them in rising order. How far each stretch has come is in the
/// checkpoint, and after a change of parallelism the stretches are dealt out anew, as they are.
///
/// Errors: std::invalid_argument when `from` is above `to`.
/// Flink:  NumberSequenceSource (1.20).
class NumberSequenceSource final : public Source<int64_t> {
 public:
  /// A stretch; it is never empty.
  struct Split {
    int64_t next = 0;
    int64_t last = 0;

    friend bool operator==(const Split&, const Split&) = default;
  };

  NumberSequenceSource(int64_t from, int64_t to);

  Boundedness boundedness() const override { return Boundedness::BOUNDED; }
  std::unique_ptr<SourceReader<int64_t>> createReader() const override;

  /// The stretches of `parts` subtasks, without the empty ones.
  static std::vector<Split> split(int64_t from, int64_t to, int parts);

 private:
  int64_t from_;
  int64_t to_;
};

}  // namespace wiesel
