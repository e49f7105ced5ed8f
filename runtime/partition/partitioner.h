#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/serialization/serializer.h"
#include "runtime/functions/function_traits.h"
#include "runtime/partition/record_writer.h"
#include "state/heap/key_hash.h"
#include "state/key_group.h"

namespace wiesel::runtime {

/// How the records of an edge are dealt out to the consumer's subtasks.
enum class Partitioning : uint8_t {
  kUnset,      // Forward when both sides have one parallelism, else rebalance.
  kForward,    // Subtask i to subtask i.
  kRebalance,  // In turn over all subtasks.
  kRescale,    // In turn over the subtasks that belong to the producer.
  kShuffle,    // At random.
  kBroadcast,  // Each record to all.
  kGlobal,     // All records to subtask 0.
  kHash,       // By the key's key group.
};

/// What a writer is made for: one producer subtask of one edge.
struct WriterSetup {
  Partitioning partitioning = Partitioning::kForward;
  std::vector<std::shared_ptr<ChannelQueue>> channels;
  int max_parallelism = 128;  // Of the consumer.
  uint64_t seed = 0;          // For kShuffle, and for where kRebalance begins.
};

/// Flink: KeyGroupStreamPartitioner (1.20).
template <class T, class KeySelector>
class SelectByKeyGroup {
 public:
  SelectByKeyGroup(KeySelector key_selector, int channels, int max_parallelism)
      : key_selector_(std::move(key_selector)),
        channels_(channels),
        max_parallelism_(max_parallelism) {}

  size_t operator()(const T& record) {
    using Key = std::decay_t<decltype(invokeKey(key_selector_, record))>;
    const int32_t hash = Serializer<Key>::hashCode(invokeKey(key_selector_, record));
    return state::subtaskFor(state::keyGroupFor(hash, max_parallelism_), channels_,
                             max_parallelism_);
  }

 private:
  KeySelector key_selector_;
  const int channels_;
  const int max_parallelism_;
};

/// Flink: RebalancePartitioner, RescalePartitioner (1.20).
template <class T>
class SelectInTurn {
 public:
  SelectInTurn(size_t first, size_t channels) : next_(first), channels_(channels) {}
  size_t operator()(const T&) {
    const size_t selected = next_;
    next_ = next_ + 1 == channels_ ? 0 : next_ + 1;
    return selected;
  }

 private:
  size_t next_;
  const size_t channels_;
};

/// Flink: ShufflePartitioner (1.20).
template <class T>
class SelectAtRandom {
 public:
  SelectAtRandom(uint64_t seed, size_t channels) : state_(seed), channels_(channels) {}
  size_t operator()(const T&) {
    state_ += 0x9E3779B97F4A7C15u;
    return state::mixBits(state_) % channels_;
  }

 private:
  uint64_t state_;
  const size_t channels_;
};

/// Makes the writer of an edge that is not partitioned by key.
template <class T>
std::unique_ptr<RecordWriter> makeWriter(WriterSetup setup) {
  const size_t channels = setup.channels.size();
  switch (setup.partitioning) {
    case Partitioning::kBroadcast:
      return std::make_unique<BroadcastWriter<T>>(std::move(setup.channels));
    case Partitioning::kRebalance:
    case Partitioning::kRescale: {
      const size_t first =
          setup.partitioning == Partitioning::kRebalance ? setup.seed % channels : 0;
      return std::make_unique<SelectingWriter<T, SelectInTurn<T>>>(
          std::move(setup.channels), SelectInTurn<T>(first, channels));
    }
    case Partitioning::kShuffle:
      return std::make_unique<SelectingWriter<T, SelectAtRandom<T>>>(
          std::move(setup.channels), SelectAtRandom<T>(setup.seed, channels));
    default:
      return std::make_unique<SingleChannelWriter<T>>(std::move(setup.channels));
  }
}

/// Makes the writer of an edge behind keyBy().
template <class T, class KeySelector>
std::unique_ptr<RecordWriter> makeKeyedWriter(WriterSetup setup, KeySelector key_selector) {
  using Select = SelectByKeyGroup<T, KeySelector>;
  Select select(std::move(key_selector), static_cast<int>(setup.channels.size()),
                setup.max_parallelism);
  return std::make_unique<SelectingWriter<T, Select>>(std::move(setup.channels), std::move(select));
}

}  // namespace wiesel::runtime
