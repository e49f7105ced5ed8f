#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/network/data_transport.h"

namespace wiesel::runtime {

/// The data plane between worker processes: a server for the channels that this worker publishes,
/// and one gRPC stream to each worker that it subscribes to, shared by all their channels. The
/// frames inside are described in docs/formats/data_plane.md.
///
/// Owns:    a few threads beside gRPC's. A batch is serialized in one of them and deserialized in
///          the thread of gRPC that brings it.
/// Threads: thread-safe. on_lost is never called inside a call of this class, nor with a lock of
///          the data plane held; it may be called while, not after, the transport is destroyed, and
///          must not destroy it. After releaseAttempt() a call that is on its way may still push or
///          report.
/// Errors:  a channel that cannot go on is reported by on_lost at its consumer: its connection
///          broke, its producer's worker released the attempt, a serializer threw, bytes could not
///          be read, a batch was longer than kMaxBatchBytes, somebody else subscribed before. A
///          producer is told nothing: its queue fills, and the restart of the job releases it.
/// Flink:   NettyShuffleEnvironment, NettyConnectionManager (1.20).
class GrpcDataTransport final : public DataTransport {
 public:
  struct Options {
    std::string bind_host = "127.0.0.1";
    int port = 0;                    // 0 takes a free one.
    std::string external_host = {};  // Where others find the worker; empty: bind_host.
    /// Only workers of one scope talk to each other: the job's id, so that a worker which got the
    /// port of a dead one is not mistaken for it.
    std::string scope = {};
  };

  /// Listens from now on. Errors as checkCanListen().
  static absl::StatusOr<std::unique_ptr<GrpcDataTransport>> start(const Options& options);

  /// Closes all streams, at both ends, and waits until no callback runs any more. What was not yet
  /// sent is lost.
  ~GrpcDataTransport() override;

  std::string address() const override;
  void publish(const ChannelAddress& channel, std::shared_ptr<ChannelQueue> queue) override;
  void subscribe(const ChannelAddress& channel, const std::string& producer_address,
                 std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                 std::function<void(std::string why)> on_lost) override;
  void releaseAttempt(int32_t attempt) override;

 private:
  class Parts;  // Keeps gRPC out of this header.

  explicit GrpcDataTransport(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace wiesel::runtime
