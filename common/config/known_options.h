#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "common/config/config_option.h"
#include "common/config/configuration.h"

namespace wiesel {

/// One row of the table of Flink 1.20's configuration keys.
struct KnownOption {
  enum class Effect {
    kYes,
    kNotYet,  // Accepted; setting it is answered by a warning.
  };

  std::string_view key;      // "prefix.*" stands for all keys below the prefix.
  std::string default_text;  // Empty: none.
  FallbackKeys old_names;    // Read when `key` is not set.
  Effect effect;
  bool (*accepts)(std::string_view value);
  std::string (*form)();  // What `accepts` expects, for people.

  bool isPattern() const { return key.ends_with(".*"); }
};

/// The whole table, in the order of its subjects.
const std::vector<KnownOption>& knownOptions();

/// The row of a key, an old name, or else the pattern that covers it; null when it is unknown.
const KnownOption* findKnownOption(std::string_view key);

struct ConfigurationCheck {
  /// InvalidArgument naming every bad value with its key and the expected form.
  absl::Status status;
  /// For the log: one for each old name, one for all unknown keys, one for all without effect.
  std::vector<std::string> warnings;
};

/// Checks a process's whole configuration: types, bounds and values that exclude each other.
ConfigurationCheck checkConfiguration(const Configuration& configuration);

/// True for keys whose values are shown as kHiddenValue. Flink: GlobalConfiguration.isSensitive.
bool isSensitiveKey(std::string_view key);
inline constexpr std::string_view kHiddenValue = "******";

}  // namespace wiesel
