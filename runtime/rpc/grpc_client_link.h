#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/event_loop.h"
#include "runtime/proto/control.pb.h"
#include "runtime/rpc/message_link.h"

namespace wiesel::runtime {

using TaskManagerToMasterLink = MessageLink<proto::TaskManagerToMaster, proto::MasterToTaskManager>;
using WorkerToMasterLink = MessageLink<proto::WorkerToMaster, proto::MasterToWorker>;

/// A TaskManager's and a worker's link to the JobManager at `address` ("host:port"). start() begins
/// to connect; that nobody listens there shows as on_closed, at once.
///
/// Borrows: `loop`, until the link is closed or destroyed.
/// Threads: close and destroy the link on `loop`, or after that has stopped.
/// Errors:  InvalidArgument or NotFound for an address that is none.
absl::StatusOr<std::unique_ptr<TaskManagerToMasterLink>> connectTaskManager(
    std::string_view address, EventLoop& loop);
absl::StatusOr<std::unique_ptr<WorkerToMasterLink>> connectWorker(std::string_view address,
                                                                  EventLoop& loop);

}  // namespace wiesel::runtime
