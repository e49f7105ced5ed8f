#include "runtime/time/watermark_valve.h"

#include <algorithm>

#include "common/check.h"

namespace wiesel::runtime {

WatermarkValve::WatermarkValve(int num_channels)
    : channels_(num_channels), active_channels_(num_channels) {
  WIESEL_CHECK(num_channels >= 1);
}

std::optional<int64_t> WatermarkValve::onWatermark(int channel, int64_t watermark_ms) {
  Channel& input = channelAt(channel);
  if (!input.active || watermark_ms <= input.watermark_ms) return std::nullopt;
  input.watermark_ms = watermark_ms;
  if (!input.caught_up && watermark_ms >= clock_ms_) input.caught_up = true;
  return moveClock(lowestCaughtUp());
}

std::optional<int64_t> WatermarkValve::onIdle(int channel) {
  Channel& input = channelAt(channel);
  if (!input.active) return std::nullopt;
  input.active = false;
  input.caught_up = false;
  --active_channels_;
  if (!isIdle()) return moveClock(lowestCaughtUp());
  // Nobody is left to wait for. If this channel was holding the clock back, release everything.
  return input.watermark_ms == clock_ms_ ? moveClock(highest()) : std::nullopt;
}

void WatermarkValve::onActive(int channel) {
  Channel& input = channelAt(channel);
  if (input.active) return;
  input.active = true;
  ++active_channels_;
  // A channel that slept must not pull the clock back, so it first has to catch up.
  input.caught_up = input.watermark_ms >= clock_ms_;
}

WatermarkValve::Channel& WatermarkValve::channelAt(int index) {
  WIESEL_CHECK(index >= 0 && index < static_cast<int>(channels_.size()));
  return channels_[index];
}

std::optional<int64_t> WatermarkValve::moveClock(int64_t candidate_ms) {
  if (candidate_ms <= clock_ms_) return std::nullopt;
  clock_ms_ = candidate_ms;
  return clock_ms_;
}

int64_t WatermarkValve::lowestCaughtUp() const {
  int64_t lowest_ms = std::numeric_limits<int64_t>::max();
  bool any = false;
  for (const Channel& channel : channels_) {
    if (!channel.caught_up) continue;
    any = true;
    lowest_ms = std::min(lowest_ms, channel.watermark_ms);
  }
  return any ? lowest_ms : kNoWatermark;
}

int64_t WatermarkValve::highest() const {
  int64_t highest_ms = kNoWatermark;
  for (const Channel& channel : channels_) highest_ms = std::max(highest_ms, channel.watermark_ms);
  return highest_ms;
}

}  // namespace wiesel::runtime
