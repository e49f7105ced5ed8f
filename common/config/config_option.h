#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/config/config_value.h"

namespace wiesel {

/// Other keys that are read, in order, when the option's own key is not set: old names mostly.
using FallbackKeys = std::array<std::string_view, 3>;

/// A configuration key with its type and default. Options are constants, one header a subject:
///   inline constexpr ConfigOption<int32_t> kDefaultParallelism{"parallelism.default", 1};
///
/// `default_value` is a T when that can be a constant, else the text that parses to it.
///
/// Flink: ConfigOption (1.20).
template <class T>
struct ConfigOption {
  using Default = std::conditional_t<std::is_trivially_copyable_v<T>, T, std::string_view>;

  std::string_view key;
  Default default_value;
  FallbackKeys fallback_keys{};
};

/// A configuration key that has no default: reading it gives an optional.
template <class T>
struct OptionalConfigOption {
  std::string_view key;
  FallbackKeys fallback_keys{};
};

}  // namespace wiesel
