#include "runtime/rest/rest_message.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace wiesel::runtime {

namespace {

constexpr std::string_view kVersionPrefix = "/v1";

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// "http://host:port/jobs" is what a client of a proxy asks for, and every server has to
/// understand.
std::string_view withoutAuthority(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  const auto same = [](char expected, char c) {
    return std::tolower(static_cast<unsigned char>(c)) == expected;
  };
  if (target.size() < kScheme.size() ||
      !std::equal(kScheme.begin(), kScheme.end(), target.begin(), same)) {
    return target;
  }
  target.remove_prefix(kScheme.size());
  target.remove_prefix(std::min(target.find_first_of("/?"), target.size()));
  return target;
}

std::string decodePercent(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 &&
                        hexDigit(text[i + 2]) >= 0;
    if (escape) {
      decoded += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

}  // namespace

std::optional<std::string> RestRequest::queryValue(const std::string& name) const {
  const auto found = query.find(name);
  if (found == query.end()) return std::nullopt;
  return found->second;
}

RestResponse errorResponse(int status, const std::vector<std::string>& errors) {
  const nlohmann::json body = {{"errors", errors}};
  return {.status = status,
          .body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

RestRequest parseTarget(std::string_view method, std::string_view target) {
  RestRequest request;
  request.method = std::string(method);
  target = withoutAuthority(target);
  const size_t question = target.find('?');
  std::string_view path = target.substr(0, question);
  if (path.starts_with(kVersionPrefix) &&
      (path.size() == kVersionPrefix.size() || path[kVersionPrefix.size()] == '/')) {
    path.remove_prefix(kVersionPrefix.size());
  }
  request.path = path.empty() ? "/" : std::string(path);

  std::string_view query =
      question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(pair.size() < query.size() ? pair.size() + 1 : pair.size());
    const size_t equals = pair.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    request.query[decodePercent(pair.substr(0, equals))] = decodePercent(value);
  }
  return request;
}

}  // namespace wiesel::runtime
