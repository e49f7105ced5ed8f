#pragma once

namespace wiesel::runtime {

/// Lets this process, and the workers that it starts, open as many files and connections as the
/// system allows, rather than the 1024 that programs get by default.
void raiseFileLimit();

}  // namespace wiesel::runtime
