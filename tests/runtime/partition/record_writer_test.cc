#include "runtime/partition/record_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/partition/partitioner.h"

namespace wiesel::runtime {
namespace {

using Strings = std::vector<std::string>;

Batch<std::string> batchOf(Strings values) {
  Batch<std::string> batch;
  batch.values = std::move(values);
  return batch;
}

class RecordWriterTest : public ::testing::Test {
 protected:
  std::vector<std::shared_ptr<ChannelQueue>> channels_{std::make_shared<ChannelQueue>(),
                                                       std::make_shared<ChannelQueue>(),
                                                       std::make_shared<ChannelQueue>()};

  std::unique_ptr<RecordWriter> writer(Partitioning partitioning,
                                       size_t batch_records = kBatchRecords) {
    WriterSetup setup;
    setup.batch_records = batch_records;
    setup.partitioning = partitioning;
    setup.channels = channels_;
    return makeWriter<std::string>(std::move(setup));
  }

  /// The next batch of a channel; null when none waits.
  std::unique_ptr<Batch<std::string>> next(size_t channel) {
    auto element = channels_[channel]->pop();
    if (!element) return nullptr;
    return std::unique_ptr<Batch<std::string>>(
        static_cast<Batch<std::string>*>(element->batch.release()));
  }

  Strings nextValues(size_t channel) {
    const auto batch = next(channel);
    return batch ? batch->values : Strings();
  }
};

TEST_F(RecordWriterTest, BroadcastGivesAllRecordsToEveryChannelAndTheLastOneTakesTheBatch) {
  Batch<std::string> batch = batchOf({"a", "b"});
  batch.has_timestamps = true;
  batch.timestamps_ms = {1, 2};
  const std::string* const values = batch.values.data();
  writer(Partitioning::kBroadcast)->asInput().processBatch(batch);
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    const auto sent = next(channel);
    ASSERT_NE(sent, nullptr) << channel;
    EXPECT_EQ(sent->values, (Strings{"a", "b"}));
    EXPECT_EQ(sent->timestamps_ms, (std::vector<int64_t>{1, 2}));
    EXPECT_TRUE(sent->has_timestamps);
    EXPECT_EQ(sent->values.data() == values, channel == 2) << channel;
  }
}

TEST_F(RecordWriterTest, OneChannelGetsBatchesAsTheyCome) {
  Batch<std::string> batch = batchOf({"a"});
  writer(Partitioning::kGlobal)->asInput().processBatch(batch);
  EXPECT_EQ(nextValues(0), Strings{"a"});
  EXPECT_EQ(next(1), nullptr);
}

TEST_F(RecordWriterTest, RecordsThatAreDealtOutWaitForAFullBatchOrAFlush) {
  const auto rebalance = writer(Partitioning::kRebalance);
  Batch<std::string> batch = batchOf({"a", "b", "c", "d"});
  rebalance->asInput().processBatch(batch);
  EXPECT_EQ(next(0), nullptr);
  rebalance->flush();
  EXPECT_EQ(nextValues(0), (Strings{"a", "d"}));
  EXPECT_EQ(nextValues(1), Strings{"b"});
  EXPECT_EQ(nextValues(2), Strings{"c"});

  Batch<std::string> many = batchOf(Strings(3 * kBatchRecords, "x"));
  rebalance->asInput().processBatch(many);
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    EXPECT_EQ(nextValues(channel).size(), kBatchRecords);
  }
}

TEST_F(RecordWriterTest, BatchesOfOneRecordDoNotWait) {
  Batch<std::string> batch = batchOf({"a", "b", "c", "d"});
  writer(Partitioning::kRebalance, 1)->asInput().processBatch(batch);
  EXPECT_EQ(nextValues(0), Strings{"a"});
  EXPECT_EQ(nextValues(0), Strings{"d"});
  EXPECT_EQ(nextValues(1), Strings{"b"});
}

TEST_F(RecordWriterTest, AnEdgeByKeyHasAWriterOfItsOwn) {
  EXPECT_DEATH(writer(Partitioning::kHash), "no writer for partitioning 7");
  EXPECT_DEATH(writer(Partitioning::kUnset), "no writer for partitioning 0");
}

}  // namespace
}  // namespace wiesel::runtime
