#include "tests/conformance/seed_replay/output_rules.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Throws an error that shows the line.
[[noreturn]] void refuse(const std::string& line, const std::string& why) {
  throw std::runtime_error("unexpected line '" + line + "': " + why);
}

/// The text behind `prefix`; nullopt when the line begins otherwise.
std::optional<std::string> behind(std::string_view prefix, const std::string& line) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return line.substr(prefix.size());
}

template <class Json>
Json parseJson(const std::string& text, const std::string& line) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) refuse(line, "no JSON");
  return value;
}

void dropTimes(ordered_json& value) {
  if (value.is_array()) {
    for (ordered_json& element : value) dropTimes(element);
  } else if (value.is_object()) {
    value.erase("eventTime");
    value.erase("eventTimeStr");
  }
}

/// Gathers the lines of one firing of the left join.
class Firing {
 public:
  explicit Firing(bool by_clock) : by_clock_(by_clock) {}

  /// Returns false when the line belongs to no firing.
  bool add(const std::string& line) {
    if (const auto names = behind("nameIterable:", line)) {
      if (awaits_ages_) refuse(line, "'ageIterable:' must follow 'nameIterable:' at once");
      startWith(line, *names);
    } else if (const auto ages = behind("ageIterable:", line)) {
      if (!awaits_ages_) refuse(line, "'nameIterable:' must stand right before it");
      awaits_ages_ = false;
      append("ageIterable:", line, *ages);
    } else if (const auto joined = behind("addSink:", line)) {
      if (text_.empty() || awaits_ages_) refuse(line, "it belongs to no firing");
      append("addSink:", line, *joined);
    } else {
      if (awaits_ages_) refuse(line, "'ageIterable:' must follow 'nameIterable:' at once");
      return false;
    }
    return true;
  }

  /// True when `add(line)` would begin another firing.
  bool endsBefore(const std::string& line) const {
    return !text_.empty() && !line.starts_with("ageIterable:") && !line.starts_with("addSink:");
  }

  OutputItem take() {
    if (id_.empty()) throw std::runtime_error("a firing without elements: " + text_);
    OutputItem item{"firings of id " + id_, std::move(text_)};
    *this = Firing(by_clock_);
    return item;
  }

  bool isEmpty() const { return text_.empty(); }

 private:
  void startWith(const std::string& line, const std::string& names) {
    awaits_ages_ = true;
    append("nameIterable:", line, names);
  }

  void append(const std::string& prefix, const std::string& line, const std::string& text) {
    auto value = parseJson<ordered_json>(text, line);
    if (value.is_array() && !value.empty() && id_.empty()) id_ = value[0].at("id").dump();
    if (by_clock_) dropTimes(value);
    // The text itself is compared, so that its form counts, unless it holds clock times.
    text_ += (text_.empty() ? "" : "\n") + prefix + (by_clock_ ? value.dump() : text);
  }

  bool by_clock_;
  bool awaits_ages_ = false;
  std::string id_;
  std::string text_;
};

/// Takes a line apart from its left end. What does not fit makes it fail for good.
class LineReader {
 public:
  explicit LineReader(std::string_view rest) : rest_(rest) {}

  void skip(std::string_view literal) {
    fits_ = fits_ && rest_.starts_with(literal);
    if (fits_) rest_.remove_prefix(literal.size());
  }

  void skipTo(std::string_view literal) {
    rest_.remove_prefix(std::min(rest_.find(literal), rest_.size()));
    skip(literal);
  }

  int64_t number() {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    fits_ = fits_ && error == std::errc();
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }

  /// Whether everything did fit and nothing is left.
  bool isDone() const { return fits_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

/// Checks the log lines of the article's watermark generator one after the other.
class ClockLines {
 public:
  /// Returns false for other lines.
  bool check(const std::string& line) {
    if (!line.starts_with("当前时间：")) return false;
    LineReader reader(line);
    reader.skip("当前时间：");
    const int64_t hour = reader.number();
    reader.skip(":");
    reader.skipTo("，最大事件时间：");
    const int64_t max_ms = reader.number();
    reader.skip("，动态延迟：");
    const int64_t delay_ms = reader.number();
    reader.skip("ms，水印时间：");
    const int64_t printed_watermark_ms = reader.number();
    if (!reader.isDone()) refuse(line, "not of the form of a clock line");
    if (delay_ms != (hour >= 9 && hour < 12 ? 30000 : 5000)) refuse(line, "wrong delay");
    // As in Java, the subtraction wraps.
    const auto watermark_ms =
        static_cast<int64_t>(static_cast<uint64_t>(max_ms) - static_cast<uint64_t>(delay_ms));
    if (printed_watermark_ms != watermark_ms) refuse(line, "the watermark is not max - delay");
    if (max_ms < last_max_ms_) refuse(line, "the largest event time fell");
    last_max_ms_ = max_ms;
    return true;
  }

 private:
  int64_t last_max_ms_ = std::numeric_limits<int64_t>::min();
};

}  // namespace

std::vector<OutputItem> readLeftJoin(const std::vector<std::string>& lines, bool by_clock) {
  std::vector<OutputItem> items;
  Firing firing(by_clock);
  for (const std::string& line : lines) {
    if (firing.endsBefore(line)) items.push_back(firing.take());
    if (firing.add(line)) continue;
    if (line.starts_with("name:") || line.starts_with("age:")) {
      items.push_back({"lines '" + line.substr(0, line.find(':') + 1) + "'", line});
    } else if (line.starts_with("attempt failing at ")) {
      items.push_back({"failures", "attempt failing"});
    } else {
      refuse(line, "the program prints no such line");
    }
  }
  if (!firing.isEmpty()) items.push_back(firing.take());
  return items;
}

std::vector<OutputItem> readBroadcast(const std::vector<std::string>& lines, bool article) {
  std::vector<OutputItem> items;
  for (const std::string& line : lines) {
    if (article) {
      items.push_back({"lines", line});
    } else if (line.starts_with("B|") || line.starts_with("D|")) {
      items.push_back({"lines 'B|' and 'D|'", line});
    } else if (line.starts_with("W|") || line.starts_with("L|")) {
      const std::string id = line.substr(2, line.find('|', 2) - 2);
      items.push_back({"lines 'W|' and 'L|' of id " + id, line});
    } else {
      refuse(line, "the program prints no such line");
    }
  }
  return items;
}

std::vector<OutputItem> readDynamicWatermark(const std::vector<std::string>& lines) {
  constexpr size_t kKeyBytes = 5;
  std::vector<OutputItem> items;
  ClockLines clock_lines;
  for (const std::string& line : lines) {
    if (clock_lines.check(line)) continue;
    if (line.starts_with("G|")) {
      items.push_back({"lines 'G|'", line});
      continue;
    }
    auto order = behind("窗口结果> OrderEvent(", line);
    if (!order) order = behind("late> OrderEvent(", line);
    if (!order) refuse(line, "the program prints no such line");
    items.push_back({"results of key " + order->substr(0, kKeyBytes), line});
  }
  return items;
}

std::vector<OutputItem> readInnerJoin(const std::vector<std::string>& lines) {
  std::vector<OutputItem> items;
  for (const std::string& line : lines) {
    const auto row = behind("Window Out Join user and school> ", line);
    if (!row) refuse(line, "the program prints no such line");
    const json value = parseJson<json>(*row, line);
    const std::string school = value.value("school_id", json()).dump();
    items.push_back({"rows of school " + school, value.dump()});
  }
  return items;
}

}  // namespace wiesel::conformance
