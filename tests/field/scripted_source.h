#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wiesel/wiesel.h"

namespace wiesel::field {

/// A row of the cases. Its time is event time in milliseconds.
struct Row {
  std::string key;
  std::string value;
  int64_t time_ms = 0;
};
WIESEL_DESCRIBE(Row, key, value, time_ms)

/// Watermarks at the end of the input only.
inline WatermarkStrategy<Row> onlyAtTheEnd() {
  return WatermarkStrategy<Row>::noWatermarks().withTimestampAssigner(
      [](const Row& row, int64_t) { return row.time_ms; });
}
/// The case's bounded(delay).
inline WatermarkStrategy<Row> bounded(int64_t delay_ms) {
  return WatermarkStrategy<Row>::forBoundedOutOfOrderness(std::chrono::milliseconds(delay_ms))
      .withTimestampAssigner([](const Row& row, int64_t) { return row.time_ms; });
}

/// Splits of rows; subtask i of n reads the splits i, i + n, i + 2n, ... Rows come when
/// `may_begin` says so, and the source stays open until `may_end` does.
class ScriptedSource final : public Source<Row> {
 public:
  struct Script {
    std::vector<std::vector<Row>> splits;
    std::function<bool()> may_begin = [] { return true; };
    std::function<bool()> may_end = [] { return true; };
  };

  explicit ScriptedSource(Script script)
      : script_(std::make_shared<const Script>(std::move(script))) {}

  Boundedness boundedness() const override { return Boundedness::CONTINUOUS_UNBOUNDED; }
  std::unique_ptr<SourceReader<Row>> createReader() const override {
    return std::make_unique<Reader>(script_);
  }

 private:
  class Reader final : public SourceReader<Row> {
   public:
    explicit Reader(std::shared_ptr<const Script> script) : script_(std::move(script)) {}

    void open(SourceContext& context) override { context_ = &context; }

    PollResult poll(ReaderOutput<Row>& output) override {
      // The splits are there, and hold time back, before their rows are.
      for (const size_t split : ownSplits()) output.createOutputForSplit(std::to_string(split));
      if (!has_begun_ && script_->may_begin()) begin(output);
      if (has_begun_ && script_->may_end()) return PollResult::kEnd;
      auto& clock = *context_->processing_time;
      clock.registerTimer(clock.currentTimeMs() + kPollAgainMs, [](int64_t) {});
      return PollResult::kNothing;
    }
    bool readsSplits() const override { return true; }
    void snapshotState(int64_t) override {}

   private:
    static constexpr int64_t kPollAgainMs = 5;

    std::vector<size_t> ownSplits() const {
      std::vector<size_t> own;
      for (size_t split = context_->subtask; split < script_->splits.size();
           split += context_->parallelism) {
        own.push_back(split);
      }
      return own;
    }

    void begin(ReaderOutput<Row>& output) {
      has_begun_ = true;
      for (const size_t split : ownSplits()) {
        auto& split_output = output.createOutputForSplit(std::to_string(split));
        for (const Row& row : script_->splits[split]) split_output.collect(row);
      }
    }

    const std::shared_ptr<const Script> script_;  // Shared by the subtasks.
    SourceContext* context_ = nullptr;
    bool has_begun_ = false;
  };

  std::shared_ptr<const Script> script_;  // Shared with the readers.
};

/// The case's "count": "key,[start,end),n" of each window.
template <class Rows, class Assigner>
auto count(const Rows& rows, Assigner assigner) {
  return rows.keyBy(&Row::key).window(assigner).apply(
      [](const std::string& key, const TimeWindow& window, std::span<const Row> in_window,
         Collector<std::string>& out) {
        out.collect(key + ",[" + std::to_string(window.start_ms) + "," +
                    std::to_string(window.end_ms) + ")," + std::to_string(in_window.size()));
      });
}

}  // namespace wiesel::field
