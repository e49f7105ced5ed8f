#include "runtime/rest/rest_router.h"

#include <algorithm>
#include <utility>

namespace wiesel::runtime {

std::vector<std::string> RestRouter::split(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(path.front() == '/' ? 1 : 0);
    const std::string_view segment = path.substr(0, path.find('/'));
    if (!segment.empty()) segments.emplace_back(segment);
    path.remove_prefix(segment.size());
  }
  return segments;
}

bool RestRouter::matches(const Route& route, const std::vector<std::string>& segments,
                         PathParameters& parameters) {
  if (route.segments.size() != segments.size()) return false;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (route.segments[i].front() == ':') {
      parameters[route.segments[i].substr(1)] = segments[i];
    } else if (route.segments[i] != segments[i]) {
      return false;
    }
  }
  return true;
}

void RestRouter::add(const std::string& method, const std::string& path_template, Handler handler) {
  routes_.push_back({method, split(path_template), std::move(handler)});
  // ':' sorts before letters, so the reverse order has fixed segments first.
  std::stable_sort(routes_.begin(), routes_.end(),
                   [](const Route& a, const Route& b) { return a.segments > b.segments; });
}

void RestRouter::handle(const RestRequest& request, RestRespond respond) const {
  const std::vector<std::string> segments = split(request.path);
  bool path_known = false;
  for (const Route& route : routes_) {
    PathParameters parameters;
    if (!matches(route, segments, parameters)) continue;
    path_known = true;
    if (route.method == request.method) return route.handler(request, parameters, respond);
  }
  if (path_known || request.method != "GET") {
    return respond(errorResponse(404, {"Not found: " + request.path}));
  }
  respond(errorResponse(404, {"Unable to load requested file " + request.path + "."}));
}

}  // namespace wiesel::runtime
