#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/connector_api/source.h"

namespace wiesel {

/// Records that a function makes of their numbers 0, 1, 2, ...: at the same place after a restart,
/// so nothing is lost and nothing comes twice. Split s of P has the numbers s, s + P, s + 2P, ...;
/// P is the parallelism of the first run and stays. A subtask gives its numbers in rising order.
///
/// Units: `count` records in all; `records_per_second` in all, 0 for as fast as it goes.
/// Flink: DataGeneratorSource with RateLimiterStrategy.perSecond (1.20), which deals the numbers
///        out differently.
template <class T>
class DataGeneratorSource final : public Source<T> {
 public:
  /// Called by several subtasks at the same time.
  using Generator = std::function<T(int64_t number)>;

  DataGeneratorSource(Generator generator, int64_t count, double records_per_second = 0)
      : generator_(std::move(generator)), count_(count), records_per_second_(records_per_second) {}

  Boundedness boundedness() const override { return Boundedness::BOUNDED; }
  std::unique_ptr<SourceReader<T>> createReader() const override {
    return std::make_unique<Reader>(generator_, count_, records_per_second_);
  }

 private:
  /// A split: which one of how many, and how many records it has given.
  using Split = std::tuple<int32_t, int32_t, int64_t>;
  static constexpr size_t kGiven = 2;

  static int64_t nextNumber(const Split& split) {
    const auto& [index, stride, given] = split;
    return index + given * stride;
  }

  class Reader final : public SourceReader<T> {
   public:
    Reader(Generator generator, int64_t count, double records_per_second)
        : generator_(std::move(generator)),
          count_(count),
          records_per_second_(records_per_second) {}

    void open(SourceContext& context) override {
      context_ = &context;
      state_ = &context.state->getListState<Split>({"splits"});
      splits_ = state_->get();
      if (!context.is_restored) splits_ = {{context.subtask, context.parallelism, 0}};
      started_ms_ = context.processing_time->currentTimeMs();
    }

    PollResult poll(ReaderOutput<T>& output) override {
      const int64_t budget = budgetNow();
      if (budget <= 0) return waitForBudget();
      for (int64_t i = 0; i < budget; ++i, ++emitted_) {
        Split* split = lowestSplit();
        if (split == nullptr) return PollResult::kEnd;
        output.collect(generator_(nextNumber(*split)));
        ++std::get<kGiven>(*split);
      }
      return PollResult::kMore;
    }

    void snapshotState(int64_t) override { state_->update(splits_); }

   private:
    static constexpr int64_t kBatch = static_cast<int64_t>(Collector<T>::kBatchRecords);
    static constexpr int64_t kWaitMs = 1;

    /// The split whose turn it is, so that a subtask with several keeps the order of the numbers;
    /// null when all have come to their end.
    Split* lowestSplit() {
      Split* lowest = nullptr;
      for (Split& split : splits_) {
        if (nextNumber(split) >= count_) continue;
        if (lowest == nullptr || nextNumber(split) < nextNumber(*lowest)) lowest = &split;
      }
      return lowest;
    }

    /// How many records may be given now, at most a batch.
    int64_t budgetNow() const {
      if (records_per_second_ <= 0) return kBatch;
      const double elapsed_ms =
          static_cast<double>(context_->processing_time->currentTimeMs() - started_ms_);
      const double share = records_per_second_ / context_->parallelism;
      return std::min(kBatch, static_cast<int64_t>(elapsed_ms * share / 1000) - emitted_);
    }

    PollResult waitForBudget() {
      context_->processing_time->registerTimer(context_->processing_time->currentTimeMs() + kWaitMs,
                                               [](int64_t) {});
      return PollResult::kNothing;
    }

    const Generator generator_;
    const int64_t count_;
    const double records_per_second_;
    SourceContext* context_ = nullptr;
    OperatorListState<Split>* state_ = nullptr;
    std::vector<Split> splits_;
    int64_t started_ms_ = 0;
    int64_t emitted_ = 0;  // Since started_ms_.
  };

  Generator generator_;
  int64_t count_;
  double records_per_second_;
};

}  // namespace wiesel
