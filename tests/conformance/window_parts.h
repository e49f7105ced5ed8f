#pragma once

#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {

// The parts of the window family, each compiled by itself.

/// Applies the function of the scenario to windows of a keyed stream, or of a whole one.
void applyToKeyedTimeWindows(Scenario& scenario, const DataStream<Record>& records);
void applyToKeyedGlobalWindows(Scenario& scenario, const DataStream<Record>& records);
void applyToAllWindows(Scenario& scenario, const DataStream<Record>& records);

}  // namespace wiesel::conformance
