#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/connector_api/source.h"

namespace wiesel {

/// A source of given records, in one subtask. How far it has come is in the checkpoint.
/// Flink: FromElementsFunction (1.20).
template <class T>
class CollectionSource final : public Source<T> {
 public:
  explicit CollectionSource(std::vector<T> records)
      : records_(std::make_shared<const std::vector<T>>(std::move(records))) {}

  Boundedness boundedness() const override { return Boundedness::BOUNDED; }
  std::unique_ptr<SourceReader<T>> createReader() const override {
    return std::make_unique<Reader>(records_);
  }

 private:
  class Reader final : public SourceReader<T> {
   public:
    explicit Reader(std::shared_ptr<const std::vector<T>> records) : records_(std::move(records)) {}

    void open(SourceContext& context) override {
      position_ = &context.state->getListState<int64_t>({"position"});
      if (!position_->get().empty()) next_ = position_->get().front();
    }

    PollResult poll(ReaderOutput<T>& output) override {
      const size_t last = std::min(records_->size(), next_ + Collector<T>::kBatchRecords);
      while (next_ < last) output.collect((*records_)[next_++]);
      return next_ == records_->size() ? PollResult::kEnd : PollResult::kMore;
    }

    void snapshotState(int64_t) override { position_->update({static_cast<int64_t>(next_)}); }

   private:
    const std::shared_ptr<const std::vector<T>> records_;  // Shared with the source; immutable.
    size_t next_ = 0;
    OperatorListState<int64_t>* position_ = nullptr;
  };

  std::shared_ptr<const std::vector<T>> records_;  // Shared with the readers; immutable.
};

}  // namespace wiesel
