#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/configuration.h"

namespace wiesel {

/// The arguments of a program: `--name value`, `--flag`, and `-D key=value` for the configuration.
///
/// Errors: std::invalid_argument, naming the argument.
/// Flink:  ParameterTool (1.20).
class ParameterTool {
 public:
  static ParameterTool fromArgs(int argc, const char* const* argv);

  bool has(const std::string& name) const { return values_.contains(name); }
  std::string get(const std::string& name, const std::string& fallback) const;
  /// Fails when the argument is missing.
  std::string getRequired(const std::string& name) const;
  int64_t getLong(const std::string& name, int64_t fallback) const;

  /// Fails when an argument has another name than these: a typing error must not go unnoticed.
  void allowOnly(const std::vector<std::string_view>& names) const;

  /// What was given with -D.
  const Configuration& configuration() const { return configuration_; }

 private:
  std::map<std::string, std::string> values_;
  Configuration configuration_;
};

}  // namespace wiesel
