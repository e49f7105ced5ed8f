// Sums of orders by the first letters of their number, in windows of one minute, behind a watermark
// generator of one's own: it waits longer for late orders in the busy hours of the morning.
//
//   dynamic_watermark                                        makes orders until it is cancelled
//   nc -lk 1234   and   dynamic_watermark --variant deterministic
//     orderId,eventTime,amount, say  ORDER_1,1700000045000,12.5
//
// Shows WatermarkGenerator, idleness, a SourceFunction, and late records at a side output.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "examples/arguments.h"
#include "examples/split.h"
#include "wiesel/wiesel.h"

namespace examples {

constexpr char kUsage[] =
    "usage: dynamic_watermark [--variant article|deterministic|underflow] [--host 127.0.0.1]\n"
    "                         [--port 1234] [-D key=value]...\n"
    "Sums amounts in windows of a minute. article makes orders itself and goes by the clock; "
    "the\n"
    "others read lines orderId,eventTime,amount and print late orders; deterministic goes by "
    "event\n"
    "time, underflow shows what a generator does that does not wait for its first order.\n";

struct Options {
  std::string variant;
  std::string host;
  uint16_t port = 0;
  wiesel::Configuration configuration;  // What was given with -D.
};

struct OrderEvent {
  std::string orderId;
  int64_t eventTime = 0;
  double amount = 0;
};
WIESEL_DESCRIBE(OrderEvent, orderId, eventTime, amount)

/// Prints one line in one piece, whoever prints beside it.
void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

std::chrono::nanoseconds now() { return std::chrono::system_clock::now().time_since_epoch(); }

std::tm localTime(std::chrono::nanoseconds since_epoch) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(since_epoch).count();
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return parts;
}

/// Waits for late orders as long as the hour says.
class DynamicWatermarks : public wiesel::WatermarkGenerator<OrderEvent> {
 public:
  void onEvent(const OrderEvent&, int64_t timestamp_ms, wiesel::WatermarkOutput&) override {
    max_ms_ = std::max(max_ms_, timestamp_ms);
  }

 protected:
  static int64_t delayMs(int64_t hour) { return hour >= 9 && hour < 12 ? 30000 : 5000; }

  /// The subtraction wraps, as Java's does, when there was no order yet.
  int64_t minus(int64_t delay_ms) const {
    return static_cast<int64_t>(static_cast<uint64_t>(max_ms_) - static_cast<uint64_t>(delay_ms));
  }

  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
  int64_t max_ms_ = kNone;
};

