#pragma once

#include <cstdint>

#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// Which producer subtasks a consumer subtask reads over one edge, and through which channel of
/// each.
struct ConsumerChannels {
  int32_t first_producer = 0;
  int32_t last_producer = 0;  // Inclusive.
  int32_t subpartition = 0;   // The consumer's channel index at each of these producers.
};

/// Flink: EdgeManagerBuildUtil (1.20): ALL_TO_ALL connects everybody; POINTWISE gives each subtask
/// of the smaller side a range of the larger side. Requires 0 <= consumer < consumers, producers
/// >= 1.
ConsumerChannels channelsOfConsumer(proto::Distribution distribution, int32_t producers,
                                    int32_t consumers, int32_t consumer);

/// How many channels `producer` has on an output with this distribution, one for each consumer
/// subtask that reads from it.
int32_t subpartitionsOfProducer(proto::Distribution distribution, int32_t producers,
                                int32_t consumers, int32_t producer);

}  // namespace wiesel::runtime
