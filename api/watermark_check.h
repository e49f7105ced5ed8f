#pragma once

#include <string>

#include "api/stream_handle.h"

namespace wiesel::internal {

/// Throws InvalidProgramException when the operator `name`, which works by event time, would never
/// see a watermark: nothing before it, on any path, makes some. Warns when only a SourceFunction
/// may do so by itself.
void requireWatermarks(const Upstream& upstream, const std::string& name);

}  // namespace wiesel::internal
