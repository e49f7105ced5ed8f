#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint/alignment/barrier_handler.h"

namespace wiesel::checkpoint {

struct AlignmentStep {
  enum class Event { kBarrier, kCancel, kEnd, kAbortNotice };

  Event event;
  int channel;
  int64_t checkpoint_id = 0;
};

/// What a handler has to say to some steps.
struct AlignmentRule {
  std::string name;
  int num_channels;
  std::vector<AlignmentStep> steps;
  std::string actions;  // Of all steps: "block 0", "resume 0", "trigger 1", "abort 1 REASON".
  bool after_tasks_finish = true;
};

inline std::string describe(const AlignmentAction& action) {
  switch (action.kind) {
    case AlignmentAction::Kind::kBlock:
      return "block " + std::to_string(action.channel);
    case AlignmentAction::Kind::kResume:
      return "resume " + std::to_string(action.channel);
    case AlignmentAction::Kind::kTrigger:
      return "trigger " + std::to_string(action.checkpoint_id);
    case AlignmentAction::Kind::kAbort:
      return "abort " + std::to_string(action.checkpoint_id) + " " + std::string(action.reason);
  }
  return "";
}

inline AlignmentActions play(const AlignmentStep& step, BarrierHandler& handler) {
  switch (step.event) {
    case AlignmentStep::Event::kBarrier:
      return handler.onBarrier(step.channel, step.checkpoint_id);
    case AlignmentStep::Event::kCancel:
      return handler.onCancellation(step.channel, step.checkpoint_id);
    case AlignmentStep::Event::kEnd:
      return handler.onEndOfPartition(step.channel);
    case AlignmentStep::Event::kAbortNotice:
      return handler.onAbortNotification(step.checkpoint_id);
  }
  return {};
}

/// The actions of all steps, in the form of AlignmentRule::actions.
inline std::string play(const std::vector<AlignmentStep>& steps, BarrierHandler& handler) {
  std::string actions;
  for (const AlignmentStep& step : steps) {
    for (const AlignmentAction& action : play(step, handler)) {
      actions += (actions.empty() ? "" : ", ") + describe(action);
    }
  }
  return actions;
}

}  // namespace wiesel::checkpoint
