// A stream that is joined with a broadcast one, and what becomes of its watermarks.
//
//   nc -lk 1235      names, as id,name, say         1,one
//   nc -lk 1234      events, as id,timestamp, say   1,5
//
// Every subtask gets all names and keeps them in broadcast state. The operator's watermark is the
// lower one of its two inputs, so a broadcast stream without watermarks holds everything back:
// --variant no_dim_watermark. The other variants give all names a timestamp far in the future,
// which leaves the clock to the events.

#include <charconv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "examples/arguments.h"
#include "examples/split.h"
#include "wiesel/wiesel.h"

namespace examples {

constexpr char kUsage[] =
    "usage: broadcast_watermark [--host 127.0.0.1] [--business-port 1234] [--dim-port 1235]\n"
    "                           [--variant article|deterministic|no_dim_watermark]\n"
    "                           [-D key=value]...\n"
    "Joins the events id,timestamp of one server with the names id,name of another. The variant\n"
    "article only prints the operator's watermark; the others join, and count in windows of 10 "
    "ms.\n";

/// A timestamp that no event reaches.
constexpr int64_t kFarAwayMs = 2'999'999'999'999;
constexpr std::chrono::milliseconds kOutOfOrderness(1);
constexpr std::chrono::milliseconds kWindow(10);

struct Name {
  int32_t id = 0;
  std::string name;
};
WIESEL_DESCRIBE(Name, id, name)

struct Event {
  int32_t id = 0;
  int64_t time_ms = 0;
};
WIESEL_DESCRIBE(Event, id, time_ms)

struct NamedEvent {
  int32_t id = 0;
  int64_t time_ms = 0;
  std::string name;
};
WIESEL_DESCRIBE(NamedEvent, id, time_ms, name)

const wiesel::MapStateDescriptor<std::string, Name> kNames{"dimMapStateDesc"};
const wiesel::OutputTag<NamedEvent> kLate("late");

struct Options {
  std::string host;
  uint16_t business_port = 0;
  uint16_t dim_port = 0;
  std::string variant;
  wiesel::Configuration configuration;  // What was given with -D.
};

/// Prints one line in one piece, whoever prints beside it.
void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

template <class Number>
Number numberOf(const std::string& text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error("'" + text + "' is no whole number, or too large");
  }
  return value;
}

// Lines that have not exactly two fields give nothing.

void parseName(const std::string& line, wiesel::Collector<Name>& out) {
  const std::vector<std::string> fields = split(line, ',');
  if (fields.size() == 2) out.collect({numberOf<int32_t>(fields[0]), fields[1]});
}

void parseEvent(const std::string& line, wiesel::Collector<Event>& out) {
  const std::vector<std::string> fields = split(line, ',');
  if (fields.size() == 2) {
    out.collect({numberOf<int32_t>(fields[0]), numberOf<int64_t>(fields[1])});
  }
}

/// What the article shows: the watermark as both sides see it.
class TellWatermark : public wiesel::BroadcastProcessFunction<Event, Name, NamedEvent> {
 public:
  void processElement(const Event&, ReadOnlyContext& context,
                      wiesel::Collector<NamedEvent>&) override {
    say("ctx.currentWatermark() = " + std::to_string(context.currentWatermark()));
  }
  void processBroadcastElement(const Name&, Context& context,
                               wiesel::Collector<NamedEvent>&) override {
    say("ctx.currentWatermark() = " + std::to_string(context.currentWatermark()));
  }
};

/// Gives each event the last name of its id, or "?".
class NameEvents : public wiesel::BroadcastProcessFunction<Event, Name, NamedEvent> {
 public:
  void processElement(const Event& event, ReadOnlyContext& context,
                      wiesel::Collector<NamedEvent>& out) override {
    const Name* known = context.getBroadcastState(kNames).find(std::to_string(event.id));
    const std::string name = known == nullptr ? "?" : known->name;
    say("B|" + std::to_string(event.id) + "|" + std::to_string(event.time_ms) + "|" + name +
        clocksOf(context));
    out.collect({event.id, event.time_ms, name});
  }

  void processBroadcastElement(const Name& name, Context& context,
                               wiesel::Collector<NamedEvent>&) override {
    context.getBroadcastState(kNames).put(std::to_string(name.id), name);
    say("D|" + std::to_string(name.id) + "|" + name.name + clocksOf(context));
  }

