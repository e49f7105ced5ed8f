#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/serialization/serializer.h"
#include "runtime/functions/function_traits.h"
#include "runtime/operators/operator_failure.h"
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
  kCustom,     // As a user's partitioner says.
};

/// What a writer is made for: one producer subtask of one edge.
struct WriterSetup {
  Partitioning partitioning = Partitioning::kForward;
  std::vector<std::shared_ptr<ChannelQueue>> channels;
  int max_parallelism = 128;             // Of the consumer.
  uint64_t seed = 0;                     // For kShuffle, and for where kRebalance begins.
  size_t batch_records = kBatchRecords;  // How many records for one channel are a full batch.
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

/// Asks a user's partitioner: `partition(key, channels)`, or partitioner.partition(...), gives the
/// channel of a record with that key.
/// Errors: OperatorFailure for what the partitioner throws, and for a channel that there is not.
/// Flink:  CustomPartitionerWrapper (1.20).
template <class T, class Partitioner, class KeySelector>
class SelectByPartitioner {
 public:
  SelectByPartitioner(Partitioner partitioner, KeySelector key_selector, int channels)
      : partitioner_(std::move(partitioner)),
        key_selector_(std::move(key_selector)),
        channels_(channels) {}

  size_t operator()(const T& record) {
    int selected = 0;
    runUserCode(
        "partitionCustom", [&] { selected = ask(invokeKey(key_selector_, record)); }, [] {});
    if (selected < 0 || selected >= channels_) refuse(selected);
    return static_cast<size_t>(selected);
  }

 private:
  template <class Key>
  int ask(const Key& key) {
    if constexpr (requires { partitioner_.partition(key, channels_); }) {
      return partitioner_.partition(key, channels_);
    } else {
      return partitioner_(key, channels_);
    }
  }

  [[noreturn]] void refuse(int selected) const {
    throw OperatorFailure("partitionCustom",
                          "the partitioner of partitionCustom() returned " +
                              std::to_string(selected) + " for " + std::to_string(channels_) +
                              " partitions: it must return a number from 0 to " +
                              std::to_string(channels_ - 1),
                          "std::out_of_range");
  }

  Partitioner partitioner_;
  KeySelector key_selector_;
  const int channels_;
};

/// Makes the writer of an edge that is not partitioned by key and whose partitioning is settled.
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
          std::move(setup.channels), SelectInTurn<T>(first, channels), setup.batch_records);
    }
    case Partitioning::kShuffle:
      return std::make_unique<SelectingWriter<T, SelectAtRandom<T>>>(
          std::move(setup.channels), SelectAtRandom<T>(setup.seed, channels), setup.batch_records);
    case Partitioning::kForward:
    case Partitioning::kGlobal:
      return std::make_unique<SingleChannelWriter<T>>(std::move(setup.channels));
    case Partitioning::kUnset:
    case Partitioning::kHash:
    case Partitioning::kCustom:
      break;
  }
  WIESEL_CHECK(false) << "no writer for partitioning " << static_cast<int>(setup.partitioning);
  return nullptr;
}

/// Makes the writer of an edge behind keyBy().
template <class T, class KeySelector>
std::unique_ptr<RecordWriter> makeKeyedWriter(WriterSetup setup, KeySelector key_selector) {
  using Select = SelectByKeyGroup<T, KeySelector>;
  Select select(std::move(key_selector), static_cast<int>(setup.channels.size()),
                setup.max_parallelism);
  return std::make_unique<SelectingWriter<T, Select>>(std::move(setup.channels), std::move(select),
                                                      setup.batch_records);
}

/// Makes the writer of an edge behind partitionCustom().
template <class T, class Partitioner, class KeySelector>
std::unique_ptr<RecordWriter> makeCustomWriter(WriterSetup setup, Partitioner partitioner,
                                               KeySelector key_selector) {
  using Select = SelectByPartitioner<T, Partitioner, KeySelector>;
  Select select(std::move(partitioner), std::move(key_selector),
                static_cast<int>(setup.channels.size()));
  return std::make_unique<SelectingWriter<T, Select>>(std::move(setup.channels), std::move(select),
                                                      setup.batch_records);
}

}  // namespace wiesel::runtime
