#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "api/data_stream.h"
#include "common/serialization/describe.h"
#include "runtime/functions/process_function.h"

namespace wiesel::conformance {

/// The record of the process, co_process and state_ttl families: what the function is to do.
struct KeyedOps {
  std::string k;  // Empty when the function has no keys.
  int32_t n = 0;
  std::string ops;  // A JSON array of operations.
};
WIESEL_DESCRIBE(KeyedOps, k, n, ops)

/// What a function puts out, as JSON text.
struct Report {
  std::string json;
};
WIESEL_DESCRIBE(Report, json)

void fromJson(const nlohmann::json& json, KeyedOps& record);
nlohmann::json toJson(const Report& report);

inline Report reportOf(const nlohmann::json& json) { return {json.dump()}; }

/// The side output of the operation "side".
inline OutputTag<Report> sideTag() { return OutputTag<Report>("side"); }

/// Executes the recorder's operations with the state of a function's current key.
class Operations {
 public:
  /// `op` is the scenario's operator.
  explicit Operations(const nlohmann::json& op);

  /// Declares the states of a keyed function.
  void open(RuntimeContext& context);

  /// Executes what a record asks for; its key is null where there are no keys.
  void onRecord(const KeyedOps& record, const nlohmann::json& key, runtime::ProcessContext& context,
                Collector<Report>& out);

  /// Tells that a timer has come, and executes operator.onTimer.
  void onTimer(int64_t timestamp_ms, const std::string& key, TimeDomain domain,
               runtime::ProcessContext& context, Collector<Report>& out);

 private:
  using json = nlohmann::json;

  void run(const json& operations, const json& key, runtime::ProcessContext& context,
           Collector<Report>& out);
  void change(const std::string& name, const json& operation);
  json read(const std::string& name, const json& operation, runtime::ProcessContext& context);

  json on_timer_;
  json ttl_;  // Null: state lives for ever.
  ValueState<int32_t> value_;
  ListState<int32_t> list_;
  MapState<std::string, int32_t> map_;
  ReducingState<int32_t> reducing_;
  AggregatingState<int32_t, std::string> aggregating_;
};

}  // namespace wiesel::conformance
