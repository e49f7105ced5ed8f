#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/rest/rest_message.h"

namespace wiesel::runtime {

/// The values of a route's ":name" segments.
using PathParameters = std::map<std::string, std::string>;

/// Finds the handler of a request by method and path. A path that no route has is answered as a
/// missing file, a route's path with another method as Flink does: 404, never 405.
///
/// Threads: routes are added first; then thread-safe.
class RestRouter {
 public:
  using Handler = std::function<void(const RestRequest&, const PathParameters&, RestRespond)>;

  /// `path_template` such as "/jobs/:jobid/status". A fixed segment goes before a parameter.
  void add(const std::string& method, const std::string& path_template, Handler handler);

  void handle(const RestRequest& request, RestRespond respond) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> segments;
    Handler handler;
  };

  static std::vector<std::string> split(std::string_view path);
  static bool matches(const Route& route, const std::vector<std::string>& segments,
                      PathParameters& parameters);

  std::vector<Route> routes_;  // Sorted so that the first match is the best.
};

}  // namespace wiesel::runtime
