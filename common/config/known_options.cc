#include "common/config/known_options.h"

#include <algorithm>
#include <functional>
#include <map>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/config/high_availability_options.h"
#include "common/config/known_option_rows.h"

namespace wiesel {
namespace {

struct Index {
  std::map<std::string_view, const KnownOption*, std::less<>> by_key;
  std::map<std::string_view, const KnownOption*, std::less<>> by_old_name;
  std::vector<const KnownOption*> patterns;
};

Index makeIndex() {
  Index index;
  for (const KnownOption& option : knownOptions()) {
    if (option.isPattern()) {
      index.patterns.push_back(&option);
    } else {
      index.by_key.emplace(option.key, &option);
    }
    for (const std::string_view old_name : option.old_names) {
      if (!old_name.empty()) index.by_old_name.emplace(old_name, &option);
    }
  }
  return index;
}

const Index& knownIndex() {
  static const Index* const index = new Index(makeIndex());
  return *index;
}

bool covers(const KnownOption& pattern, std::string_view key) {
  const std::string_view prefix = pattern.key.substr(0, pattern.key.size() - 1);
  return key.size() > prefix.size() && key.starts_with(prefix);
}

std::string_view shownValue(std::string_view key, std::string_view value) {
  return isSensitiveKey(key) ? kHiddenValue : value;
}

/// Sorts the keys of one configuration into what has to be said about them.
struct Findings {
  std::vector<std::string> errors;
  std::vector<std::string> old_names;  // Whole warnings.
  std::vector<std::string> unknown;
  std::vector<std::string> without_effect;

  void add(const std::string& key, const std::string& value) {
    const KnownOption* option = findKnownOption(key);
    if (option == nullptr) {
      unknown.push_back(key);
      return;
    }
    if (!option->accepts(value)) {
      errors.push_back(ConfigurationError(key, shownValue(key, value), option->form()).what());
    }
    if (!option->isPattern() && option->key != key) {
      old_names.push_back(
          absl::StrFormat("Configuration key '%s' is an old name of '%s'", key, option->key));
    }
    if (option->effect == KnownOption::Effect::kNotYet) without_effect.push_back(key);
  }

  std::vector<std::string> takeWarnings() {
    std::vector<std::string> warnings = std::move(old_names);
    if (!unknown.empty()) {
      warnings.push_back("Unknown configuration keys, ignored: " + absl::StrJoin(unknown, ", "));
    }
    if (!without_effect.empty()) {
      warnings.push_back("Configuration keys of Flink without effect in this version: " +
                         absl::StrJoin(without_effect, ", "));
    }
    return warnings;
  }
};

}  // namespace

const std::vector<KnownOption>& knownOptions() {
  static const std::vector<KnownOption>* const options = [] {
    auto* rows = new std::vector<KnownOption>;
    internal::addClusterRows(*rows);
    internal::addJobRows(*rows);
    internal::addOtherRows(*rows);
    return rows;
  }();
  return *options;
}

const KnownOption* findKnownOption(std::string_view key) {
  const Index& index = knownIndex();
  if (const auto found = index.by_key.find(key); found != index.by_key.end()) return found->second;
  if (const auto found = index.by_old_name.find(key); found != index.by_old_name.end()) {
    return found->second;
  }
  for (const KnownOption* pattern : index.patterns) {
    if (covers(*pattern, key)) return pattern;
  }
  return nullptr;
}

ConfigurationCheck checkConfiguration(const Configuration& configuration) {
  Findings findings;
  for (const auto& [key, value] : configuration.entries()) findings.add(key, value);
  // Bounds make sense only for values of the right type.
  if (findings.errors.empty()) internal::checkOptionBounds(configuration, findings.errors);
  ConfigurationCheck check;
  if (!findings.errors.empty()) {
    check.status = absl::InvalidArgumentError(absl::StrJoin(findings.errors, "; "));
  }
  check.warnings = findings.takeWarnings();
  if (check.status.ok() && configuration.get(kHighAvailability) != HighAvailabilityType::kNone) {
    check.warnings.push_back(absl::StrFormat(
        "%s is not in this version: jobs end with their JobManager, and nothing starts them again. "
        "Retain their checkpoints and give the last one to `wiesel run -s`",
        kHighAvailability.key));
  }
  return check;
}

bool isSensitiveKey(std::string_view key) {
  static constexpr std::string_view kSensitiveParts[] = {
      "password",    "secret", "fs.azure.account.key", "apikey",      "auth-params",
      "service-key", "token",  "basic-auth",           "jaas.config", "http-headers"};
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::any_of(std::begin(kSensitiveParts), std::end(kSensitiveParts),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace wiesel
