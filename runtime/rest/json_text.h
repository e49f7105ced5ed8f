#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace wiesel::runtime {

/// The JSON in one line. Bytes that are not UTF-8 are replaced: names and messages are the user's.
std::string toJsonText(const nlohmann::json& value);

}  // namespace wiesel::runtime
