#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace wiesel::checkpoint {

/// Checks that `bytes` are one complete serialized Java object of plain fields, strings, enums and
/// such objects: the properties at the end of a version 4 _metadata, whose content nobody here
/// needs, but whose end tells that the file is whole. DataLoss otherwise.
absl::Status checkJavaObject(std::string_view bytes);

}  // namespace wiesel::checkpoint
