#include "runtime/network/message_pool.h"

#include <grpcpp/support/slice.h>

#include <atomic>
#include <utility>

#include "common/check.h"

namespace wiesel::runtime {

namespace {

struct Lent {
  DataOutput message;
  std::shared_ptr<MessagePool> pool;
  // Hands the other members to the thread that frees them. gRPC's own locks do that as well, but
  // ThreadSanitizer cannot see them.
  std::atomic<bool> complete{false};
};

}  // namespace

DataOutput MessagePool::take() {
  MutexLock lock(mutex_);
  if (pooled_.empty()) return DataOutput();
  DataOutput message = std::move(pooled_.back());
  pooled_.pop_back();
  return message;
}

grpc::ByteBuffer MessagePool::wrap(DataOutput message) {
  auto* lent = new Lent{std::move(message), shared_from_this()};
  const std::string_view bytes = lent->message.view();
  lent->complete.store(true, std::memory_order_release);
  const grpc::Slice slice(
      const_cast<char*>(bytes.data()), bytes.size(),
      [](void* data) {
        const std::unique_ptr<Lent> owned(static_cast<Lent*>(data));
        WIESEL_CHECK(owned->complete.load(std::memory_order_acquire));
        owned->pool->giveBack(std::move(owned->message));
      },
      lent);
  return grpc::ByteBuffer(&slice, 1);
}

void MessagePool::giveBack(DataOutput message) {
  if (message.size() > kMaxPooledBytes) return;
  message.clear();
  MutexLock lock(mutex_);
  if (pooled_.size() < kMaxPooled) pooled_.push_back(std::move(message));
}

}  // namespace wiesel::runtime
