#include "runtime/graph/edge_channels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace wiesel::runtime {
namespace {

struct Edge {
  int32_t first_producer;
  int32_t last_producer;
  int32_t subpartition;

  bool operator==(const Edge&) const = default;
};

struct Rule {
  int32_t producers;
  int32_t consumers;
  std::vector<Edge> consumer_edges;    // Of each consumer.
  std::vector<int32_t> subpartitions;  // Of each producer.
};

// As recorded from Flink 1.20 (EdgeManagerBuildUtil).
std::vector<Rule> pointwiseRules() {
  return {
      {1, 1, {{0, 0, 0}}, {1}},
      {1, 3, {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, {3}},
      {2, 2, {{0, 0, 0}, {1, 1, 0}}, {1, 1}},
      {4, 2, {{0, 1, 0}, {2, 3, 0}}, {1, 1, 1, 1}},
      {5, 2, {{0, 1, 0}, {2, 4, 0}}, {1, 1, 1, 1, 1}},
      {2, 4, {{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}}, {2, 2}},
      // The second producer's channels are not in the order of its consumers.
      {2, 5, {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 1, 1}, {1, 1, 0}}, {3, 2}},
      {3, 4, {{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {2, 2, 0}}, {2, 1, 1}},
  };
}

TEST(EdgeChannelsTest, PointwiseGivesRangesAsFlinkDoes) {
  for (const Rule& rule : pointwiseRules()) {
    SCOPED_TRACE(std::to_string(rule.producers) + " to " + std::to_string(rule.consumers));
    for (int32_t consumer = 0; consumer < rule.consumers; ++consumer) {
      const ConsumerChannels channels =
          channelsOfConsumer(proto::POINTWISE, rule.producers, rule.consumers, consumer);
      const Edge edge = {channels.first_producer, channels.last_producer, channels.subpartition};
      EXPECT_EQ(edge, rule.consumer_edges[consumer]) << "consumer " << consumer;
    }
    for (int32_t producer = 0; producer < rule.producers; ++producer) {
      EXPECT_EQ(subpartitionsOfProducer(proto::POINTWISE, rule.producers, rule.consumers, producer),
                rule.subpartitions[producer])
          << "producer " << producer;
    }
  }
}

TEST(EdgeChannelsTest, EverySubpartitionHasExactlyOneConsumer) {
  for (const proto::Distribution distribution : {proto::POINTWISE, proto::ALL_TO_ALL}) {
    for (int32_t producers = 1; producers <= 12; ++producers) {
      for (int32_t consumers = 1; consumers <= 12; ++consumers) {
        std::vector<std::vector<int>> readers;
        for (int32_t producer = 0; producer < producers; ++producer) {
          readers.emplace_back(
              subpartitionsOfProducer(distribution, producers, consumers, producer), 0);
        }
        for (int32_t consumer = 0; consumer < consumers; ++consumer) {
          const auto channels = channelsOfConsumer(distribution, producers, consumers, consumer);
          for (int32_t p = channels.first_producer; p <= channels.last_producer; ++p) {
            ++readers.at(p).at(channels.subpartition);
          }
        }
        for (const std::vector<int>& of_producer : readers) {
          EXPECT_EQ(of_producer, std::vector<int>(of_producer.size(), 1))
              << producers << " to " << consumers;
        }
      }
    }
  }
}

TEST(EdgeChannelsTest, AllToAllConnectsEverybody) {
  const ConsumerChannels channels = channelsOfConsumer(proto::ALL_TO_ALL, 3, 2, 1);
  EXPECT_EQ(channels.first_producer, 0);
  EXPECT_EQ(channels.last_producer, 2);
  EXPECT_EQ(channels.subpartition, 1);
  EXPECT_EQ(subpartitionsOfProducer(proto::ALL_TO_ALL, 3, 2, 0), 2);
}

}  // namespace
}  // namespace wiesel::runtime
