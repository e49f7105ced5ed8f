#pragma once

#include <stdexcept>
#include <string>

namespace wiesel {

/// The program describes no job that can run. Flink: InvalidProgramException (1.20).
class InvalidProgramException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The job was refused, failed or was cancelled; what() begins with the root cause.
/// Flink: JobExecutionException (1.20).
class JobExecutionException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wiesel
