#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wiesel {

/// Splits at `delimiter` outside quotes and trims the parts; empty parts vanish. A part may stand
/// in single or double quotes, in which the quote itself is doubled. nullopt when a quote is left
/// open or does not end its part. Flink: StructuredOptionsSplitter.splitEscaped (1.20).
std::optional<std::vector<std::string>> splitStructuredText(std::string_view text, char delimiter);

/// The inverse: quotes the parts that need it.
std::string joinStructuredText(const std::vector<std::string>& parts, char delimiter);

}  // namespace wiesel
