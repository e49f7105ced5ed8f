#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "common/clock.h"
#include "runtime/input/checkpointed_input_gate.h"
#include "runtime/network/batch.h"
#include "runtime/network/channel_queue.h"
#include "tests/conformance/families.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using runtime::ChannelQueue;
using runtime::CheckpointedInputGate;
using runtime::StreamElement;

CheckpointedInputGate::Settings settingsOf(const json& configuration) {
  const std::string mode = configuration.at("mode");
  if (mode != "exactlyOnce" && mode != "atLeastOnce") {
    throw std::invalid_argument("the mode " + mode + " is not known to this runner");
  }
  return {.exactly_once = mode == "exactlyOnce",
          .after_tasks_finish = configuration.at("checkpointsAfterTasksFinish")};
}

StreamElement elementOf(const json& item) {
  const std::string kind = item.at("kind");
  if (kind == "barrier") return StreamElement::barrier(item.at("checkpoint"), 0);
  if (kind == "cancel") return StreamElement::cancellation(item.at("checkpoint"));
  if (kind == "endOfPartition") return StreamElement::endOfPartition();
  if (kind != "record") {
    throw std::invalid_argument("the event " + kind + " is not known to this runner");
  }
  auto batch = std::make_unique<runtime::Batch<int64_t>>();
  batch->values.push_back(item.at("n"));
  return StreamElement::ofBatch(std::move(batch));
}

/// The real gate behind a network that brings items in the order of the recording. What arrives for
/// a channel that is blocked waits in the network: the gate takes from its channels in turn, the
/// recorded one in the order of arrival.
class GateReplay {
 public:
  explicit GateReplay(const json& configuration)
      : channels_(makeChannels(configuration.at("channels"))),
        gate_(channels_, settingsOf(configuration), clock_),
        blocked_(channels_.size(), false) {}

  void arrive(int event_index, const json& item) {
    after_ = event_index;
    waiting_.push_back(item);
    while (handOnOne()) {
    }
  }

  const json& output() const { return output_; }

 private:
  static std::vector<std::shared_ptr<ChannelQueue>> makeChannels(int count) {
    std::vector<std::shared_ptr<ChannelQueue>> channels;
    for (int i = 0; i < count; ++i) channels.push_back(std::make_shared<ChannelQueue>());
    return channels;
  }

  bool handOnOne() {
    const auto next = std::find_if(waiting_.begin(), waiting_.end(), [&](const json& item) {
      return !gate_.isBlocked(item.at("channel"));
    });
    if (next == waiting_.end()) return false;
    channels_.at(next->at("channel").get<size_t>())->push(elementOf(*next));
    waiting_.erase(next);
    bool progress = true;
    while (progress) {
      if (const auto event = gate_.poll(checkpoints_, &progress)) deliver(*event);
      noteBlocking();
    }
    return true;
  }

  void deliver(const CheckpointedInputGate::Event& event) {
    if (event.element.kind != StreamElement::Kind::kBatch) return;
    const auto& batch = dynamic_cast<const runtime::Batch<int64_t>&>(*event.element.batch);
    for (const int64_t n : batch.values) {
      emit({{"kind", "deliver"}, {"channel", event.channel}, {"n", n}});
    }
  }

  /// The gate blocks and resumes silently: what has changed since the last look.
  void noteBlocking() {
    for (size_t i = 0; i < blocked_.size(); ++i) {
      const int channel = static_cast<int>(i);
      if (gate_.isBlocked(channel) == blocked_[i]) continue;
      blocked_[i] = !blocked_[i];
      emit({{"kind", blocked_[i] ? "block" : "resume"}, {"channel", channel}});
    }
  }

  void emit(json output) {
    output["after"] = after_;
    output_.push_back(std::move(output));
  }

  const CheckpointedInputGate::Checkpoints checkpoints_{
      [this](const CheckpointedInputGate::Trigger& trigger) {
        noteBlocking();
        emit({{"kind", "trigger"}, {"checkpoint", trigger.checkpoint_id}});
      },
      [this](int64_t checkpoint_id, const std::string& reason) {
        noteBlocking();
        emit({{"kind", "abort"}, {"checkpoint", checkpoint_id}, {"reason", reason}});
      }};
  ManualClock clock_;
  std::vector<std::shared_ptr<ChannelQueue>> channels_;  // Shared with the gate.
  CheckpointedInputGate gate_;
  std::vector<bool> blocked_;
  std::list<json> waiting_;
  int after_ = -1;
  json output_ = json::array();
};

/// One event's outputs in a form in which undefined orders are equal: what comes before the first
/// resume as it is, resumes sorted, then trigger and abort as they are, then the rest by channel.
json normalize(const std::vector<json>& outputs) {
  json before = json::array();
  std::vector<json> resumes;
  json decisions = json::array();
  json channels = json::object();
  for (const json& output : outputs) {
    const std::string kind = output.at("kind");
    if (kind == "resume") {
      resumes.push_back(output);
    } else if (resumes.empty()) {
      before.push_back(output);
    } else if (kind == "trigger" || kind == "abort") {
      decisions.push_back(output);
    } else {
      channels[output.at("channel").dump()].push_back(output);
    }
  }
  std::sort(resumes.begin(), resumes.end());
  return {
      {"before", before}, {"resumes", resumes}, {"decisions", decisions}, {"channels", channels}};
}

std::map<int, std::vector<json>> byEvent(const json& output) {
  std::map<int, std::vector<json>> events;
  for (const json& one : output) events[one.at("after")].push_back(one);
  return events;
}

std::optional<std::string> replay(const json& scenario, Backend) {
  GateReplay gate(scenario.at("operator"));
  const json& events = scenario.at("events");
  for (size_t i = 0; i < events.size(); ++i) gate.arrive(static_cast<int>(i), events[i]);
  auto expected = byEvent(scenario.at("output"));
  auto actual = byEvent(gate.output());
  for (int i = -1; i < static_cast<int>(events.size()); ++i) {
    const json wanted = normalize(expected[i]);
    const json got = normalize(actual[i]);
    if (wanted == got) continue;
    return "event " + std::to_string(i) + ": expected " + wanted.dump() + ", got " + got.dump();
  }
  return std::nullopt;
}

}  // namespace

Family barriersFamily() { return {.name = "barriers", .replay = replay}; }

}  // namespace wiesel::conformance
