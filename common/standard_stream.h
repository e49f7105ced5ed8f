#pragma once

#include <cstdint>

namespace wiesel {

/// Which of a process's two outputs a line goes to.
enum class StandardStream : uint8_t { kOut, kErr };

}  // namespace wiesel