/// Goes by the hour of the clock, and does not wait for the first order.
class ClockWatermarks final : public DynamicWatermarks {
 public:
  void onPeriodicEmit(wiesel::WatermarkOutput& output) override {
    const std::chrono::nanoseconds time = now();
    const std::tm parts = localTime(time);
    const int64_t delay_ms = delayMs(parts.tm_hour);
    output.emitWatermark(minus(delay_ms));
    char text[32];
    std::snprintf(text, sizeof(text), "%02d:%02d:%02d.%09d", parts.tm_hour, parts.tm_min,
                  parts.tm_sec, static_cast<int>(time.count() % 1'000'000'000));
    say("当前时间：" + std::string(text) + "，最大事件时间：" + std::to_string(max_ms_) +
        "，动态延迟：" + std::to_string(delay_ms) + "ms，水印时间：" +
        std::to_string(minus(delay_ms)));
  }
};

/// Goes by the hour, in UTC, of the latest order.
class EventTimeWatermarks final : public DynamicWatermarks {
 public:
  void onPeriodicEmit(wiesel::WatermarkOutput& output) override {
    if (max_ms_ == kNone) return;
    const auto time = std::chrono::milliseconds(max_ms_);
    const int64_t delay_ms = delayMs(
        std::chrono::floor<std::chrono::hours>(time - std::chrono::floor<std::chrono::days>(time))
            .count());
    output.emitWatermark(minus(delay_ms));
    if (max_ms_ == last_said_ms_) return;
    last_said_ms_ = max_ms_;
    say("G|max=" + std::to_string(max_ms_) + "|delay=" + std::to_string(delay_ms) +
        "|wm=" + std::to_string(minus(delay_ms)));
  }

 private:
  int64_t last_said_ms_ = kNone;
};

/// Ten orders a second, up to 40 seconds old.
class RandomOrders : public wiesel::SourceFunction<OrderEvent> {
 public:
  RandomOrders() = default;
  RandomOrders(const RandomOrders&) : RandomOrders() {}

  void run(SourceContext& context) override {
    const int64_t base_ms = std::chrono::floor<std::chrono::milliseconds>(now()).count();
    std::mt19937_64 random(std::random_device{}());
    std::uniform_int_distribution<int64_t> age_ms(0, 39'999);
    for (int64_t number = 0; runs_; ++number) {
      context.collect({"ORDER_" + std::to_string(number), base_ms - age_ms(random), 100.0});
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  void cancel() override { runs_ = false; }

 private:
  std::atomic<bool> runs_{true};
};

/// An order of three fields; other lines give nothing.
void parseOrder(const std::string& line, wiesel::Collector<OrderEvent>& out) {
  const std::vector<std::string> fields = split(line, ',');
  if (fields.size() != 3) return;
  try {
    out.collect({fields[0], std::stoll(fields[1]), std::stod(fields[2])});
  } catch (const std::logic_error&) {
    throw std::runtime_error("the line has a time or an amount that is no number: " + line);
  }
}

std::string groupOf(const OrderEvent& order) {
  constexpr size_t kLetters = 5;
  if (order.orderId.size() < kLetters) {
    throw std::runtime_error("the order number '" + order.orderId + "' is too short");
  }
  return order.orderId.substr(0, kLetters);
}

wiesel::WatermarkStrategy<OrderEvent> watermarks(bool by_clock) {
  using Generator = std::unique_ptr<wiesel::WatermarkGenerator<OrderEvent>>;
  return wiesel::WatermarkStrategy<OrderEvent>::forGenerator([by_clock]() -> Generator {
           if (by_clock) return std::make_unique<ClockWatermarks>();
           return std::make_unique<EventTimeWatermarks>();
         })
      .withIdleness(std::chrono::seconds(10))
      .withTimestampAssigner([](const OrderEvent& order, int64_t) { return order.eventTime; });
}

wiesel::DataStream<OrderEvent> orders(wiesel::StreamExecutionEnvironment& env,
                                      const Options& options) {
  if (options.variant == "article") return env.addSource(RandomOrders()).uid("orders");
  auto lines = env.socketTextStream(options.host, options.port);
  lines.uid("orders");
  return lines.flatMap(&parseOrder).uid("parse");
}

void run(const Options& options) {
  auto env = wiesel::StreamExecutionEnvironment::getExecutionEnvironment(options.configuration);
  const wiesel::Configuration given = env.getConfiguration();
  if (!given.contains("parallelism.default")) env.setParallelism(1);
  if (!given.contains("pipeline.auto-watermark-interval")) {
    env.setAutoWatermarkInterval(std::chrono::milliseconds(200));
  }

  const wiesel::OutputTag<OrderEvent> late("late");
  const auto sums = orders(env, options)
                        .assignTimestampsAndWatermarks(
                            watermarks(/*by_clock=*/options.variant != "deterministic"))
                        .uid("timestamps")
                        .keyBy(&groupOf)
                        .window(wiesel::TumblingEventTimeWindows::of(std::chrono::minutes(1)))
                        .sideOutputLateData(late)
                        .sum("amount")
                        .uid("sums");
  sums.print("窗口结果").uid("print");
  // The article's job lets late orders vanish.
  if (options.variant != "article") sums.getSideOutput(late).print("late").uid("print-late");
  env.execute("dynamic watermark");
}

Options parseOptions(const wiesel::ParameterTool& args) {
  args.allowOnly({"variant", "host", "port"});
  Options options;
  options.variant = oneOf(args, "variant", {"article", "deterministic", "underflow"});
  options.host = args.get("host", "127.0.0.1");
  options.port = portOf(args, "port", 1234);
  options.configuration = args.configuration();
  return options;
}

}  // namespace examples

int main(int argc, char** argv) {
  return examples::runExample(argc, argv, "dynamic_watermark", examples::kUsage,
                              &examples::parseOptions, &examples::run);
}
