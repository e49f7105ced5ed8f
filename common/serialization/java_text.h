#pragma once

#include <string>

namespace wiesel {

/// The text of a number as Java prints it, e.g. `100.0`, `1.0E7`, `4.9E-324`, `NaN`, `-Infinity`:
/// the fewest digits that read back as the same number, at least one after the point, in decimal
/// notation from 10^-3 to 10^7 and with an exponent outside.
///
/// Java: Double.toString and Float.toString since 19. Older ones sometimes print a digit more.
std::string javaDoubleText(double value);
std::string javaFloatText(float value);

}  // namespace wiesel
