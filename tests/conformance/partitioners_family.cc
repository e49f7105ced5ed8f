#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/keyed_stream.h"
#include "api/testing/program_harness.h"
#include "runtime/graph/edge_channels.h"
#include "runtime/graph/job_plan.h"
#include "tests/conformance/families.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using Difference = std::optional<std::string>;

/// The recorder's partitioner: the key's length.
struct ByLength {
  int partition(const std::string& key, int partitions) const {
    return static_cast<int>(key.size()) % partitions;
  }
};

std::string itself(const std::string& record) { return record; }

/// A program whose only edge deals its records out as the row says.
void writeProgram(const json& row, const DataStream<std::string>& records) {
  const std::string partitioner = row.at("partitioner");
  // A chain has no edges.
  const auto consume = [&row](const auto& dealt_out) {
    auto consumer = dealt_out.map(itself);
    consumer.setParallelism(row.at("channels")).disableChaining();
    if (!row.at("maxParallelism").is_null()) consumer.setMaxParallelism(row.at("maxParallelism"));
  };
  if (partitioner == "rebalance") return consume(records.rebalance());
  if (partitioner == "rescale") return consume(records.rescale());
  if (partitioner == "global") return consume(records.global());
  if (partitioner == "forward") return consume(records.forward());
  if (partitioner == "shuffle") return consume(records.shuffle());
  if (partitioner == "broadcast") return consume(records.broadcast());
  if (partitioner == "custom") return consume(records.partitionCustom(ByLength{}, itself));
  if (partitioner == "keyGroup") return consume(records.keyBy(itself));
  throw std::invalid_argument("the partitioner " + partitioner + " is not known to this runner");
}

runtime::JobPlan planOf(const json& row) {
  testing::ProgramHarness harness;
  const auto records = harness.addInput<std::string>();
  writeProgram(row, records);
  auto plan =
      runtime::planJob(records.upstream().program->graph(), Configuration(), "partitioners");
  if (!plan.ok()) throw std::runtime_error(std::string(plan.status().message()));
  return *std::move(plan);
}

/// The writer of the plan's one edge, and the channels that it writes to.
struct Edge {
  explicit Edge(const json& row) {
    const runtime::JobPlan plan = planOf(row);
    const runtime::OutputPlan& output = plan.vertices.front().outputs.front();
    for (int i = 0; i < row.at("channels").get<int>(); ++i) {
      channels.push_back(std::make_shared<runtime::ChannelQueue>());
    }
    runtime::WriterSetup setup;
    setup.partitioning = output.edge.partitioning;
    setup.channels = channels;
    setup.max_parallelism = output.consumer_max_parallelism;
    setup.seed = 42;
    writer = output.edge.make_writer(std::move(setup));
    const runtime::proto::JobEdge& edge = plan.graph.vertices(1).inputs(0);
    pointwise = edge.distribution() == runtime::proto::POINTWISE;
    broadcast = edge.ship_strategy() == "BROADCAST";
  }

  /// The channels that a record goes to.
  std::vector<int> send(const std::string& record) {
    runtime::Batch<std::string> batch;
    batch.values.push_back(record);
    writer->asInput().processBatch(batch);
    writer->flush();
    std::vector<int> selected;
    for (size_t channel = 0; channel < channels.size(); ++channel) {
      while (channels[channel]->pop()) selected.push_back(static_cast<int>(channel));
    }
    return selected;
  }

  std::vector<std::shared_ptr<runtime::ChannelQueue>> channels;  // Shared with the writer.
  std::unique_ptr<runtime::RecordWriter> writer;
  bool pointwise = false;
  bool broadcast = false;
};

Difference compareChannels(const json& row) {
  Edge edge(row);
  if (edge.pointwise != row.at("pointwise")) return "the edge's distribution differs";
  if (edge.broadcast != row.at("broadcast")) return "the edge's ship strategy differs";
  const int channels = row.at("channels");
  std::optional<int> first;
  for (size_t i = 0; i < row.at("records").size(); ++i) {
    const std::string record = row.at("records").at(i);
    const json& expected = row.at("selected").at(i);
    const std::vector<int> selected = edge.send(record);
    if (expected == "all") {
      if (static_cast<int>(selected.size()) == channels) continue;
      return record + ": went to " + std::to_string(selected.size()) + " channels";
    }
    if (selected.size() != 1) {
      return record + ": went to " + std::to_string(selected.size()) + " channels, not to one";
    }
    if (!first) first = row.at("relativeToFirst").get<bool>() ? selected.front() : 0;
    const int got = (selected.front() - *first + channels) % channels;
    if (!expected.is_null() && got != expected) {
      return record + ": expected channel " + expected.dump() + ", got " + std::to_string(got);
    }
  }
  return std::nullopt;
}

Difference comparePointwise(const json& row) {
  const int producers = row.at("upstream");
  const int consumers = row.at("downstream");
  std::vector<int> channels_of_producer(producers, 0);
  for (const json& edge : row.at("edges")) {
    const int consumer = edge.at("consumer");
    const runtime::ConsumerChannels got =
        runtime::channelsOfConsumer(runtime::proto::POINTWISE, producers, consumers, consumer);
    const json got_edge = {{"consumer", consumer},
                           {"producers", {got.first_producer, got.last_producer}},
                           {"channelAtProducer", got.subpartition}};
    if (got_edge != edge) return "expected " + edge.dump() + ", got " + got_edge.dump();
    for (int producer = got.first_producer; producer <= got.last_producer; ++producer) {
      ++channels_of_producer[producer];
    }
  }
  for (int producer = 0; producer < producers; ++producer) {
    const int got =
        runtime::subpartitionsOfProducer(runtime::proto::POINTWISE, producers, consumers, producer);
    if (got != channels_of_producer[producer]) {
      return "producer " + std::to_string(producer) + " has " + std::to_string(got) +
             " channels, but " + std::to_string(channels_of_producer[producer]) + " consumers";
    }
  }
  return std::nullopt;
}

Difference replay(const json& row, Backend) {
  const std::string table = row.at("table");
  if (table == "channels") return compareChannels(row);
  if (table == "pointwiseEdges") return comparePointwise(row);
  return "the table " + table + " is not known to this runner";
}

}  // namespace

Family partitionersFamily() { return {.name = "partitioners", .replay = replay}; }

}  // namespace wiesel::conformance
