#pragma once

// What tests of one's own functions need: #include <wiesel/testing.h> beside <wiesel/wiesel.h>.

#include "api/testing/function_harness.h"
#include "api/testing/program_harness.h"
