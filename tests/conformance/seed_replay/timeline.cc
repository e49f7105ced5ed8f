#include "tests/conformance/seed_replay/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using Kind = TimelineStep::Kind;

void addStep(const json& object, Timeline& timeline) {
  const std::string operation = object.at("op");
  TimelineStep step;
  if (operation == "sleep") {
    step.kind = Kind::kSleep;
    step.duration = std::chrono::milliseconds(object.at("ms").get<int64_t>());
  } else if (operation == "touch") {
    step.kind = Kind::kTouch;
    step.text = object.at("file");
  } else {
    step.port = object.at("port");
    timeline.ports.insert(step.port);
    if (operation == "listen") return;  // All ports are open before the first step.
    if (operation == "await") {
      step.kind = Kind::kAwait;
      step.connection = object.at("conn");
    } else if (operation == "send") {
      step.kind = Kind::kSend;
      step.text = object.at("line").get<std::string>() + "\n";
    } else if (operation == "close") {
      step.kind = Kind::kClose;
    } else {
      throw std::runtime_error("unknown operation '" + operation + "'");
    }
  }
  timeline.steps.push_back(std::move(step));
}

}  // namespace

bool Timeline::cancels() const {
  return std::ranges::any_of(steps, [](const TimelineStep& step) {
    return step.kind == Kind::kTouch && step.text == kCancelFile;
  });
}

Timeline parseTimeline(std::string_view text) {
  Timeline timeline;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      addStep(json::parse(line), timeline);
    } catch (const std::exception& error) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
    }
  }
  return timeline;
}

}  // namespace wiesel::conformance
