#include "common/config/structured_text.h"

#include <algorithm>

namespace wiesel {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool isQuote(char c) { return c == '\'' || c == '"'; }

/// Takes a quoted part off the front of `text`; nullopt when its quote is never closed.
std::optional<std::string> takeQuoted(std::string_view& text) {
  const char quote = text.front();
  std::string part;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] != quote) {
      part += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == quote) {
      part += quote;
      ++i;
    } else {
      text.remove_prefix(i + 1);
      return part;
    }
  }
  return std::nullopt;
}

void skipBlanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::string quoteIfNeeded(const std::string& part, char delimiter) {
  const bool plain = !part.empty() && part.find(delimiter) == std::string::npos &&
                     part.find_first_of("'\"") == std::string::npos &&
                     kBlanks.find(part.front()) == std::string_view::npos &&
                     kBlanks.find(part.back()) == std::string_view::npos;
  if (plain) return part;
  std::string quoted = "'";
  for (const char c : part) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

}  // namespace

std::optional<std::vector<std::string>> splitStructuredText(std::string_view text, char delimiter) {
  std::vector<std::string> parts;
  for (skipBlanks(text); !text.empty(); skipBlanks(text)) {
    if (text.front() == delimiter) {
      text.remove_prefix(1);
    } else if (isQuote(text.front())) {
      std::optional<std::string> part = takeQuoted(text);
      if (!part.has_value()) return std::nullopt;
      parts.push_back(*std::move(part));
      skipBlanks(text);
      if (!text.empty() && text.front() != delimiter) return std::nullopt;
    } else {
      const std::string_view rest = text.substr(0, text.find(delimiter));
      parts.emplace_back(rest.substr(0, rest.find_last_not_of(kBlanks) + 1));
      text.remove_prefix(rest.size());
    }
  }
  return parts;
}

std::string joinStructuredText(const std::vector<std::string>& parts, char delimiter) {
  std::string joined;
  for (const std::string& part : parts) {
    if (!joined.empty()) joined += delimiter;
    joined += quoteIfNeeded(part, delimiter);
  }
  return joined;
}

}  // namespace wiesel
