#include "runtime/input/valved_input.h"

#include <optional>

namespace wiesel::runtime {

void ValvedInput::processWatermark(int channel, int64_t watermark_ms) {
  if (const auto clock_ms = valve_.onWatermark(channel, watermark_ms)) {
    target_->processWatermark(*clock_ms);
  }
}

void ValvedInput::processWatermarkStatus(int channel, bool idle) {
  const bool was_idle = valve_.isIdle();
  if (idle) {
    if (const auto clock_ms = valve_.onIdle(channel)) target_->processWatermark(*clock_ms);
  } else {
    valve_.onActive(channel);
  }
  if (valve_.isIdle() != was_idle) target_->processWatermarkStatus(valve_.isIdle());
}

}  // namespace wiesel::runtime
