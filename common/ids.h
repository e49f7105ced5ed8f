#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "common/random.h"

namespace wiesel {

/// A 128-bit identifier; all zero when default-constructed. Its text is 32 lower-case hex digits,
/// bytes in order. Flink: AbstractID (1.20).
class Id128 {
 public:
  static constexpr size_t kSize = 16;

  constexpr Id128() = default;
  explicit constexpr Id128(const std::array<uint8_t, kSize>& bytes) : bytes_(bytes) {}

  /// Accepts exactly 32 hex digits of either case.
  static std::optional<Id128> fromHex(std::string_view hex);
  /// Accepts exactly 16 bytes, as bytes() gives them.
  static std::optional<Id128> fromBytes(std::string_view bytes);

  std::string toHex() const;
  std::string toBytes() const;
  const std::array<uint8_t, kSize>& bytes() const { return bytes_; }
  bool isZero() const { return bytes_ == std::array<uint8_t, kSize>{}; }

  friend auto operator<=>(const Id128&, const Id128&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Id128& id) { return out << id.toHex(); }

  template <typename H>  // absl's hash tables find this one.
  friend H AbslHashValue(H state, const Id128& id) {
    return H::combine(std::move(state), id.bytes_);
  }

 private:
  std::array<uint8_t, kSize> bytes_{};
};

Id128 randomId(RandomSource& random);

using JobId = Id128;
using JobVertexId = Id128;
using OperatorId = Id128;
using ExecutionAttemptId = Id128;
using AllocationId = Id128;
using WorkerId = Id128;

}  // namespace wiesel

template <>
struct std::hash<wiesel::Id128> {
  size_t operator()(const wiesel::Id128& id) const noexcept;
};
