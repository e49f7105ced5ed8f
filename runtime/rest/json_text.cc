#include "runtime/rest/json_text.h"

#include <nlohmann/json.hpp>

namespace wiesel::runtime {

std::string toJsonText(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace wiesel::runtime
