#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "api/testing/program_harness.h"
#include "common/serialization/to_text.h"

namespace wiesel {

/// Writes down what streams of a harness put out: "value@timestamp", "value", "W watermark",
/// "idle", "active"; what subtasks other than the first put out begins with their number: "1> ".
class OutputLines {
 public:
  using Lines = std::vector<std::string>;

  /// To be called before the harness opens. Lines of a stream with a `prefix` begin with it; only
  /// those without one tell their watermarks and statuses.
  template <class T>
  void listen(testing::ProgramHarness& harness, const DataStream<T>& stream,
              std::string prefix = "") {
    testing::ProgramHarness::OnControl on_control;
    if (prefix.empty()) {
      on_control = [this](int subtask, const testing::ControlElement& control) {
        using Kind = testing::ControlElement::Kind;
        add(subtask, control.kind == Kind::kWatermark ? "W " + std::to_string(control.watermark_ms)
                     : control.kind == Kind::kIdle    ? "idle"
                                                      : "active");
      };
    }
    harness.listen<T>(
        stream,
        [this, prefix](int subtask, const T& value, std::optional<int64_t> timestamp_ms) {
          std::ostringstream line;
          line << prefix;
          toText(line, value);
          if (timestamp_ms) line << '@' << *timestamp_ms;
          add(subtask, line.str());
        },
        std::move(on_control));
  }

  /// What was put out since the last call.
  Lines take() { return std::exchange(lines_, {}); }

 private:
  void add(int subtask, const std::string& line) {
    lines_.push_back(subtask == 0 ? line : std::to_string(subtask) + "> " + line);
  }

  Lines lines_;
};

}  // namespace wiesel
