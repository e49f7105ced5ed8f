#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/config/config_option.h"
#include "common/config/config_value.h"

namespace wiesel {

/// A value that is not of its option's type. what() names key, value and expected form.
class ConfigurationError : public std::invalid_argument {
 public:
  ConfigurationError(std::string_view key, std::string_view value, std::string_view expected_form);
};

/// Keys and values as text, spelt as Flink spells them, with typed access through options.
///
/// Threads: a value; not synchronised.
/// Errors:  get() throws ConfigurationError for a malformed value. Processes of Wiesel run
///          checkConfiguration() (known_options.h) when they start, so that it cannot happen later.
/// Flink:   Configuration (1.20).
class Configuration {
 public:
  using Entries = std::map<std::string, std::string, std::less<>>;

  static Configuration fromEntries(Entries entries) {
    Configuration configuration;
    configuration.entries_ = std::move(entries);
    return configuration;
  }

  void setString(std::string key, std::string value);

  /// The value of exactly this key; other names are not tried.
  std::optional<std::string> getString(std::string_view key) const;

  bool contains(std::string_view key) const { return entries_.contains(key); }
  void remove(std::string_view key);

  /// All keys, sorted.
  std::vector<std::string> keys() const;
  const Entries& entries() const { return entries_; }

  /// Takes over all entries of `overrides`; where both have a key, `overrides` wins.
  void merge(const Configuration& overrides);

  /// The value of the option's key, else of the first of its fallback keys that is set, else the
  /// default.
  template <class T>
  T get(const ConfigOption<T>& option) const {
    if (std::optional<T> value = getOptional(option)) return *std::move(value);
    if constexpr (std::is_trivially_copyable_v<T>) {
      return option.default_value;
    } else {
      return parse<T>(option.key, option.default_value);
    }
  }

  template <class T>
  std::optional<T> get(const OptionalConfigOption<T>& option) const {
    return find<T>(option.key, option.fallback_keys);
  }

  /// Like get(), but nullopt when only the default speaks.
  template <class T>
  std::optional<T> getOptional(const ConfigOption<T>& option) const {
    return find<T>(option.key, option.fallback_keys);
  }

  /// True when the option is set, by its key or a fallback key.
  template <class Option>
  requires requires(const Option& option) { option.fallback_keys; }
  bool contains(const Option& option) const {
    return findText(option.key, option.fallback_keys).has_value();
  }

  template <class T>
  void set(const ConfigOption<T>& option, const std::type_identity_t<T>& value) {
    setString(std::string(option.key), ConfigValue<T>::format(value));
  }
  template <class T>
  void set(const OptionalConfigOption<T>& option, const std::type_identity_t<T>& value) {
    setString(std::string(option.key), ConfigValue<T>::format(value));
  }

  friend bool operator==(const Configuration&, const Configuration&) = default;

 private:
  /// The key that speaks for an option, and its value.
  std::optional<std::pair<std::string_view, std::string>> findText(
      std::string_view key, const FallbackKeys& fallback_keys) const;
  /// The entries below `key` + ".": a map option may be written as one entry a map key.
  std::map<std::string, std::string> entriesBelow(std::string_view key) const;

  template <class T>
  static T parse(std::string_view key, std::string_view text) {
    std::optional<T> value = ConfigValue<T>::parse(text);
    if (!value.has_value()) throw ConfigurationError(key, text, ConfigValue<T>::form());
    return *std::move(value);
  }

  template <class T>
  std::optional<T> find(std::string_view key, const FallbackKeys& fallback_keys) const {
    if (const auto found = findText(key, fallback_keys)) {
      return parse<T>(found->first, found->second);
    }
    if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
      if (T below = entriesBelow(key); !below.empty()) return below;
    }
    return std::nullopt;
  }

  Entries entries_;
};

}  // namespace wiesel
