#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/mutex.h"
#include "common/serialization/data_output.h"

namespace wiesel::runtime {

/// Message buffers that have served and serve again, so that a steady flow touches no fresh memory.
///
/// Threads: thread-safe.
class MessagePool : public std::enable_shared_from_this<MessagePool> {
 public:
  static constexpr size_t kMaxPooled = 16;
  static constexpr size_t kMaxPooledBytes = 256 * 1024;  // Of one buffer; longer ones are freed.

  DataOutput take();

  /// Hands the message to gRPC without a copy; its memory comes back here when gRPC is done.
  grpc::ByteBuffer wrap(DataOutput message);

 private:
  void giveBack(DataOutput message);

  Mutex mutex_;
  std::vector<DataOutput> pooled_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace wiesel::runtime
