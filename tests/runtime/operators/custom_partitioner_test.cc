#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operators/operator_failure.h"
#include "runtime/partition/partitioner.h"

namespace wiesel::runtime {
namespace {

constexpr int kChannels = 3;

int itself(const int& record) { return record; }

/// Sends one record through `partitioner`; returns what the failure says, or nothing.
template <class Partitioner>
std::string failureOf(Partitioner partitioner, int record, std::string* type = nullptr) {
  WriterSetup setup;
  for (int i = 0; i < kChannels; ++i) setup.channels.push_back(std::make_shared<ChannelQueue>());
  const auto writer = makeCustomWriter<int>(std::move(setup), partitioner, itself);
  Batch<int> batch;
  batch.values.push_back(record);
  try {
    writer->asInput().processBatch(batch);
  } catch (const OperatorFailure& failure) {
    if (type != nullptr) *type = failure.type();
    return failure.what();
  }
  return "";
}

TEST(CustomPartitionerTest, AChannelThatThereIsNotFailsWithTheNumbers) {
  const auto key_itself = [](int key, int) { return key; };
  EXPECT_EQ(failureOf(key_itself, 2), "");
  EXPECT_EQ(failureOf(key_itself, kChannels),
            "the partitioner of partitionCustom() returned 3 for 3 partitions: it must return a "
            "number from 0 to 2");
  EXPECT_EQ(failureOf(key_itself, -1),
            "the partitioner of partitionCustom() returned -1 for 3 partitions: it must return a "
            "number from 0 to 2");
}

TEST(CustomPartitionerTest, WhatThePartitionerThrowsIsTheUsersFailure) {
  std::string type;
  const auto throwing = [](int, int) -> int { throw std::runtime_error("no such region"); };
  EXPECT_EQ(failureOf(throwing, 1, &type), "no such region");
  EXPECT_EQ(type, "std::runtime_error");
}

}  // namespace
}  // namespace wiesel::runtime
