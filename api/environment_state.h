#pragma once

#include <memory>

#include "api/program.h"
#include "common/config/configuration.h"

namespace wiesel::internal {

/// What the handles of one environment share.
struct EnvironmentState {
  std::shared_ptr<Program> program = std::make_shared<Program>();  // Shared with its streams.
  Configuration configuration;
};

}  // namespace wiesel::internal
