#include "common/config/configuration.h"

namespace wiesel {
namespace {

std::string describeError(std::string_view key, std::string_view value,
                          std::string_view expected_form) {
  std::string message = "configuration key '";
  message.append(key).append("' has the value '").append(value);
  message.append("'; expected ").append(expected_form);
  return message;
}

}  // namespace

ConfigurationError::ConfigurationError(std::string_view key, std::string_view value,
                                       std::string_view expected_form)
    : std::invalid_argument(describeError(key, value, expected_form)) {}

void Configuration::setString(std::string key, std::string value) {
  entries_.insert_or_assign(std::move(key), std::move(value));
}

std::optional<std::string> Configuration::getString(std::string_view key) const {
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) return std::nullopt;
  return entry->second;
}

void Configuration::remove(std::string_view key) {
  const auto entry = entries_.find(key);
  if (entry != entries_.end()) entries_.erase(entry);
}

std::vector<std::string> Configuration::keys() const {
  std::vector<std::string> keys;
  keys.reserve(entries_.size());
  for (const auto& entry : entries_) keys.push_back(entry.first);
  return keys;
}

void Configuration::merge(const Configuration& overrides) {
  for (const auto& [key, value] : overrides.entries_) entries_.insert_or_assign(key, value);
}

std::optional<std::pair<std::string_view, std::string>> Configuration::findText(
    std::string_view key, const FallbackKeys& fallback_keys) const {
  if (const auto entry = entries_.find(key); entry != entries_.end()) return *entry;
  for (const std::string_view fallback : fallback_keys) {
    if (fallback.empty()) break;
    if (const auto entry = entries_.find(fallback); entry != entries_.end()) return *entry;
  }
  return std::nullopt;
}

std::map<std::string, std::string> Configuration::entriesBelow(std::string_view key) const {
  const std::string prefix = std::string(key) + ".";
  std::map<std::string, std::string> below;
  for (auto entry = entries_.lower_bound(prefix);
       entry != entries_.end() && entry->first.starts_with(prefix); ++entry) {
    below.emplace(entry->first.substr(prefix.size()), entry->second);
  }
  return below;
}

}  // namespace wiesel
