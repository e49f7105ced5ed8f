#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/serialization/to_text.h"

namespace wiesel::testing {

/// Lines that the jobs of a test have put out, whatever their threads.
class SharedLines {
 public:
  /// A sink function for records of any type that can be printed. Its copies share the lines.
  auto sink() const {
    return [kept = kept_](const auto& value) {
      std::ostringstream text;
      toText(text, value);
      std::lock_guard<std::mutex> lock(kept->mutex);
      kept->lines.push_back(text.str());
    };
  }

  /// The lines since the last call.
  std::vector<std::string> takeSorted() {
    std::lock_guard<std::mutex> lock(kept_->mutex);
    std::ranges::sort(kept_->lines);
    return std::exchange(kept_->lines, {});
  }

 private:
  struct Kept {
    std::mutex mutex;
    std::vector<std::string> lines;  // Guarded by mutex.
  };
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();  // Shared with the sinks.
};

}  // namespace wiesel::testing
