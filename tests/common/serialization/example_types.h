#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/serialization/describe.h"

namespace wiesel::examples {

/// The POJO of the savepoints that Flink wrote. Its fields are declared in another order than they
/// are stored in.
struct Person {
  std::optional<std::string> name;
  std::optional<int32_t> age;
  std::optional<double> score;
  bool active = false;
  std::optional<int64_t> seen;
  bool operator==(const Person&) const = default;
};
WIESEL_DESCRIBE(Person, name, age, score, active, seen)
WIESEL_JAVA_CLASS(Person, "org.wiesel.oracle.SavepointCheck$Person")

struct Address {
  std::string street;
  int32_t number = 0;
  bool operator==(const Address&) const = default;
};
WIESEL_DESCRIBE(Address, street, number)

enum class Level : uint8_t { kLow = 1, kHigh = 200 };

/// A struct with everything inside.
struct Order {
  std::string user;
  double amount = 0;
  std::optional<Address> address;
  std::vector<Address> stops;
  std::map<std::string, std::optional<int64_t>> counts;
  std::vector<std::optional<std::string>> notes;
  Level level = Level::kLow;
  uint32_t flags = 0;
  bool operator==(const Order&) const = default;
};
WIESEL_DESCRIBE(Order, user, amount, address, stops, counts, notes, level, flags)

}  // namespace wiesel::examples
