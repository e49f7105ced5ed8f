#include <stdexcept>
#include <string>
#include <utility>

#include "api/connected_streams.h"
#include "tests/conformance/families.h"
#include "tests/conformance/operations.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

class WithKeys final : public KeyedCoProcessFunction<std::string, KeyedOps, KeyedOps, Report> {
 public:
  explicit WithKeys(Operations operations) : operations_(std::move(operations)) {}

  void open(const OpenContext&) override { operations_.open(getRuntimeContext()); }
  void processElement1(const KeyedOps& record, Context& context, Collector<Report>& out) override {
    process(0, record, context, out);
  }
  void processElement2(const KeyedOps& record, Context& context, Collector<Report>& out) override {
    process(1, record, context, out);
  }
  void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Report>& out) override {
    operations_.onTimer(timestamp_ms, context.getCurrentKey(), context.timeDomain(), context, out);
  }

 private:
  void process(int input, const KeyedOps& record, Context& context, Collector<Report>& out) {
    out.collect(reportOf({{"k", context.getCurrentKey()}, {"input", input}}));
    operations_.onRecord(record, context.getCurrentKey(), context, out);
  }

  Operations operations_;
};

class WithoutKeys final : public CoProcessFunction<KeyedOps, KeyedOps, Report> {
 public:
  explicit WithoutKeys(Operations operations) : operations_(std::move(operations)) {}

  void processElement1(const KeyedOps& record, Context& context, Collector<Report>& out) override {
    process(0, record, context, out);
  }
  void processElement2(const KeyedOps& record, Context& context, Collector<Report>& out) override {
    process(1, record, context, out);
  }

 private:
  void process(int input, const KeyedOps& record, Context& context, Collector<Report>& out) {
    out.collect(reportOf({{"input", input}}));
    operations_.onRecord(record, json(), context, out);
  }

  Operations operations_;
};

struct TellInput final : CoMapFunction<KeyedOps, KeyedOps, Report> {
  Report map1(const KeyedOps& record) override { return reportOf({{"input", 0}, {"n", record.n}}); }
  Report map2(const KeyedOps& record) override { return reportOf({{"input", 1}, {"n", record.n}}); }
};

struct Copy final : CoFlatMapFunction<KeyedOps, KeyedOps, Report> {
  void flatMap1(const KeyedOps& record, Collector<Report>& out) override { copy(0, record, out); }
  void flatMap2(const KeyedOps& record, Collector<Report>& out) override { copy(1, record, out); }

  static void copy(int input, const KeyedOps& record, Collector<Report>& out) {
    for (int i = 0; i < record.n % 3; ++i) {
      out.collect(reportOf({{"input", input}, {"n", record.n}, {"copy", i}}));
    }
  }
};

SingleOutputStreamOperator<Report> operatorOf(const json& op, const DataStream<KeyedOps>& first,
                                              const DataStream<KeyedOps>& second) {
  const std::string type = op.at("type");
  const auto both = first.connect(second);
  if (type == "keyedCoProcess") {
    return both.keyBy(&KeyedOps::k, &KeyedOps::k).process(WithKeys(Operations(op)));
  }
  if (type == "coProcess") return both.process(WithoutKeys(Operations(op)));
  if (type == "coMap") return both.map(TellInput());
  if (type == "coFlatMap") return both.flatMap(Copy());
  throw std::invalid_argument("the operator " + type + " is not known to this runner");
}

std::optional<std::string> replay(const json& line, Backend backend) {
  using Routing = Scenario::Routing;
  Scenario scenario(line, backend);
  const Routing routing =
      scenario.op().at("type") == "keyedCoProcess" ? Routing::kKeyed : Routing::kBySubtask;
  const auto first = scenario.input<KeyedOps>(routing);
  const auto second = scenario.input<KeyedOps>(routing);
  const auto results = operatorOf(scenario.op(), first, second);
  scenario.output(results);
  scenario.sideOutput(results, sideTag());
  return scenario.play();
}

}  // namespace

Family coProcessFamily() { return {.name = "co_process", .replay = replay, .keeps_state = true}; }

}  // namespace wiesel::conformance
