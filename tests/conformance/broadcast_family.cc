#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "api/broadcast_connected_stream.h"
#include "common/serialization/describe.h"
#include "tests/conformance/families.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

/// A record of the main input, with keys or without.
struct Fact {
  std::string k;
  int32_t n = 0;
  std::string rule;
  std::optional<int64_t> timer;
  std::optional<int64_t> ptimer;
};
WIESEL_DESCRIBE(Fact, k, n, rule, timer, ptimer)

/// A record of the broadcast input: put, remove, clear or apply.
struct Change {
  std::string action;
  std::string rule;
  int32_t x = 0;
};
WIESEL_DESCRIBE(Change, action, rule, x)

/// What a function puts out, as the text of a JSON object.
struct Report {
  std::string text;
};
WIESEL_DESCRIBE(Report, text)

void fromJson(const json& json, Fact& fact) {
  fact.k = json.value("k", "");
  fact.n = json.at("n");
  fact.rule = json.value("rule", "");
  if (json.contains("timer")) fact.timer = json.at("timer").get<int64_t>();
  if (json.contains("ptimer")) fact.ptimer = json.at("ptimer").get<int64_t>();
}

void fromJson(const json& json, Change& change) {
  change = {json.at("do"), json.value("rule", ""), json.value("x", 0)};
}

json toJson(const Report& report) { return json::parse(report.text); }

const MapStateDescriptor<std::string, int32_t> kRules{"rules"};
const ValueStateDescriptor<int32_t> kCount{"count"};
const OutputTag<Report> kSide("side");

Report reportOf(const json& json) { return {json.dump()}; }

json rulesOf(const ReadOnlyBroadcastState<std::string, int32_t>& rules) {
  json all = json::object();
  rules.forEach([&all](const std::string& rule, int32_t x) { all[rule] = x; });
  return all;
}

/// What Flink's contexts give for a record without timestamp.
template <class Context>
int64_t timestampOf(const Context& context) {
  return context.timestamp().value_or(std::numeric_limits<int64_t>::min());
}

void change(BroadcastState<std::string, int32_t>& rules, const Change& change) {
  if (change.action == "put") return rules.put(change.rule, change.x);
  if (change.action == "remove") return rules.remove(change.rule);
  if (change.action == "clear") return rules.clear();
  throw std::invalid_argument("the change " + change.action + " is not known to this runner");
}

class Plain final : public BroadcastProcessFunction<Fact, Change, Report> {
 public:
  void processElement(const Fact& fact, ReadOnlyContext& context, Collector<Report>& out) override {
    const auto& rules = context.getBroadcastState(kRules);
    const std::optional<int32_t> rule = rules.get(fact.rule);
    out.collect(reportOf({{"n", fact.n},
                          {"rule", rule ? json(*rule) : json()},
                          {"rules", rulesOf(rules)},
                          {"ts", timestampOf(context)},
                          {"wm", context.currentWatermark()}}));
    if (fact.n % 4 == 0) context.output(kSide, reportOf({{"n", fact.n}}));
  }

  void processBroadcastElement(const Change& value, Context& context,
                               Collector<Report>& out) override {
    auto& rules = context.getBroadcastState(kRules);
    change(rules, value);
    out.collect(reportOf({{"broadcast", rulesOf(rules)},
                          {"ts", timestampOf(context)},
                          {"wm", context.currentWatermark()}}));
  }
};

class Keyed final : public KeyedBroadcastProcessFunction<std::string, Fact, Change, Report> {
 public:
  void open(const OpenContext&) override { count_ = getRuntimeContext().getState(kCount); }

  void processElement(const Fact& fact, ReadOnlyContext& context, Collector<Report>& out) override {
    const int32_t count = count_.value().value_or(0) + 1;
    count_.update(count);
    out.collect(reportOf({{"k", fact.k},
                          {"n", fact.n},
                          {"rules", rulesOf(context.getBroadcastState(kRules))},
                          {"count", count},
                          {"wm", context.currentWatermark()}}));
    TimerService& timers = context.timerService();
    if (fact.timer) timers.registerEventTimeTimer(*fact.timer);
    if (fact.ptimer) timers.registerProcessingTimeTimer(*fact.ptimer);
  }

  void processBroadcastElement(const Change& value, Context& context,
                               Collector<Report>& out) override {
    auto& rules = context.getBroadcastState(kRules);
    const bool applies = value.action == "apply";
    if (!applies) change(rules, value);
    out.collect(reportOf({{"broadcast", rulesOf(rules)}, {"ts", timestampOf(context)}}));
    if (applies) apply(context, out);
  }

  void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Report>& out) override {
    const std::optional<int32_t> count = count_.value();
    const bool is_event_time = context.timeDomain() == TimeDomain::EVENT_TIME;
    out.collect(reportOf({{"k", context.getCurrentKey()},
                          {"timer", timestamp_ms},
                          {"domain", is_event_time ? "event" : "processing"},
                          {"rules", rulesOf(context.getBroadcastState(kRules))},
                          {"count", count ? json(*count) : json()},
                          {"ts", timestampOf(context)}}));
    context.output(kSide, reportOf({{"k", context.getCurrentKey()}, {"timer", timestamp_ms}}));
  }

 private:
  void apply(Context& context, Collector<Report>& out) {
    context.applyToKeyedState(kCount, [&](const std::string& key, ValueState<int32_t>& count) {
      const std::optional<int32_t> visited = count.value();
      out.collect(reportOf({{"k", key}, {"visited", visited ? json(*visited) : json()}}));
      count.update(visited.value_or(0) + 100);
    });
    out.collect(reportOf({{"applied", true}}));
  }

  ValueState<int32_t> count_;
};

std::optional<std::string> replay(const json& line, Backend backend) {
  using Routing = Scenario::Routing;
  Scenario scenario(line, backend);
  const std::string type = scenario.op().at("type");
  const bool is_keyed = type == "keyedBroadcastProcess";
  if (!is_keyed && type != "broadcastProcess") {
    throw std::invalid_argument("the operator " + type + " is not known to this runner");
  }
  const auto facts = scenario.input<Fact>(is_keyed ? Routing::kKeyed : Routing::kBySubtask);
  const auto changes = scenario.input<Change>(Routing::kBroadcast).broadcast(kRules);
  const SingleOutputStreamOperator<Report> reports =
      is_keyed ? facts.keyBy(&Fact::k).connect(changes).process(Keyed{})
               : facts.connect(changes).process(Plain{});
  scenario.output(reports);
  scenario.sideOutput(reports, kSide);
  return scenario.play();
}

}  // namespace

Family broadcastFamily() { return {.name = "broadcast", .replay = replay, .keeps_state = true}; }

}  // namespace wiesel::conformance
