#include <span>
#include <stdexcept>
#include <string>

#include "api/joined_streams.h"
#include "tests/conformance/families.h"
#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"
#include "tests/conformance/window_settings.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

/// A pair; of the outer joins perhaps without one side.
struct Pair {
  std::string k;
  std::optional<int32_t> left;
  std::optional<int32_t> right;
};
WIESEL_DESCRIBE(Pair, k, left, right)

json toJson(const Pair& pair) {
  const auto side = [](const std::optional<int32_t>& n) { return n ? json(*n) : json(); };
  return {{"k", pair.k}, {"left", side(pair.left)}, {"right", side(pair.right)}};
}

/// All records of a window.
struct Group {
  std::string k;
  std::vector<int32_t> left;
  std::vector<int32_t> right;
};
WIESEL_DESCRIBE(Group, k, left, right)

json toJson(const Group& group) {
  return {{"k", group.k}, {"left", group.left}, {"right", group.right}};
}

using Records = std::span<const Record>;

void collectGroup(Records left, Records right, Collector<Group>& out) {
  Group group{.k = left.empty() ? right.front().k : left.front().k, .left = {}, .right = {}};
  for (const Record& record : left) group.left.push_back(record.n);
  for (const Record& record : right) group.right.push_back(record.n);
  out.collect(std::move(group));
}

/// Pairs, then what has no partner: lefts, of an outer join rights, too.
class OuterJoin {
 public:
  explicit OuterJoin(bool is_full) : is_full_(is_full) {}

  void coGroup(Records lefts, Records rights, Collector<Pair>& out) const {
    for (const Record& left : lefts) {
      for (const Record& right : rights) out.collect({left.k, left.n, right.n});
      if (rights.empty()) out.collect({left.k, left.n, std::nullopt});
    }
    if (!is_full_ || !lefts.empty()) return;
    for (const Record& right : rights) out.collect({right.k, std::nullopt, right.n});
  }

 private:
  bool is_full_;
};

Pair joinPair(const Record& left, const Record& right) { return {left.k, left.n, right.n}; }

void joinTwiceIfEven(const Record& left, const Record& right, Collector<Pair>& out) {
  if (wrappingSum(left.v, right.v) % 2 != 0) return;
  out.collect(joinPair(left, right));
  out.collect(joinPair(left, right));
}

/// The windows of the scenario, of a join or a coGroup.
template <class Joined>
auto windowsOf(const json& op, const Joined& joined) {
  using Union = TaggedUnion<Record, Record>;
  const auto assigner = timeAssignerOf<Union>(op.at("assigner"));
  return joined.where(&Record::k)
      .equalTo(&Record::k)
      .window(assigner)
      .trigger(triggerOf(op.at("trigger"), assigner->getDefaultTrigger()))
      .allowedLateness(millisecondsAt(op, "allowedLateness"));
}

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  const json& op = scenario.op();
  const auto left = scenario.input<Record>();
  const auto right = scenario.input<Record>();
  const std::string function = op.at("function");
  if (function == "join") {
    scenario.output(windowsOf(op, left.join(right)).apply(joinPair));
  } else if (function == "flatJoin") {
    scenario.output(windowsOf(op, left.join(right)).apply(joinTwiceIfEven));
  } else if (function == "coGroup") {
    scenario.output(windowsOf(op, left.coGroup(right)).apply(collectGroup));
  } else if (function == "leftJoin" || function == "outerJoin") {
    scenario.output(windowsOf(op, left.coGroup(right)).apply(OuterJoin(function == "outerJoin")));
  } else {
    throw std::invalid_argument("the function " + function + " is not known to this runner");
  }
  return scenario.play();
}

}  // namespace

Family windowJoinFamily() { return {.name = "window_join", .replay = replay, .keeps_state = true}; }

}  // namespace wiesel::conformance
