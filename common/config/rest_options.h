#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/config/config_option.h"

namespace wiesel {

/// Where clients connect.
inline constexpr OptionalConfigOption<std::string> kRestAddress{"rest.address",
                                                                {"jobmanager.rpc.address"}};
/// The port that clients connect to.
inline constexpr ConfigOption<int32_t> kRestPort{"rest.port", 8081, {"web.port"}};
/// Interface to listen on. Unset: loopback (Flink: all).
inline constexpr OptionalConfigOption<std::string> kRestBindAddress{
    "rest.bind-address", {"web.address", "jobmanager.web.address"}};
/// Ports to try to listen on; 0: any free one.
inline constexpr ConfigOption<PortRange> kRestBindPort{
    "rest.bind-port", "8081", {"rest.port", "web.port"}};

/// How long results of triggered operations are kept.
inline constexpr ConfigOption<std::chrono::milliseconds> kRestAsyncStoreDuration{
    "rest.async.store-duration", std::chrono::minutes(5)};

/// Tries of a client's request, and the time between two.
inline constexpr ConfigOption<int32_t> kRestRetryAttempts{"rest.retry.max-attempts", 20};
inline constexpr ConfigOption<std::chrono::milliseconds> kRestRetryDelay{"rest.retry.delay",
                                                                         std::chrono::seconds(3)};

inline constexpr ConfigOption<int32_t> kRestServerMaxContentLengthBytes{
    "rest.server.max-content-length", 104857600};

/// false: no jobs are taken over REST.
inline constexpr ConfigOption<bool> kWebSubmitEnable{
    "web.submit.enable", true, {"jobmanager.web.submit.enable"}};
/// false: the page has no cancel button.
inline constexpr ConfigOption<bool> kWebCancelEnable{"web.cancel.enable", true};
inline constexpr ConfigOption<bool> kWebRescaleEnable{"web.rescale.enable", true};
/// Age of cached views, and the page's refresh.
inline constexpr ConfigOption<std::chrono::milliseconds> kWebRefreshInterval{
    "web.refresh-interval", std::chrono::seconds(3), {"jobmanager.web.refresh-interval"}};
inline constexpr ConfigOption<std::string> kWebAllowOrigin{"web.access-control-allow-origin", "*"};
inline constexpr ConfigOption<int32_t> kWebCheckpointsHistory{"web.checkpoints.history", 10};
inline constexpr ConfigOption<int32_t> kWebExceptionHistorySize{"web.exception-history-size", 16};
inline constexpr OptionalConfigOption<std::string> kWebLogPath{"web.log.path"};

}  // namespace wiesel
