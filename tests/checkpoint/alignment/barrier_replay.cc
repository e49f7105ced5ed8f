#include "tests/checkpoint/alignment/barrier_replay.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <vector>

#include "checkpoint/alignment/barrier_aligner.h"

namespace wiesel::checkpoint {
namespace {

using nlohmann::json;

/// Hands items on in the order of their arrival, except for those of blocked channels.
class Gate {
 public:
  explicit Gate(const json& configuration)
      : aligner_(configuration.at("channels"), configuration.at("checkpointsAfterTasksFinish")),
        blocked_(configuration.at("channels").get<size_t>(), false) {}

  void arrive(int event_index, const json& item) {
    after_ = event_index;
    waiting_.push_back(item);
    while (handOnOne()) {
    }
  }

  const json& output() const { return output_; }

 private:
  bool handOnOne() {
    const auto next = std::find_if(waiting_.begin(), waiting_.end(), [&](const json& item) {
      return !blocked_[item.at("channel").get<size_t>()];
    });
    if (next == waiting_.end()) return false;
    const json item = *next;
    waiting_.erase(next);
    handOn(item);
    return true;
  }

  void handOn(const json& item) {
    const std::string kind = item.at("kind");
    const int channel = item.at("channel");
    if (kind == "record") {
      emit({{"kind", "deliver"}, {"channel", channel}, {"n", item.at("n")}});
    } else if (kind == "barrier") {
      obey(aligner_.onBarrier(channel, item.at("checkpoint")));
    } else if (kind == "cancel") {
      obey(aligner_.onCancellation(channel, item.at("checkpoint")));
    } else {
      obey(aligner_.onEndOfPartition(channel));
    }
  }

  void obey(const std::vector<AlignmentAction>& actions) {
    for (const AlignmentAction& action : actions) {
      switch (action.kind) {
        case AlignmentAction::Kind::kBlock:
          blocked_[action.channel] = true;
          emit({{"kind", "block"}, {"channel", action.channel}});
          break;
        case AlignmentAction::Kind::kResume:
          blocked_[action.channel] = false;
          emit({{"kind", "resume"}, {"channel", action.channel}});
          break;
        case AlignmentAction::Kind::kTrigger:
          emit({{"kind", "trigger"}, {"checkpoint", action.checkpoint_id}});
          break;
        case AlignmentAction::Kind::kAbort:
          emit(
              {{"kind", "abort"}, {"checkpoint", action.checkpoint_id}, {"reason", action.reason}});
          break;
      }
    }
  }

  void emit(json output) {
    output["after"] = after_;
    output_.push_back(std::move(output));
  }

  BarrierAligner aligner_;
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
  std::map<int, json> by_channel;
  for (const json& output : outputs) {
    const std::string kind = output.at("kind");
    if (kind == "resume") {
      resumes.push_back(output);
    } else if (resumes.empty()) {
      before.push_back(output);
    } else if (kind == "trigger" || kind == "abort") {
      decisions.push_back(output);
    } else {
      by_channel[output.at("channel")].push_back(output);
    }
  }
  std::sort(resumes.begin(), resumes.end());
  json channels = json::object();
  for (const auto& [channel, rest] : by_channel) channels[std::to_string(channel)] = rest;
  return {
      {"before", before}, {"resumes", resumes}, {"decisions", decisions}, {"channels", channels}};
}

std::map<int, std::vector<json>> byEvent(const json& output) {
  std::map<int, std::vector<json>> events;
  for (const json& one : output) events[one.at("after")].push_back(one);
  return events;
}

}  // namespace

std::optional<std::string> replayBarriers(const json& scenario) {
  Gate gate(scenario.at("operator"));
  const json& events = scenario.at("events");
  for (size_t i = 0; i < events.size(); ++i) gate.arrive(static_cast<int>(i), events[i]);
  auto expected = byEvent(scenario.at("output"));
  auto actual = byEvent(gate.output());
  for (int i = 0; i < static_cast<int>(events.size()); ++i) {
    const json wanted = normalize(expected[i]);
    const json got = normalize(actual[i]);
    if (wanted == got) continue;
    return "event " + std::to_string(i) + ": expected " + wanted.dump() + ", got " + got.dump();
  }
  return std::nullopt;
}

}  // namespace wiesel::checkpoint
