#include "tests/conformance/output_comparison.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using Difference = std::optional<std::string>;

/// Consecutive outputs with one label; without a label each output is a run of its own, except that
/// multisets (the entry "*") take all unlabelled ones of an event together.
struct Run {
  std::string label;
  size_t begin = 0;
  size_t end = 0;
};

/// What the scenario leaves open.
struct Order {
  explicit Order(const json& order) {
    for (const json& field : order.at("runKey")) run_key.push_back(field);
    for (const json& field : order.at("unordered")) {
      if (field == "*") {
        any_order = true;
      } else {
        unordered.push_back(field);
      }
    }
  }

  std::vector<std::string> run_key;
  std::vector<std::string> unordered;
  bool any_order = false;
};

/// The output in a form in which what may differ does not: without its label, arrays sorted.
json normalized(json output, const Order& order) {
  output.erase("run");
  if (!output.contains("value") || !output["value"].is_object()) return output;
  json& value = output["value"];
  for (const std::string& field : order.unordered) {
    if (value.contains(field) && value[field].is_array()) {
      std::sort(value[field].begin(), value[field].end());
    }
  }
  return output;
}

/// The part of its run that an output belongs to.
std::string partOf(const json& output, const Order& order) {
  json key = json::array();
  for (const std::string& field : order.run_key) {
    if (field == "@ts") {
      key.push_back(output.value("ts", json()));
    } else if (output.contains("value") && output["value"].is_object()) {
      key.push_back(output["value"].value(field, json()));
    } else {
      key.push_back(json());
    }
  }
  return key.dump();
}

std::vector<Run> runsOf(const std::vector<json>& expected, const Order& order) {
  std::vector<Run> runs;
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string label = expected[i].value("run", std::string());
    const bool goes_on = !runs.empty() && runs.back().label == label;
    const bool is_record = expected[i].at("kind") == "record";
    if (goes_on && (!label.empty() ||
                    (order.any_order && is_record && expected[i - 1].at("kind") == "record"))) {
      ++runs.back().end;
    } else {
      runs.push_back({label, i, i + 1});
    }
  }
  return runs;
}

std::string describe(const json& expected, const json& got) {
  return "expected " + expected.dump() + ", got " + got.dump();
}

Difference compareSorted(std::vector<json> expected, std::vector<json> got) {
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] != got[i]) return describe(expected[i], got[i]) + " (in any order)";
  }
  return std::nullopt;
}

Difference compareRun(const std::vector<json>& expected, const std::vector<json>& got,
                      const Order& order) {
  if (order.any_order && expected.size() > 1) return compareSorted(expected, got);
  if (expected.size() == 1) {
    if (expected[0] != got[0]) return describe(expected[0], got[0]);
    return std::nullopt;
  }
  std::map<std::string, std::vector<const json*>> expected_parts;
  std::map<std::string, std::vector<const json*>> got_parts;
  for (const json& output : expected) expected_parts[partOf(output, order)].push_back(&output);
  for (const json& output : got) got_parts[partOf(output, order)].push_back(&output);
  for (const auto& [part, outputs] : expected_parts) {
    const std::vector<const json*>& mine = got_parts[part];
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (i >= mine.size()) return "missing in its run: " + outputs[i]->dump();
      if (*outputs[i] != *mine[i]) return describe(*outputs[i], *mine[i]);
    }
    if (mine.size() > outputs.size()) return "too much in its run: " + mine.back()->dump();
  }
  return std::nullopt;
}

/// One event, one subtask.
Difference compareSequence(const std::vector<json>& expected, const std::vector<json>& got,
                           const Order& order) {
  std::vector<json> want;
  std::vector<json> have;
  for (const json& output : expected) want.push_back(normalized(output, order));
  for (const json& output : got) have.push_back(normalized(output, order));
  for (const Run& run : runsOf(expected, order)) {
    if (run.end > have.size()) {
      const size_t missing = std::max(run.begin, have.size());
      return "missing: " + want[missing].dump() + " (" + std::to_string(want.size()) +
             " expected, got " + std::to_string(have.size()) + ")";
    }
    const auto slice = [&run](const std::vector<json>& all) {
      return std::vector<json>(all.begin() + static_cast<int64_t>(run.begin),
                               all.begin() + static_cast<int64_t>(run.end));
    };
    if (auto found = compareRun(slice(want), slice(have), order)) return found;
  }
  if (have.size() > want.size()) return "too much: " + have[want.size()].dump();
  return std::nullopt;
}

}  // namespace

Difference compareOutputs(const json& expected, const std::vector<json>& got, const json& order) {
  using Place = std::pair<int64_t, int64_t>;  // Event, subtask.
  const auto place = [](const json& output) {
    return Place{output.at("after").get<int64_t>(), output.value("subtask", int64_t{0})};
  };
  std::map<Place, std::pair<std::vector<json>, std::vector<json>>> by_place;
  for (const json& output : expected) by_place[place(output)].first.push_back(output);
  for (const json& output : got) by_place[place(output)].second.push_back(output);
  const Order rules(order);
  for (const auto& [where, both] : by_place) {
    if (auto found = compareSequence(both.first, both.second, rules)) {
      return "event " + std::to_string(where.first) +
             (where.second > 0 ? ", subtask " + std::to_string(where.second) : "") + ": " + *found;
    }
  }
  return std::nullopt;
}

}  // namespace wiesel::conformance
