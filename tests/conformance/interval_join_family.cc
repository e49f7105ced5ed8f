#include <chrono>
#include <cstdint>
#include <string>

#include "api/interval_join.h"
#include "common/serialization/describe.h"
#include "tests/conformance/families.h"
#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// What the recorder's function tells of a pair.
struct Pair {
  std::string k;
  int32_t left = 0;
  int32_t right = 0;
  int64_t left_ts = 0;
  int64_t right_ts = 0;
  int64_t ts = 0;
};
WIESEL_DESCRIBE(Pair, k, left, right, left_ts, right_ts, ts)

json toJson(const Pair& pair) {
  return {{"k", pair.k},
          {"left", pair.left},
          {"right", pair.right},
          {"leftTs", pair.left_ts},
          {"rightTs", pair.right_ts},
          {"ts", pair.ts}};
}

class TellPair final : public ProcessJoinFunction<Record, Record, Pair> {
 public:
  void processElement(const Record& left, const Record& right, Context& context,
                      Collector<Pair>& out) override {
    out.collect({left.k, left.n, right.n, context.getLeftTimestamp(), context.getRightTimestamp(),
                 context.getTimestamp()});
  }
};

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  const json& op = scenario.op();
  const auto left = scenario.input<Record>();
  const auto right = scenario.input<Record>();
  auto join = left.keyBy(&Record::k)
                  .intervalJoin(right.keyBy(&Record::k))
                  .between(milliseconds(op.at("lower")), milliseconds(op.at("upper")));
  if (!op.at("lowerInclusive").get<bool>()) join.lowerBoundExclusive();
  if (!op.at("upperInclusive").get<bool>()) join.upperBoundExclusive();
  const OutputTag<Record> late_left("lateLeft");
  const OutputTag<Record> late_right("lateRight");
  const bool tells_late = op.at("lateSideOutputs");
  if (tells_late) join.sideOutputLeftLateData(late_left).sideOutputRightLateData(late_right);
  const auto pairs = join.process(TellPair{});
  scenario.output(pairs);
  if (tells_late) {
    scenario.sideOutput(pairs, late_left);
    scenario.sideOutput(pairs, late_right);
  }
  return scenario.play();
}

}  // namespace

Family intervalJoinFamily() {
  return {.name = "interval_join", .replay = replay, .keeps_state = true};
}

}  // namespace wiesel::conformance
