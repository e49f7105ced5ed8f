#include "runtime/network/credit.h"

#include <algorithm>

#include "common/check.h"

namespace wiesel::runtime {

bool SendCredit::add(int32_t batches) {
  if (batches < 0 || batches > kCreditWindow - available_) return false;
  available_ += batches;
  return true;
}

void SendCredit::spend(int32_t batches) {
  WIESEL_CHECK(batches >= 0 && batches <= available_);
  available_ -= batches;
}

bool ReceiveCredit::onBatch() {
  if (out_ == 0) return false;
  --out_;
  return true;
}

int32_t ReceiveCredit::grant(size_t queued_batches) {
  const int32_t queued = static_cast<int32_t>(std::min<size_t>(queued_batches, kCreditWindow));
  const int32_t room = kCreditWindow - out_ - queued;
  if (room <= 0) return 0;
  if (room < kSmallestGrant && out_ > 0) return 0;
  out_ += room;
  return room;
}

}  // namespace wiesel::runtime
