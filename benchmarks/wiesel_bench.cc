// Runs one workload of the benchmark through the real API, operators and exchanges, in an embedded
// cluster, and prints its figures as one line of JSON.

#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "benchmarks/bench_measurement.h"
#include "benchmarks/bench_records.h"
#include "wiesel/wiesel.h"

namespace wiesel::benchmarks {
namespace {

constexpr char kUsage[] =
    "usage: wiesel_bench W1|W2|W3 --n N [--p P] [--backend hashmap|rocksdb] [--ckpt MS]\n"
    "                    [--bufto MS] [--rate R] [--keys K] [-D key=value]...\n"
    "W1: generate, map, filter, sink in one chain. W2: running count per key. W3: sum per key and\n"
    "tumbling window of ten seconds.\n";

struct Options {
  std::string workload;
  int64_t records = 0;
  int parallelism = 1;
  int64_t keys = 0;  // 0: the workload's own.
  double rate = 0;
};

/// Makes the workload's records and tells the measurement how far it is.
class MeasuredGenerator {
 public:
  MeasuredGenerator(EvGenerator generator, const Options& options,
                    std::shared_ptr<Measurement> measurement)
      : generator_(generator),
        parallelism_(options.parallelism),
        warm_from_((options.records / options.parallelism / 3) * options.parallelism),
        measurement_(std::move(measurement)) {}

  Ev operator()(int64_t n) const {
    if (n < parallelism_) measurement_->sourceStarted();
    if (n >= warm_from_ && n < warm_from_ + parallelism_) measurement_->sourceWarm();
    return generator_(n);
  }

 private:
  EvGenerator generator_;
  int64_t parallelism_;
  int64_t warm_from_;  // Each subtask makes one record from here on that ends its first third.
  std::shared_ptr<Measurement> measurement_;  // Shared by all subtasks.
};

/// Sums up the hashes of a subtask's results.
template <class T, class Hash>
class ChecksumSink : public RichFunction {
 public:
  ChecksumSink(Hash hash, std::shared_ptr<Measurement> measurement)
      : hash_(std::move(hash)), measurement_(std::move(measurement)) {}

  void invoke(const T& value) {
    checksum_ += hash_(value);
    ++outputs_;
  }
  void close() override { measurement_->sinkEnded(checksum_, outputs_); }

 private:
  Hash hash_;
  std::shared_ptr<Measurement> measurement_;  // Shared by all subtasks.
  uint64_t checksum_ = 0;
  int64_t outputs_ = 0;
};

template <class T, class Hash>
void addChecksumSink(const DataStream<T>& stream, Hash hash,
                     const std::shared_ptr<Measurement>& measurement) {
  stream.addSink(ChecksumSink<T, Hash>(std::move(hash), measurement));
}

/// How many records of its key a record is, after itself.
class RunningCount : public RichFunction {
 public:
  void open(const OpenContext&) override {
    count_ = getRuntimeContext().getState<int64_t>({"count"});
  }
  std::pair<int64_t, int64_t> map(const Ev& event) { return {event.k, ++count_.getOrInsert(0)}; }

