#include "connectors/datagen/number_sequence_source.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>

namespace wiesel {
namespace {

using Split = NumberSequenceSource::Split;

class Reader final : public SourceReader<int64_t> {
 public:
  Reader(int64_t from, int64_t to) : from_(from), to_(to) {}

  void open(SourceContext& context) override {
    state_ = &context.state->getListState<StoredSplit>({"splits"});
    for (const auto& [next, last] : state_->get()) splits_.push_back({next, last});
    if (context.is_restored) return;
    const std::vector<Split> all = NumberSequenceSource::split(from_, to_, context.parallelism);
    const auto own = static_cast<size_t>(context.subtask);
    if (own < all.size()) splits_.push_back(all[own]);
  }

  PollResult poll(ReaderOutput<int64_t>& output) override {
    for (size_t i = 0; i < Collector<int64_t>::kBatchRecords; ++i) {
      if (splits_.empty()) return PollResult::kEnd;
      Split& split = splits_.front();
      output.collect(split.next);
      if (split.next == split.last) {
        splits_.pop_front();
      } else {
        ++split.next;
      }
    }
    return PollResult::kMore;
  }

  void snapshotState(int64_t) override {
    std::vector<StoredSplit> stored;
    for (const Split& split : splits_) stored.emplace_back(split.next, split.last);
    state_->update(std::move(stored));
  }

 private:
  using StoredSplit = std::pair<int64_t, int64_t>;  // Next, last.

  const int64_t from_;
  const int64_t to_;
  OperatorListState<StoredSplit>* state_ = nullptr;
  std::deque<Split> splits_;
};

}  // namespace

NumberSequenceSource::NumberSequenceSource(int64_t from, int64_t to) : from_(from), to_(to) {
  if (from > to) {
    throw std::invalid_argument("a sequence of numbers needs from <= to, got from " +
                                std::to_string(from) + " to " + std::to_string(to));
  }
}

std::unique_ptr<SourceReader<int64_t>> NumberSequenceSource::createReader() const {
  return std::make_unique<Reader>(from_, to_);
}

// Unsigned, since there may be more than 2^63 numbers; for the same reason it counts from the first
// number to the last: one less than there are.
std::vector<Split> NumberSequenceSource::split(int64_t from, int64_t to, int parts) {
  const auto first = static_cast<uint64_t>(from);
  const uint64_t distance = static_cast<uint64_t>(to) - first;
  const auto divisor = static_cast<uint64_t>(parts);
  const uint64_t share = distance / divisor;
  const uint64_t longer = distance % divisor + 1;  // So many parts have share + 1 numbers.
  std::vector<Split> splits;
  for (uint64_t part = 0; part < divisor; ++part) {
    const uint64_t size = share + (part < longer ? 1 : 0);  // 0 also for 2^64 of them.
    if (size == 0 && share == 0) break;
    const uint64_t begin = first + part * share + std::min(part, longer);
    splits.push_back({static_cast<int64_t>(begin), static_cast<int64_t>(begin + size - 1)});
  }
  return splits;
}

}  // namespace wiesel