 private:
  template <class AnyContext>
  static std::string clocksOf(const AnyContext& context) {
    constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
    return "|wm=" + std::to_string(context.currentWatermark()) +
           "|ts=" + std::to_string(context.timestamp().value_or(kNone));
  }
};

/// Says what is in a window, in the order in which it came, and when the window fired.
class TellWindow : public wiesel::ProcessWindowFunction<NamedEvent, std::string, int32_t> {
 public:
  void process(const int32_t& id, Context& context, std::span<const NamedEvent> events,
               wiesel::Collector<std::string>& out) override {
    std::string list;
    for (const NamedEvent& event : events) {
      list += (list.empty() ? "" : ",") + std::to_string(event.time_ms) + ":" + event.name;
    }
    out.collect("W|" + std::to_string(id) + "|[" + std::to_string(context.window().getStart()) +
                "," + std::to_string(context.window().getEnd()) +
                ")|n=" + std::to_string(events.size()) + "|" + list +
                "|wm=" + std::to_string(context.currentWatermark()));
  }
};

/// The windows behind the join, and the events that came too late for theirs.
void addWindows(const wiesel::DataStream<NamedEvent>& events) {
  auto windows = events.keyBy(&NamedEvent::id)
                     .window(wiesel::TumblingEventTimeWindows::of(kWindow))
                     .sideOutputLateData(kLate)
                     .process(TellWindow{});
  windows.name("windows").uid("windows");
  windows.addSink(&say).name("print windows").uid("print-windows");
  windows.getSideOutput(kLate)
      .addSink([](const NamedEvent& event) {
        say("L|" + std::to_string(event.id) + "|" + std::to_string(event.time_ms) + "|" +
            event.name);
      })
      .name("print late events")
      .uid("print-late");
}

void run(const Options& options) {
  auto env = wiesel::StreamExecutionEnvironment::getExecutionEnvironment(options.configuration);
  if (!env.getConfiguration().contains("parallelism.default")) env.setParallelism(1);

  auto name_lines = env.socketTextStream(options.host, options.dim_port);
  name_lines.name("names").uid("name-source");
  auto names = name_lines.flatMap(&parseName);
  names.name("parse names").uid("name-parse");
  if (options.variant != "no_dim_watermark") {
    names = names.assignTimestampsAndWatermarks(
        wiesel::WatermarkStrategy<Name>::forBoundedOutOfOrderness(kOutOfOrderness)
            .withTimestampAssigner([](const Name&, int64_t) { return kFarAwayMs; }));
    names.name("timestamps of names").uid("name-timestamps");
  }

  auto event_lines = env.socketTextStream(options.host, options.business_port);
  event_lines.name("events").uid("event-source");
  auto parsed = event_lines.flatMap(&parseEvent);
  parsed.name("parse events").uid("event-parse");
  auto events = parsed.assignTimestampsAndWatermarks(
      wiesel::WatermarkStrategy<Event>::forBoundedOutOfOrderness(kOutOfOrderness)
          .withTimestampAssigner([](const Event& event, int64_t) { return event.time_ms; }));
  events.name("timestamps of events").uid("event-timestamps");

  const auto connected = events.connect(names.broadcast(kNames));
  if (options.variant == "article") {
    connected.process(TellWatermark{}).name("tell watermark").uid("join");
  } else {
    auto named = connected.process(NameEvents{});
    named.name("name events").uid("join");
    addWindows(named);
  }
  env.execute("broadcast watermark");
}

Options parseOptions(const wiesel::ParameterTool& args) {
  args.allowOnly({"host", "business-port", "dim-port", "variant"});
  Options options;
  options.host = args.get("host", "127.0.0.1");
  options.business_port = portOf(args, "business-port", 1234);
  options.dim_port = portOf(args, "dim-port", 1235);
  options.variant = oneOf(args, "variant", {"article", "deterministic", "no_dim_watermark"});
  options.configuration = args.configuration();
  return options;
}

}  // namespace examples

int main(int argc, char** argv) {
  return examples::runExample(argc, argv, "broadcast_watermark", examples::kUsage,
                              &examples::parseOptions, &examples::run);
}
