#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/rest/rest_message.h"

namespace wiesel::runtime {

struct RestServerSettings {
  std::string host = "127.0.0.1";
  std::vector<uint16_t> ports = {0};  // Tried in order; 0: any free one.
  std::string port_setting = "rest.port";
  std::string allow_origin = "*";
};

/// An HTTP/1.1 server for JSON: one thread, keep-alive, bounded headers, bodies and connections. A
/// client that is slow or silent costs a socket and nothing else.
///
/// Owns:    its thread. `handler` runs on it and must not block; it may answer later.
/// Errors:  start() says AlreadyExists when no port is free, naming ports and setting.
class RestServer {
 public:
  static constexpr size_t kMaxHeaderBytes = 16 * 1024;
  static constexpr size_t kMaxBodyBytes = 1024 * 1024;
  static constexpr int kMaxConnections = 4096;

  static absl::StatusOr<std::unique_ptr<RestServer>> start(const RestServerSettings& settings,
                                                           RestHandler handler);
  virtual ~RestServer() = default;

  virtual uint16_t port() const = 0;

  /// Closes all connections; answers that come later are dropped. Idempotent.
  virtual void shutdown() = 0;
};

}  // namespace wiesel::runtime
