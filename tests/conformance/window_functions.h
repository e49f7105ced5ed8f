#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "api/keyed_stream.h"
#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"
#include "tests/conformance/window_settings.h"

// The recorder's functions on windows, and the calls that apply one to a stream.

namespace wiesel::conformance {

/// A JSON object as a record.
struct JsonText {
  std::string text;
};
WIESEL_DESCRIBE(JsonText, text)

inline nlohmann::json toJson(const JsonText& record) { return nlohmann::json::parse(record.text); }

/// (k of the last record, count, sum, min, max) of v.
class AggregateRecords final
    : public AggregateFunction<Record, std::tuple<std::string, int32_t, int32_t, int32_t, int32_t>,
                               JsonText> {
 public:
  Accumulator createAccumulator() const override {
    using Limits = std::numeric_limits<int32_t>;
    return {"", 0, 0, Limits::max(), Limits::min()};
  }
  Accumulator add(const Record& record, Accumulator so_far) const override {
    const auto& [k, count, sum, min, max] = so_far;
    return {record.k, count + 1, wrappingSum(sum, record.v), std::min(min, record.v),
            std::max(max, record.v)};
  }
  JsonText getResult(const Accumulator& accumulator) const override {
    const auto& [k, count, sum, min, max] = accumulator;
    return {nlohmann::json{{"k", k}, {"count", count}, {"sum", sum}, {"min", min}, {"max", max}}
                .dump()};
  }
  Accumulator merge(Accumulator left, Accumulator right) const override {
    return {std::get<0>(left), std::get<1>(left) + std::get<1>(right),
            wrappingSum(std::get<2>(left), std::get<2>(right)),
            std::min(std::get<3>(left), std::get<3>(right)),
            std::max(std::get<4>(left), std::get<4>(right))};
  }
};

inline void putWindow(nlohmann::json& json, const TimeWindow& window) {
  json["start"] = window.getStart();
  json["end"] = window.getEnd();
}
inline void putWindow(nlohmann::json& json, const GlobalWindow&) { json["window"] = "global"; }

inline nlohmann::json elementOf(const Record& record) { return record.n; }
inline nlohmann::json elementOf(const JsonText& aggregate) { return toJson(aggregate); }

template <class T>
nlohmann::json elementsOf(std::span<const T> elements) {
  nlohmann::json all = nlohmann::json::array();
  for (const T& element : elements) all.push_back(elementOf(element));
  return all;
}

inline const OutputTag<JsonText> kCleared("cleared");

/// Reports everything that a window function sees, and counts the fires of windows and keys.
template <class T, class W>
class ReportWindow final : public ProcessWindowFunction<T, JsonText, std::string, W> {
 public:
  using Context = typename ProcessWindowFunction<T, JsonText, std::string, W>::Context;

  explicit ReportWindow(ReportSettings settings) : settings_(settings) {}

  void process(const std::string& key, Context& context, std::span<const T> elements,
               Collector<JsonText>& out) override {
    nlohmann::json report{{"k", key}, {"wm", context.currentWatermark()}};
    putWindow(report, context.window());
    if (settings_.shows_clock) report["pt"] = context.currentProcessingTime();
    report["elements"] = elementsOf(elements);
    if (!settings_.merges) report["fires"] = increment(context.windowState().getState(kFires));
    if (settings_.counts_per_key) {
      report["keyFires"] = increment(context.globalState().getState(kKeyFires));
    }
    out.collect({report.dump()});
  }

  void clear(Context& context) override {
    nlohmann::json report{{"k", context.getCurrentKey()}};
    putWindow(report, context.window());
    if (!settings_.merges) {
      auto fires = context.windowState().getState(kFires);
      report["fires"] = fires.value() ? nlohmann::json(*fires.value()) : nlohmann::json();
      fires.clear();
    }
    context.output(kCleared, JsonText{report.dump()});
  }

 private:
  inline static const ValueStateDescriptor<int32_t> kFires{"fires"};
  inline static const ValueStateDescriptor<int32_t> kKeyFires{"keyFires"};

  static int32_t increment(ValueState<int32_t> count) {
    const int32_t next = count.value().value_or(0) + 1;
    count.update(next);
    return next;
  }

  const ReportSettings settings_;
};

template <class T, class W>
class ReportAllWindow final : public ProcessAllWindowFunction<T, JsonText, W> {
 public:
  using Context = typename ProcessAllWindowFunction<T, JsonText, W>::Context;

  explicit ReportAllWindow(ReportSettings) {}

  void process(Context& context, std::span<const T> elements, Collector<JsonText>& out) override {
    nlohmann::json report;
    putWindow(report, context.window());
    report["elements"] = elementsOf(elements);
    out.collect({report.dump()});
  }
};

/// Hears what the function's stream puts out.
template <class Out>
void listenToWindows(Scenario& scenario, const SingleOutputStreamOperator<Out>& results,
                     bool reports_clearing) {
  scenario.output(results);
  if (!scenario.op().at("lateTag").is_null()) {
    scenario.sideOutput(results, OutputTag<Record>(scenario.op().at("lateTag")));
  }
  if (reports_clearing) scenario.sideOutput(results, kCleared);
}

/// Applies the functions that come with every kind of windows; returns false for another one.
template <class Windows>
bool applyReports(Scenario& scenario, const Windows& windows) {
  using W = typename std::decay_t<decltype(windows.node().windowing)>::Window;
  constexpr bool keyed = Windows::kHasKey;
  using Report = std::conditional_t<keyed, ReportWindow<Record, W>, ReportAllWindow<Record, W>>;
  const std::string function = scenario.op().at("function");
  const ReportSettings settings = reportSettings(scenario.op());
  if (function == "aggregate") {
    listenToWindows(scenario, windows.aggregate(AggregateRecords()), false);
  } else if (function == "process") {
    listenToWindows(scenario, windows.process(Report(settings)), keyed);
  } else if (function == "aggregateProcess") {
    using OnAggregate =
        std::conditional_t<keyed, ReportWindow<JsonText, W>, ReportAllWindow<JsonText, W>>;
    listenToWindows(scenario, windows.aggregate(AggregateRecords(), OnAggregate(settings)), keyed);
  } else {
    return false;
  }
  return true;
}

/// Applies any function.
template <class Windows>
void applyFunction(Scenario& scenario, const Windows& windows) {
  using W = typename std::decay_t<decltype(windows.node().windowing)>::Window;
  constexpr bool keyed = Windows::kHasKey;
  using Report = std::conditional_t<keyed, ReportWindow<Record, W>, ReportAllWindow<Record, W>>;
  if (applyReports(scenario, windows)) return;
  const std::string function = scenario.op().at("function");
  const auto listen = [&](const auto& results) { listenToWindows(scenario, results, false); };
  if (function == "reduce") return listen(windows.reduce(reduceRecords));
  if (function == "reduceProcess") {
    const ReportSettings settings = reportSettings(scenario.op());
    return listenToWindows(scenario, windows.reduce(reduceRecords, Report(settings)), keyed);
  }
  if (function == "sum") return listen(windows.sum(&Record::v));
  if (function == "min") return listen(windows.min(&Record::v));
  if (function == "max") return listen(windows.max(&Record::v));
  if (function == "minByFirst") return listen(windows.minBy(&Record::v));
  if (function == "minByLast") return listen(windows.minBy(&Record::v, false));
  if (function == "maxByFirst") return listen(windows.maxBy(&Record::v));
  if (function == "maxByLast") return listen(windows.maxBy(&Record::v, false));
  throw std::invalid_argument("the function " + function + " is not known to this runner");
}

}  // namespace wiesel::conformance
