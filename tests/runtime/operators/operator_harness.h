#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/testing/harness_state.h"
#include "api/testing/program_subtask.h"
#include "runtime/graph/stream_graph.h"
#include "tests/runtime/operators/recording_input.h"

namespace wiesel::runtime {

/// Runs one operator of In records and Out results alone, which the program harness of the API
/// would give no whole batches. The clock begins at 1,000.
template <class In, class Out>
class OperatorHarness {
 public:
  using Lines = std::vector<std::string>;

  explicit OperatorHarness(std::function<std::unique_ptr<StreamOperator>()> make_operator) {
    program_.nodes.resize(2);
    program_.nodes[0].name = "input";
    StreamNode& node = program_.nodes[1];
    node.name = "operator";
    node.make_operator = std::move(make_operator);
    node.inputs.emplace_back();
    begin({});
  }

  /// One batch of records with timestamps.
  void records(const std::vector<std::pair<In, int64_t>>& records) {
    Batch<In> batch;
    batch.has_timestamps = true;
    for (const auto& [value, timestamp_ms] : records) {
      batch.values.push_back(value);
      batch.timestamps_ms.push_back(timestamp_ms);
    }
    input_->emitBatch(batch);
  }

  /// One batch of records without.
  void recordsWithoutTimestamp(std::vector<In> values) {
    Batch<In> batch;
    batch.values = std::move(values);
    input_->emitBatch(batch);
  }

  /// As a task does it: an operator that stops half way is resumed.
  void watermark(int64_t watermark_ms) {
    input_->emitWatermark(watermark_ms);
    subtask_->drain();
  }

  /// Takes a snapshot, throws the operator away and restores a fresh one from it, with a fresh
  /// clock.
  void snapshotAndRestore() {
    testing::SubtaskSetup setup;
    testing::restoreFrom(1, {subtask_->snapshot(1)}, setup, scratch_);
    begin(std::move(setup));
  }

  /// What was put out since the last call.
  Lines take() { return std::exchange(output_.lines, {}); }

  testing::ManualProcessingTime& clock() { return subtask_->clock(); }

 private:
  void begin(testing::SubtaskSetup setup) {
    setup.now_ms = 1000;
    input_ = std::make_unique<Output<In>>();
    subtask_ = std::make_unique<testing::ProgramSubtask>(
        program_, std::vector<OutputBase*>{input_.get(), nullptr}, std::move(setup));
    subtask_->output(1).addTarget(output_);
    subtask_->open();
  }

  StreamGraph program_;  // The input, then the operator.
  testing::ScratchDirectory scratch_;
  RecordingInput<Out> output_;
  std::unique_ptr<Output<In>> input_;
  std::unique_ptr<testing::ProgramSubtask> subtask_;  // The last to be made, the first to go.
};

}  // namespace wiesel::runtime
