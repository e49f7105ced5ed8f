#pragma once

#include <string_view>

namespace wiesel {

/// The version of this build. Processes of one cluster and the jobs on it are of one version.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace wiesel
