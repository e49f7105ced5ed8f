#include "tests/conformance/operations.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "runtime/functions/aggregate_function.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

/// The recorder's accumulator: a sum and a number, told as "sum:count".
using SumAndCount = std::pair<int32_t, int32_t>;
struct SumAndCountText final : AggregateFunction<int32_t, SumAndCount, std::string> {
  SumAndCount createAccumulator() const override { return {0, 0}; }
  SumAndCount add(const int32_t& value, SumAndCount so_far) const override {
    return {so_far.first + value, so_far.second + 1};
  }
  std::string getResult(const SumAndCount& all) const override {
    return std::to_string(all.first) + ":" + std::to_string(all.second);
  }
  SumAndCount merge(SumAndCount left, SumAndCount right) const override {
    return {left.first + right.first, left.second + right.second};
  }
};

StateTtlConfig ttlOf(const json& ttl) {
  if (ttl.is_null()) return {};
  const bool reads_count = ttl.at("updateType") == "OnReadAndWrite";
  const bool returns_expired = ttl.at("visibility") == "ReturnExpiredIfNotCleanedUp";
  using Visibility = StateTtlConfig::StateVisibility;
  return StateTtlConfig::newBuilder(std::chrono::milliseconds(ttl.at("ttl")))
      .setUpdateType(reads_count ? StateTtlConfig::UpdateType::OnReadAndWrite
                                 : StateTtlConfig::UpdateType::OnCreateAndWrite)
      .setStateVisibility(returns_expired ? Visibility::ReturnExpiredIfNotCleanedUp
                                          : Visibility::NeverReturnExpired)
      .disableCleanupInBackground()
      .build();
}

template <class Descriptor>
Descriptor withTtl(Descriptor descriptor, const json& ttl) {
  if (!ttl.is_null()) descriptor.enableTimeToLive(ttlOf(ttl));
  return descriptor;
}

template <class T>
json orNull(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

/// Registers or deletes a timer; returns false for another operation.
bool setTimer(const std::string& name, const json& operation, runtime::ProcessContext& context) {
  TimerService& timers = context.timerService();
  if (name == "regE") return timers.registerEventTimeTimer(operation.at(1)), true;
  if (name == "delE") return timers.deleteEventTimeTimer(operation.at(1)), true;
  if (name == "regP") return timers.registerProcessingTimeTimer(operation.at(1)), true;
  if (name == "delP") return timers.deleteProcessingTimeTimer(operation.at(1)), true;
  if (name != "regERel" && name != "regPRel") return false;
  const bool is_event = name == "regERel";
  if (is_event && !context.timestamp()) return true;
  const int64_t from_ms = is_event ? *context.timestamp() : timers.currentProcessingTime();
  const int64_t at_ms = from_ms + operation.at(1).get<int64_t>();
  if (at_ms > operation.at(2).get<int64_t>()) return true;
  is_event ? timers.registerEventTimeTimer(at_ms) : timers.registerProcessingTimeTimer(at_ms);
  return true;
}

}  // namespace

void fromJson(const json& json, KeyedOps& record) {
  record = {json.value("k", std::string()), json.at("n"), json.at("ops").dump()};
}

json toJson(const Report& report) { return json::parse(report.json); }

Operations::Operations(const json& op)
    : on_timer_(op.value("onTimer", json::array())), ttl_(op.value("ttl", json())) {}

void Operations::open(RuntimeContext& context) {
  const auto add = [](int32_t left, int32_t right) { return left + right; };
  value_ = context.getState(withTtl(ValueStateDescriptor<int32_t>{"value"}, ttl_));
  list_ = context.getListState(withTtl(ListStateDescriptor<int32_t>{"list"}, ttl_));
  map_ = context.getMapState(withTtl(MapStateDescriptor<std::string, int32_t>{"map"}, ttl_));
  reducing_ =
      context.getReducingState(withTtl(ReducingStateDescriptor<int32_t>("reducing", add), ttl_));
  aggregating_ = context.getAggregatingState(
      withTtl(AggregatingStateDescriptor<int32_t, SumAndCount, std::string>("aggregating",
                                                                            SumAndCountText()),
              ttl_));
}

void Operations::onRecord(const KeyedOps& record, const json& key, runtime::ProcessContext& context,
                          Collector<Report>& out) {
  run(json::parse(record.ops), key, context, out);
}

void Operations::onTimer(int64_t timestamp_ms, const std::string& key, TimeDomain domain,
                         runtime::ProcessContext& context, Collector<Report>& out) {
  out.collect(reportOf({{"k", key},
                        {"timer", timestamp_ms},
                        {"domain", domain == TimeDomain::EVENT_TIME ? "event" : "processing"},
                        {"ts", orNull(context.timestamp())}}));
  run(on_timer_, key, context, out);
}

void Operations::run(const json& operations, const json& key, runtime::ProcessContext& context,
                     Collector<Report>& out) {
  static const std::set<std::string> kReads = {"ts",       "wm",   "pt",        "vGet",
                                               "lGet",     "mGet", "mContains", "mIsEmpty",
                                               "mEntries", "rGet", "aGet"};
  for (const json& operation : operations) {
    const std::string name = operation.at(0);
    if (name == "emit") {
      out.collect(reportOf({{"k", key}, {"x", operation.at(1)}}));
    } else if (name == "side") {
      context.output(sideTag(), reportOf({{"k", key}, {"x", operation.at(1)}}));
    } else if (kReads.contains(name)) {
      out.collect(reportOf({{"k", key}, {"op", name}, {"r", read(name, operation, context)}}));
    } else if (!setTimer(name, operation, context)) {
      change(name, operation);
    }
  }
}

void Operations::change(const std::string& name, const json& operation) {
  if (name == "vSet") return value_.update(operation.at(1));
  if (name == "vClear") return value_.clear();
  if (name == "lAdd") return list_.add(operation.at(1));
  if (name == "lAddAll") return list_.addAll(operation.at(1).get<std::vector<int32_t>>());
  if (name == "lUpdate") return list_.update(operation.at(1).get<std::vector<int32_t>>());
  if (name == "lClear") return list_.clear();
  if (name == "mPut") return map_.put(operation.at(1).get<std::string>(), operation.at(2));
  if (name == "mRemove") return map_.remove(operation.at(1).get<std::string>());
  if (name == "mClear") return map_.clear();
  if (name == "rAdd") return reducing_.add(operation.at(1));
  if (name == "rClear") return reducing_.clear();
  if (name == "aAdd") return aggregating_.add(operation.at(1));
  if (name == "aClear") return aggregating_.clear();
  throw std::invalid_argument("the operation " + name + " is not known to this runner");
}

json Operations::read(const std::string& name, const json& operation,
                      runtime::ProcessContext& context) {
  if (name == "ts") return orNull(context.timestamp());
  if (name == "wm") return context.timerService().currentWatermark();
  if (name == "pt") return context.timerService().currentProcessingTime();
  if (name == "vGet") return orNull(value_.value());
  if (name == "lGet") return list_.get();
  if (name == "mGet") return orNull(map_.get(operation.at(1).get<std::string>()));
  if (name == "mContains") return map_.contains(operation.at(1).get<std::string>());
  if (name == "mIsEmpty") return map_.isEmpty();
  if (name == "rGet") return orNull(reducing_.get());
  if (name == "aGet") return orNull(aggregating_.get());
  json entries = json::object();
  for (const auto& [key, value] : map_.entries()) entries[key] = value;
  return entries;
}

}  // namespace wiesel::conformance
