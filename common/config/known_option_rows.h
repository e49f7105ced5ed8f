#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "common/config/known_options.h"

namespace wiesel::internal {

template <class T>
bool acceptsValue(std::string_view value) {
  return ConfigValue<T>::parse(value).has_value();
}

template <class T>
std::string defaultText(const ConfigOption<T>& option) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return ConfigValue<T>::format(option.default_value);
  } else {
    return std::string(option.default_value);
  }
}

template <class T>
KnownOption makeRow(std::string_view key, std::string default_text, const FallbackKeys& old_names,
                    KnownOption::Effect effect) {
  return {key, std::move(default_text), old_names, effect, &acceptsValue<T>, &ConfigValue<T>::form};
}

// The table says of each option what it does; tests/build_rules/check_options compares that with
// the sources.

/// An option that does something.
template <class T>
KnownOption used(const ConfigOption<T>& option) {
  return makeRow<T>(option.key, defaultText(option), option.fallback_keys,
                    KnownOption::Effect::kYes);
}
template <class T>
KnownOption used(const OptionalConfigOption<T>& option) {
  return makeRow<T>(option.key, "", option.fallback_keys, KnownOption::Effect::kYes);
}

/// All keys below an option that is a map: "a.b.*".
inline KnownOption usedBelow(std::string_view pattern) {
  return makeRow<std::string>(pattern, "", {}, KnownOption::Effect::kYes);
}

/// A key that is read only in place of others, as their fallback.
template <class T>
KnownOption usedAsFallback(std::string_view key) {
  return makeRow<T>(key, "", {}, KnownOption::Effect::kYes);
}

/// An option of which only checkOptionBounds() takes notice: it refuses what does not exist here.
template <class T>
KnownOption checked(const ConfigOption<T>& option) {
  return used(option);
}

/// An option that has a constant already but does nothing yet.
template <class T>
KnownOption unused(const ConfigOption<T>& option) {
  return makeRow<T>(option.key, defaultText(option), option.fallback_keys,
                    KnownOption::Effect::kNotYet);
}
template <class T>
KnownOption unused(const OptionalConfigOption<T>& option) {
  return makeRow<T>(option.key, "", option.fallback_keys, KnownOption::Effect::kNotYet);
}

/// An option that is read and handed on, to nobody who acts on it yet.
template <class Option>
KnownOption carried(const Option& option) {
  return unused(option);
}

/// A key of Flink's for which there is no constant.
template <class T>
KnownOption accepted(std::string_view key, std::string default_text = "",
                     const FallbackKeys& old_names = {}) {
  return makeRow<T>(key, std::move(default_text), old_names, KnownOption::Effect::kNotYet);
}

// Parts of the table, one file each.
void addClusterRows(std::vector<KnownOption>& rows);
void addJobRows(std::vector<KnownOption>& rows);
void addOtherRows(std::vector<KnownOption>& rows);

/// Adds to `errors` what values of a right type still may not say. Requires right types.
void checkOptionBounds(const Configuration& configuration, std::vector<std::string>& errors);

}  // namespace wiesel::internal
