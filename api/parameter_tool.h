#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/configuration.h"

namespace wiesel {

/// The arguments of a program: `--name value`, `--flag`, and `-D key=value` for the configuration.
/// They can also come from a map or a properties file, and go to the functions of a job with
/// ExecutionConfig::setGlobalJobParameters().
///
/// A getter with a fallback gives it when the argument is missing; one without fails then.
///
/// Errors: std::invalid_argument, naming the argument and what it needs.
/// Flink:  ParameterTool (1.20). A text that is no number or truth value is an error here for every
///         type; there getBoolean() takes it as false.
class ParameterTool {
 public:
  static ParameterTool fromArgs(int argc, const char* const* argv);
  static ParameterTool fromMap(std::map<std::string, std::string> values);
  /// A file with a line `name=value` each. The workers of a job read it, too, under the same path.
  static ParameterTool fromPropertiesFile(const std::string& path);

  bool has(const std::string& name) const { return values_.contains(name); }
  std::optional<std::string> get(const std::string& name) const;
  std::string get(const std::string& name, const std::string& fallback) const;
  /// Fails also when there is a name without a value.
  std::string getRequired(const std::string& name) const;

  int32_t getInt(const std::string& name) const;
  int32_t getInt(const std::string& name, int32_t fallback) const;
  int64_t getLong(const std::string& name) const;
  int64_t getLong(const std::string& name, int64_t fallback) const;
  float getFloat(const std::string& name) const;
  float getFloat(const std::string& name, float fallback) const;
  double getDouble(const std::string& name) const;
  double getDouble(const std::string& name, double fallback) const;
  /// "true" or "false", in any case.
  bool getBoolean(const std::string& name) const;
  bool getBoolean(const std::string& name, bool fallback) const;

  /// The arguments of both; where both have a name, `other` wins.
  ParameterTool mergeWith(const ParameterTool& other) const;

  const std::map<std::string, std::string>& toMap() const { return values_; }
  size_t getNumberOfParameters() const { return values_.size(); }

  /// Fails when an argument has another name than these: a typing error must not go unnoticed.
  void allowOnly(const std::vector<std::string_view>& names) const;

  /// What was given with -D.
  const Configuration& configuration() const { return configuration_; }

 private:
  template <class Number>
  Number numberOf(const std::string& name, std::string_view form) const;

  std::map<std::string, std::string> values_;
  Configuration configuration_;
};

}  // namespace wiesel
