// Sums by key and window whose every line is in the output exactly once, whatever is killed
// meanwhile.
//
// The source makes its records from their numbers and has its position in the checkpoint; the sink
// shows only what a complete checkpoint holds. So the output of a run with failures is that of a
// run without.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>

#include "examples/arguments.h"
#include "wiesel/wiesel.h"

namespace examples {

constexpr char kUsage[] =
    "usage: exactly_once_windows --records N --output DIR [--rate R=0] [--keys K=100]\n"
    "                            [--checkpoint-dir URI] [--checkpoint-interval MS=1000]\n"
    "                            [--parallelism P=1] [-D key=value]...\n"
    "Makes N records, R a second (0: as fast as it goes), with K keys, and writes the sum of each "
    "key\n"
    "and window of ten seconds to part files in DIR, as lines k,windowEnd,sum.\n";

/// A record of the benchmarks: key, value, event time in milliseconds.
struct Ev {
  int64_t k = 0;
  int64_t v = 0;
  int64_t t = 0;
};
WIESEL_DESCRIBE(Ev, k, v, t)

constexpr std::chrono::milliseconds kOutOfOrderness{1000};

struct Options {
  int64_t records = 0;
  int64_t rate = 0;
  int64_t keys = 0;
  std::string output;
  std::string checkpoint_directory;  // Empty: no checkpoints.
  std::chrono::milliseconds checkpoint_interval{0};
  int parallelism = 0;                  // 0: not given.
  wiesel::Configuration configuration;  // What was given with -D.
};

/// Output number `n` of splitmix64 that starts at `seed`.
uint64_t randomNumber(uint64_t seed, uint64_t n) {
  uint64_t z = seed + (n + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// Record `n`: event time advances by a millisecond a record, minus up to a second.
Ev makeEvent(int64_t n, int64_t keys) {
  constexpr uint64_t kSeed = 42;
  constexpr int64_t kFirstMs = 60000;
  const uint64_t random = randomNumber(kSeed, static_cast<uint64_t>(n));
  const auto delay = static_cast<uint64_t>(kOutOfOrderness.count());
  const uint64_t late_ms = (((random >> 16) & 0xFFFF) * delay) >> 16;
  return {static_cast<int64_t>(((random >> 32) * static_cast<uint64_t>(keys)) >> 32),
          static_cast<int64_t>(random & 0xFFFF), kFirstMs + n - static_cast<int64_t>(late_ms)};
}

Ev addValues(const Ev& left, const Ev& right) { return {left.k, left.v + right.v, left.t}; }

void writeLine(const int64_t& key, const wiesel::TimeWindow& window, const Ev& sum,
               wiesel::Collector<std::string>& out) {
  out.collect(std::to_string(key) + "," + std::to_string(window.getEnd()) + "," +
              std::to_string(sum.v));
}

/// Prints when its subtask gets its first result: how long a recovery took can be read from it.
class StampFirstResult : public wiesel::RichFunction {
 public:
  std::string map(std::string&& line) {
    if (!stamped_) stamp();
    return std::move(line);
  }

 private:
  void stamp() {
    stamped_ = true;
    using std::chrono::system_clock;
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        system_clock::now().time_since_epoch());
    wiesel::RuntimeContext& context = getRuntimeContext();
    context.printLine("first result " + std::to_string(now.count()) + " attempt " +
                      std::to_string(context.getAttemptNumber()) + " subtask " +
                      std::to_string(context.getIndexOfThisSubtask()));
  }

  bool stamped_ = false;
};

/// The program's own settings; -D and config.yaml come before those that are only its defaults.
void configure(wiesel::StreamExecutionEnvironment& env, const Options& options) {
  const wiesel::Configuration given = env.getConfiguration();
  if (options.parallelism > 0 && !options.configuration.contains("parallelism.default")) {
    env.setParallelism(options.parallelism);
  }
  auto restart = wiesel::RestartStrategies::fixedDelayRestart(std::numeric_limits<int>::max(),
                                                              std::chrono::milliseconds(0));
  if (given.contains("restart-strategy")) restart.erase("restart-strategy.type");
  std::erase_if(restart, [&given](const auto& entry) { return given.contains(entry.first); });
  env.setRestartStrategy(restart);
  if (options.checkpoint_directory.empty()) return;
  if (!options.configuration.contains("execution.checkpointing.dir")) {
    env.setCheckpointDirectory(options.checkpoint_directory);
  }
  if (!options.configuration.contains("execution.checkpointing.interval")) {
    env.enableCheckpointing(options.checkpoint_interval);
  }
}

void run(const Options& options) {
  auto env = wiesel::StreamExecutionEnvironment::getExecutionEnvironment(options.configuration);
  configure(env, options);

  const auto make = [keys = options.keys](int64_t n) { return makeEvent(n, keys); };
  env.fromSource(
         wiesel::DataGeneratorSource<Ev>(make, options.records, static_cast<double>(options.rate)),
         "events")
      .uid("events")
      .assignTimestampsAndWatermarks(
          wiesel::WatermarkStrategy<Ev>::forBoundedOutOfOrderness(kOutOfOrderness)
              .withTimestampAssigner([](const Ev& event, int64_t) { return event.t; }))
      .uid("timestamps")
      .keyBy(&Ev::k)
      .window(wiesel::TumblingEventTimeWindows::of(std::chrono::seconds(10)))
      .reduce(&addValues, &writeLine)
      .name("sum of ten seconds")
      .uid("sums")
      .map(StampFirstResult())
      .name("first result")
      .uid("first-result")
      .sinkTo(wiesel::TextFileSink(options.output))
      .name("part files")
      .uid("part-files");
  env.execute("exactly-once windows");
}

Options parseOptions(const wiesel::ParameterTool& args) {
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max() / 2;
  args.allowOnly({"records", "rate", "keys", "output", "checkpoint-dir", "checkpoint-interval",
                  "parallelism"});
  Options options;
  args.getRequired("records");
  options.records = longOf(args, "records", 0, 0, kMany);
  options.rate = longOf(args, "rate", 0, 0, kMany);
  options.keys = longOf(args, "keys", 100, 1, std::numeric_limits<uint32_t>::max());
  options.output = args.getRequired("output");
  if (args.has("checkpoint-dir")) options.checkpoint_directory = args.getRequired("checkpoint-dir");
  options.checkpoint_interval =
      std::chrono::milliseconds(longOf(args, "checkpoint-interval", 1000, 1, kMany));
  if (args.has("parallelism")) {
    options.parallelism =
        static_cast<int>(longOf(args, "parallelism", 1, 1, wiesel::kMaxMaxParallelism));
  }
  options.configuration = args.configuration();
  return options;
}

}  // namespace examples

int main(int argc, char** argv) {
  return examples::runExample(argc, argv, "exactly_once_windows", examples::kUsage,
                              &examples::parseOptions, &examples::run);
}
