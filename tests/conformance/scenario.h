#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/testing/program_harness.h"
#include "tests/conformance/families.h"

namespace wiesel::conformance {

inline void fromJson(const nlohmann::json& json, std::string& record) { json.get_to(record); }

/// Plays a scenario of one operator: writes it as a user would, with the public API, on a
/// ProgramHarness, feeds it the events and compares what comes out.
///
///   Scenario scenario(json, backend);
///   auto records = scenario.input<KeyedOps>();        // One call an input of the operator.
///   auto results = records.keyBy(...).process(...);
///   scenario.output(results);                         // toJson(const T&) is found by its type.
///   scenario.sideOutput(results, OutputTag<...>("side"));
///   return scenario.play();
///
/// Input records are made by `void fromJson(const json&, T&)`, outputs by `json toJson(const T&)`,
/// both found in the namespace of T, or of the standard library's types here.
class Scenario {
 public:
  using json = nlohmann::json;

  Scenario(const json& scenario, Backend backend);

  const json& op() const { return scenario_.at("operator"); }

  /// `keyed`: a record goes to the subtask that owns the key group of value.k; `broadcast`: to all
  /// subtasks; neither: to `event.subtask` modulo the parallelism.
  enum class Routing : uint8_t { kKeyed, kBroadcast, kBySubtask };

  template <class T>
  DataStream<T> input(Routing routing = Routing::kKeyed) {
    inputs_.push_back({routing, [this, input = static_cast<int>(inputs_.size())](
                                    int subtask, const json& value, std::optional<int64_t> ts) {
                         T record{};
                         fromJson(value, record);
                         harness_.process<T>(subtask, input, std::move(record), ts);
                       }});
    return harness_.addInput<T>();
  }

  /// The operator's main output, whose watermarks and statuses count, too.
  template <class T>
  void output(const DataStream<T>& stream) {
    harness_.listen<T>(
        stream,
        [this](int subtask, const T& value, std::optional<int64_t> ts) {
          record(subtask, {{"kind", "record"}, {"ts", tsOf(ts)}, {"value", toJson(value)}});
        },
        [this](int subtask, const testing::ControlElement& control) {
          onControl(subtask, control);
        });
  }

  template <class T, class S>
  void sideOutput(const SingleOutputStreamOperator<T>& stream, const OutputTag<S>& tag) {
    harness_.listen<S>(stream.getSideOutput(tag), [this, tag](int subtask, const S& value,
                                                              std::optional<int64_t> ts) {
      record(subtask,
             {{"kind", "sideOutput"}, {"tag", tag.id}, {"ts", tsOf(ts)}, {"value", toJson(value)}});
    });
  }

  /// Writes down something else that happened, such as a call of a user's function.
  void record(int subtask, json output);

  /// Handles a kind of event that only one family has; to be given before play().
  void onEvent(const std::string& kind, std::function<void(const json& event)> handler);

  testing::ProgramHarness& harness() { return harness_; }

  /// Returns the first difference to the recording.
  std::optional<std::string> play();

 private:
  struct Input {
    Routing routing = Routing::kKeyed;
    std::function<void(int subtask, const json& value, std::optional<int64_t> ts)> process;
  };

  static json tsOf(std::optional<int64_t> ts) { return ts ? json(*ts) : json(); }

  void onControl(int subtask, const testing::ControlElement& control);
  void playEvent(const json& event);
  void playRecord(const json& event);
  /// Calls `f(input)` for the input that the event names, or for all.
  void forInputs(const json& event, const std::function<void(int input)>& f);

  const json& scenario_;
  testing::ProgramHarness harness_;
  std::vector<Input> inputs_;
  std::vector<std::pair<std::string, std::function<void(const json&)>>> handlers_;
  std::vector<json> outputs_;
  int64_t event_ = -1;
  bool has_rescaled_ = false;
};

}  // namespace wiesel::conformance
