#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/jobcode/blob_store.h"

namespace wiesel::runtime {

/// Makes the executable at `path` known to the JobManager behind `channel`; returns its content
/// hash. On one host that is one short call, else the binary is hashed and, unless it is there
/// already, sent. Blocks. `peer` names the JobManager in errors.
absl::StatusOr<std::string> provideBinary(const std::shared_ptr<grpc::Channel>& channel,
                                          const std::string& peer, const std::string& path);

/// Brings the binary with this hash into `store`: from `path_at_master` when this host sees it
/// there, else from the JobManager at `master_address`. Returns its path. Blocks.
absl::StatusOr<std::string> obtainBinary(BlobStore& store, const std::string& hash,
                                         const std::string& path_at_master,
                                         const std::string& master_address);

}  // namespace wiesel::runtime
