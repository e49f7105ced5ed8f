#pragma once

#include <string>
#include <vector>

#include "common/config/configuration.h"

namespace wiesel {

/// What takeDynamicProperties() found.
struct DynamicProperties {
  Configuration configuration;
  std::vector<std::string> remaining;  // The other arguments, in order.
  std::string error;                   // Empty: none. Says what is wrong with a -D argument.
};

/// Takes `-Dkey=value` and `-D key=value` out of the arguments, up to a `--`; `-Dkey` alone means
/// true. Of two values for a key the later wins. Flink: the -D option of CliFrontend (1.20).
DynamicProperties takeDynamicProperties(const std::vector<std::string>& arguments);

}  // namespace wiesel
