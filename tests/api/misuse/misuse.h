#pragma once

// What each misuse begins with.

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "api/wiesel.h"

inline auto text() {
  return wiesel::StreamExecutionEnvironment::getExecutionEnvironment().fromElements(
      std::string("text"));
}
