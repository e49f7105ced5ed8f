#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace wiesel::client {

struct HttpResponse {
  int status = 0;
  std::string body;
};

/// Sends one HTTP/1.1 request without a body to "host:port" and reads the answer, on a connection
/// of its own. Blocks, at most `timeout_ms` for each step.
///
/// Errors: Unavailable when nobody answers there (with the errno text), DeadlineExceeded,
///         InvalidArgument for an address that is none or an answer that is no HTTP.
absl::StatusOr<HttpResponse> sendHttpRequest(const std::string& address, std::string_view method,
                                             std::string_view target, int64_t timeout_ms);

/// Takes apart a whole answer, as read up to the end of the connection.
absl::StatusOr<HttpResponse> parseHttpResponse(std::string_view bytes);

}  // namespace wiesel::client
