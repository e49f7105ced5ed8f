#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace wiesel::runtime {

/// The longest message of the control plane, either way: a whole job graph, or a subtask's state
/// when checkpoints stay in the JobManager's memory.
inline constexpr int kMaxControlMessageBytes = 256 * 1024 * 1024;

/// To be called before anything else of gRPC, by whoever makes channels or servers of his own.
/// Sends gRPC's error lines to our log, and keeps its callback threads until the process ends: gRPC
/// would end them with the last channel and server, and crash when that happens in one of them.
/// Idempotent, thread-safe.
void initGrpc();

/// "host:port" as gRPC's target with the name already resolved ("ipv4:127.0.0.1:6123"), so that
/// gRPC's resolver, proxies and service configs stay out of the way. InvalidArgument when it is no
/// host:port, NotFound when the name has no address.
absl::StatusOr<std::string> grpcTargetOf(std::string_view address);

/// A new connection (never one shared with another channel) to "host:port". Connects when first
/// used, and again, at most a second apart, while calls wait for it.
absl::StatusOr<std::shared_ptr<grpc::Channel>> newGrpcChannel(std::string_view address);

/// The same code and message; `peer` ("JobManager at 127.0.0.1:6123") explains an Unavailable.
absl::Status fromGrpcStatus(const grpc::Status& status, std::string_view peer);
grpc::Status toGrpcStatus(const absl::Status& status);

}  // namespace wiesel::runtime
