#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wiesel::runtime {

/// A request as handlers see it. Bodies of GET requests are read and dropped, as clients send them.
struct RestRequest {
  std::string method;  // GET, PATCH, ...
  std::string path;    // Without /v1 and query: "/jobs/overview".
  std::map<std::string, std::string> query;
  std::string body;

  std::optional<std::string> queryValue(const std::string& name) const;
};

struct RestResponse {
  int status = 200;
  std::string body;  // JSON.
};

/// Answers one request; called once, from any thread.
using RestRespond = std::function<void(RestResponse)>;
using RestHandler = std::function<void(const RestRequest&, RestRespond)>;

/// {"errors": [...]}. Scripts look for phrases in the texts.
RestResponse errorResponse(int status, const std::vector<std::string>& errors);

/// Takes apart what stands in the request line: "/v1/jobs?mode=x", or with "http://host:port"
/// before it.
RestRequest parseTarget(std::string_view method, std::string_view target);

}  // namespace wiesel::runtime