 private:
  ValueState<int64_t> count_;
};

DataStream<Ev> events(const StreamExecutionEnvironment& env, const Options& options,
                      EvGenerator generator, const std::shared_ptr<Measurement>& measurement) {
  if (options.keys > 0) generator.keys = static_cast<uint64_t>(options.keys);
  return env.fromSource(DataGeneratorSource<Ev>(MeasuredGenerator(generator, options, measurement),
                                                options.records, options.rate),
                        "events");
}

void buildW1(const StreamExecutionEnvironment& env, const Options& options,
             const std::shared_ptr<Measurement>& measurement) {
  const auto mapped = events(env, options, EvGenerator{}, measurement)
                          .map([](Ev&& event) {
                            event.v = event.v * 31 + event.k;
                            return event;
                          })
                          .filter([](const Ev& event) { return (event.v & 3) != 0; });
  addChecksumSink(
      mapped,
      [](const Ev& event) {
        return resultHash(static_cast<uint64_t>(event.k), static_cast<uint64_t>(event.v));
      },
      measurement);
}

void buildW2(const StreamExecutionEnvironment& env, const Options& options,
             const std::shared_ptr<Measurement>& measurement) {
  addChecksumSink(
      events(env, options, EvGenerator{}, measurement).keyBy(&Ev::k).map(RunningCount()),
      [](const std::pair<int64_t, int64_t>& result) {
        return resultHash(static_cast<uint64_t>(result.first),
                          static_cast<uint64_t>(result.second));
      },
      measurement);
}

void buildW3(const StreamExecutionEnvironment& env, const Options& options,
             const std::shared_ptr<Measurement>& measurement) {
  constexpr int64_t kLateMs = 1000;
  using Sum = std::tuple<int64_t, int64_t, int64_t>;  // Key, window end, sum.
  EvGenerator generator;
  generator.keys = 100'000;
  generator.late_ms = kLateMs;
  const auto sums =
      events(env, options, generator, measurement)
          .assignTimestampsAndWatermarks(
              WatermarkStrategy<Ev>::forBoundedOutOfOrderness(std::chrono::milliseconds(kLateMs))
                  .withTimestampAssigner([](const Ev& event, int64_t) { return event.t; }))
          .keyBy(&Ev::k)
          .window(TumblingEventTimeWindows::of(std::chrono::seconds(10)))
          .reduce(
              [](const Ev& left, const Ev& right) {
                return Ev{left.k, left.v + right.v, left.t};
              },
              [](const int64_t& key, const TimeWindow& window, const Ev& sum, Collector<Sum>& out) {
                out.collect({key, window.getEnd(), sum.v});
              });
  addChecksumSink(
      sums,
      [](const Sum& sum) {
        const auto& [key, end_ms, value] = sum;
        return resultHash(static_cast<uint64_t>(key), static_cast<uint64_t>(end_ms),
                          static_cast<uint64_t>(value));
      },
      measurement);
}

Options optionsOf(const std::string& workload, const ParameterTool& args) {
  if (workload != "W1" && workload != "W2" && workload != "W3") {
    throw std::invalid_argument("workload '" + workload + "' is not in this version");
  }
  Options options;
  options.workload = workload;
  options.records = args.getLong("n", 0);
  options.parallelism = static_cast<int>(args.getLong("p", workload == "W1" ? 1 : 2));
  options.keys = args.getLong("keys", 0);
  options.rate = static_cast<double>(args.getLong("rate", 0));
  if (options.records < 1) throw std::invalid_argument("--n N with N >= 1 is missing");
  if (options.parallelism < 1) throw std::invalid_argument("--p needs a number from 1 on");
  return options;
}

void run(const Options& options, const ParameterTool& args) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment(args.configuration());
  env.setParallelism(options.parallelism);
  env.setStateBackend(args.get("backend", "hashmap"));
  const std::chrono::milliseconds checkpoint_interval(args.getLong("ckpt", 0));
  if (checkpoint_interval.count() > 0) env.enableCheckpointing(checkpoint_interval);
  if (args.has("bufto")) env.setBufferTimeout(std::chrono::milliseconds(args.getLong("bufto", 0)));
  const auto measurement = std::make_shared<Measurement>(options.records);
  if (options.workload == "W1") buildW1(env, options, measurement);
  if (options.workload == "W2") buildW2(env, options, measurement);
  if (options.workload == "W3") buildW3(env, options, measurement);
  env.execute(options.workload);
  const std::string extra = ",\"backend\":\"" + args.get("backend", "hashmap") + "\"";
  std::puts(measurement->report(options.workload, options.parallelism, extra).c_str());
}

}  // namespace
}  // namespace wiesel::benchmarks

int main(int argc, char** argv) {
  using wiesel::ParameterTool;
  const std::string workload = argc > 1 ? argv[1] : "";
  ParameterTool args;
  wiesel::benchmarks::Options options;
  try {
    if (argc > 1) args = ParameterTool::fromArgs(argc - 1, argv + 1);
    args.allowOnly({"n", "p", "backend", "ckpt", "bufto", "rate", "keys"});
    options = wiesel::benchmarks::optionsOf(workload, args);
  } catch (const std::invalid_argument& error) {
    std::cerr << "wiesel_bench: " << error.what() << "\n" << wiesel::benchmarks::kUsage;
    return 2;
  }
  wiesel::benchmarks::run(options, args);
}
