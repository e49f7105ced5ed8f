#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "common/serialization/to_text.h"
#include "runtime/operators/operator_input.h"

namespace wiesel::runtime {

/// Writes down what an operator puts out: "value@timestamp", "value", "W watermark", "idle",
/// "active".
template <class T>
class RecordingInput final : public TypedInput<T> {
 public:
  void process(Batch<T>& batch) override {
    for (size_t i = 0; i < batch.values.size(); ++i) {
      std::ostringstream line;
      toText(line, batch.values[i]);
      if (batch.has_timestamps) line << '@' << batch.timestamps_ms[i];
      lines.push_back(line.str());
    }
  }
  void processWatermark(int64_t watermark_ms) override {
    lines.push_back("W " + std::to_string(watermark_ms));
  }
  void processWatermarkStatus(bool idle) override { lines.push_back(idle ? "idle" : "active"); }

  std::vector<std::string> lines;
};

}  // namespace wiesel::runtime
