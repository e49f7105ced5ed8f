#pragma once

#include <string>
#include <vector>

namespace wiesel::client {

/// What a finished program left.
struct ProgramResult {
  int exit_status = -1;  // Negative: the signal that killed it.
  std::string output;
  std::string errors;
};

/// Runs a program to its end. Its standard input is empty.
ProgramResult runProgram(const std::vector<std::string>& command);

/// Runs the built `wiesel`.
ProgramResult runWiesel(std::vector<std::string> arguments);

}  // namespace wiesel::client
