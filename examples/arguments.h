#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "wiesel/wiesel.h"

namespace examples {

// How the examples read their command lines.

/// A whole number from `least` to `most`. Throws std::invalid_argument.
inline int64_t longOf(const wiesel::ParameterTool& args, const std::string& name, int64_t fallback,
                      int64_t least, int64_t most) {
  const int64_t value = args.getLong(name, fallback);
  if (value < least || value > most) {
    throw std::invalid_argument("--" + name + " needs a number from " + std::to_string(least) +
                                " to " + std::to_string(most) + ", got " + std::to_string(value));
  }
  return value;
}

inline uint16_t portOf(const wiesel::ParameterTool& args, const std::string& name,
                       int64_t fallback) {
  return static_cast<uint16_t>(longOf(args, name, fallback, 1, 65535));
}

/// One of `choices`; the first one when nothing is given. Throws std::invalid_argument.
inline std::string oneOf(const wiesel::ParameterTool& args, const std::string& name,
                         const std::vector<std::string>& choices) {
  const std::string chosen = args.get(name, choices.front());
  std::string known;
  for (const std::string& choice : choices) {
    if (choice == chosen) return chosen;
    known += (known.empty() ? "" : ", ") + choice;
  }
  throw std::invalid_argument("--" + name + " needs one of " + known + ", got '" + chosen + "'");
}

/// The body of main(): `parse(ParameterTool)` makes the options that `run` takes. Wrong arguments
/// end with status 2 and the usage.
template <class Parse, class Run>
int runExample(int argc, char** argv, const std::string& program, const char* usage, Parse parse,
               Run run) {
  const auto options = [&] {
    try {
      const auto args = wiesel::ParameterTool::fromArgs(argc, argv);
      if (args.has("help") || args.has("h")) {
        std::cout << usage;
        std::exit(0);
      }
      return parse(args);
    } catch (const std::invalid_argument& error) {
      std::cerr << program << ": " << error.what() << "\n" << usage;
      std::exit(2);
    }
  }();
  run(options);
  return 0;
}

}  // namespace examples
