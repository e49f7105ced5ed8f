#include <bit>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>

#include "common/hash/murmur.h"
#include "common/serialization/serializer.h"
#include "common/serialization/variant_serializer.h"
#include "state/key_group.h"
#include "tests/conformance/families.h"

namespace wiesel::conformance {

namespace {

using nlohmann::json;
using Difference = std::optional<std::string>;

/// The recorder's POJO key.
struct Pojo {
  int32_t id = 0;
  std::string name;
};
WIESEL_DESCRIBE(Pojo, id, name)

/// A key that is no tuple; it hashes as its alternative does.
using Scalar =
    std::variant<bool, int8_t, int16_t, int32_t, int64_t, float, double, std::string, Pojo>;

Scalar parseScalar(const json& key) {
  const std::string type = key.at("type");
  if (type == "Pojo") return Pojo{key.at("id"), key.at("name")};
  if (type == "Double") return std::bit_cast<double>(key.at("bits").get<int64_t>());
  if (type == "Float") return std::bit_cast<float>(key.at("bits").get<int32_t>());
  const json& value = key.at("value");
  if (type == "Boolean") return value.get<bool>();
  if (type == "Byte") return value.get<int8_t>();
  if (type == "Short") return value.get<int16_t>();
  if (type == "Integer") return value.get<int32_t>();
  if (type == "Long") return value.get<int64_t>();
  if (type == "String") return value.get<std::string>();
  throw std::invalid_argument("keys of type " + type + " are not known to this runner");
}

template <size_t... i>
int32_t hashOfTuple(const json& key, std::index_sequence<i...>) {
  const auto tuple = std::make_tuple(parseScalar(key.at("f" + std::to_string(i)))...);
  return Serializer<std::remove_const_t<decltype(tuple)>>::hashCode(tuple);
}

int32_t hashCodeOf(const json& key) {
  const std::string type = key.at("type");
  if (type == "Tuple1") return hashOfTuple(key, std::make_index_sequence<1>());
  if (type == "Tuple2") return hashOfTuple(key, std::make_index_sequence<2>());
  if (type == "Tuple3") return hashOfTuple(key, std::make_index_sequence<3>());
  if (type == "Tuple4") return hashOfTuple(key, std::make_index_sequence<4>());
  if (type == "Tuple5") return hashOfTuple(key, std::make_index_sequence<5>());
  return Serializer<Scalar>::hashCode(parseScalar(key));
}

Difference compare(const std::string& what, int64_t expected, int64_t got) {
  if (expected == got) return std::nullopt;
  return what + ": expected " + std::to_string(expected) + ", got " + std::to_string(got);
}

Difference compareKey(const json& row) {
  const int32_t hash = hashCodeOf(row.at("key"));
  if (auto found = compare("hashCode", row.at("hashCode"), hash)) return found;
  if (auto found = compare("murmur", row.at("murmur"), murmurHash(hash))) return found;
  for (const json& assignment : row.at("assignments")) {
    const int max_parallelism = assignment.at("maxParallelism");
    const int parallelism = assignment.at("parallelism");
    const int key_group = state::keyGroupFor(hash, max_parallelism);
    const std::string numbers =
        " of " + std::to_string(max_parallelism) + " at parallelism " + std::to_string(parallelism);
    if (auto found = compare("key group" + numbers, assignment.at("keyGroup"), key_group)) {
      return found;
    }
    const int subtask = state::subtaskFor(key_group, parallelism, max_parallelism);
    if (auto found = compare("subtask" + numbers, assignment.at("subtask"), subtask)) return found;
  }
  return std::nullopt;
}

Difference compareHash(const json& row) {
  const int32_t hash = row.at("keyHash");
  if (auto found = compare("murmur", row.at("murmur"), murmurHash(hash))) return found;
  return compare("keyGroup", row.at("keyGroup"),
                 state::keyGroupFor(hash, row.at("maxParallelism")));
}

Difference compareRanges(const json& row) {
  const int max_parallelism = row.at("maxParallelism");
  const int parallelism = row.at("parallelism");
  const json& ranges = row.at("rangesInclusive");
  if (auto found = compare("ranges", static_cast<int64_t>(ranges.size()), parallelism)) {
    return found;
  }
  for (int subtask = 0; subtask < parallelism; ++subtask) {
    const auto range = state::keyGroupRangeFor(subtask, parallelism, max_parallelism);
    const json& expected = ranges.at(static_cast<size_t>(subtask));
    const std::string of_subtask = " of subtask " + std::to_string(subtask);
    if (auto found = compare("start" + of_subtask, expected.at(0), range.start)) return found;
    if (auto found = compare("end" + of_subtask, expected.at(1), range.end)) return found;
  }
  for (const json& owner : row.at("ownerOfKeyGroup")) {
    const int key_group = owner.at(0);
    const int subtask = state::subtaskFor(key_group, parallelism, max_parallelism);
    if (auto found =
            compare("owner of key group " + std::to_string(key_group), owner.at(1), subtask)) {
      return found;
    }
  }
  return std::nullopt;
}

Difference compareDefaults(const json& row) {
  for (const json& pair : row.at("rows")) {
    const int parallelism = pair.at(0);
    if (auto found = compare("default at parallelism " + std::to_string(parallelism), pair.at(1),
                             state::defaultMaxParallelism(parallelism))) {
      return found;
    }
  }
  return std::nullopt;
}

Difference replay(const json& row, Backend) {
  const std::string table = row.at("table");
  if (table == "key") return compareKey(row);
  if (table == "hash") return compareHash(row);
  if (table == "ranges") return compareRanges(row);
  if (table == "defaultMaxParallelism") return compareDefaults(row);
  return "the table " + table + " is not known to this runner";
}

}  // namespace

Family keyGroupsFamily() { return {.name = "key_groups", .replay = replay}; }

}  // namespace wiesel::conformance
