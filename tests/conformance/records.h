#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "common/serialization/describe.h"

namespace wiesel::conformance {

/// The record of the window, join, rolling and watermark families.
struct Record {
  std::string k;
  int32_t v = 0;
  int32_t n = 0;
};
WIESEL_DESCRIBE(Record, k, v, n)

inline void fromJson(const nlohmann::json& json, Record& record) {
  record = {json.at("k"), json.at("v"), json.at("n")};
}

inline nlohmann::json toJson(const Record& record) {
  return {{"k", record.k}, {"v", record.v}, {"n", record.n}};
}

/// Java's int addition, which wraps.
inline int32_t wrappingSum(int32_t left, int32_t right) {
  return static_cast<int32_t>(static_cast<uint32_t>(left) + static_cast<uint32_t>(right));
}

/// The recorder's reduce function.
inline Record reduceRecords(const Record& left, const Record& right) {
  return {left.k, wrappingSum(left.v, right.v), std::min(left.n, right.n)};
}

}  // namespace wiesel::conformance
