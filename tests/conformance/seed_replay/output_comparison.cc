#include "tests/conformance/seed_replay/output_comparison.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "tests/conformance/seed_replay/output_rules.h"

namespace wiesel::conformance {
namespace {

constexpr std::string_view kFailingAt = "attempt failing at ";

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::map<std::string, std::vector<std::string>> byStream(const std::vector<OutputItem>& items) {
  std::map<std::string, std::vector<std::string>> streams;
  for (const OutputItem& item : items) streams[item.stream].push_back(item.text);
  return streams;
}

std::string quoted(const std::string& text) {
  std::string in_one_line = text;
  std::ranges::replace(in_one_line, '\n', '\\');
  return "'" + in_one_line + "'";
}

}  // namespace

std::vector<OutputItem> readOutput(const std::string& program, const std::string& variant,
                                   const std::string& output) {
  const std::vector<std::string> lines = linesOf(output);
  if (program == "cogroup_left_join") return readLeftJoin(lines, variant == "article");
  if (program == "broadcast_watermark") return readBroadcast(lines, variant == "article");
  if (program == "dynamic_watermark") return readDynamicWatermark(lines);
  if (program == "cdc_inner_join") return readInnerJoin(lines);
  throw std::runtime_error("no rules for the output of " + program);
}

std::optional<std::string> compareOutput(const std::vector<OutputItem>& expected,
                                         const std::vector<OutputItem>& actual) {
  const auto actual_streams = byStream(actual);
  std::map<std::string, size_t> compared;
  for (const OutputItem& item : expected) {
    const size_t index = compared[item.stream]++;
    const auto found = actual_streams.find(item.stream);
    const std::string place =
        item.stream + ", number " + std::to_string(index + 1) + ": expected " + quoted(item.text);
    if (found == actual_streams.end() || found->second.size() <= index) {
      return place + ", got nothing";
    }
    if (found->second[index] != item.text) return place + ", got " + quoted(found->second[index]);
  }
  for (const auto& [stream, texts] : actual_streams) {
    const size_t count = compared[stream];
    if (texts.size() > count) {
      return stream + ", number " + std::to_string(count + 1) + ": expected nothing, got " +
             quoted(texts[count]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> findOutputDifference(const std::string& program,
                                                const std::string& variant,
                                                const std::string& recorded,
                                                const std::string& actual, double stretch) {
  const std::vector<OutputItem> items = readOutput(program, variant, actual);
  if (program == "dynamic_watermark" && variant == "article") {
    // Its records are random: only the form of what it prints can be compared, and how often it
    // does.
    const size_t lines = linesOf(actual).size();
    const size_t recorded_lines = linesOf(recorded).size();
    if (lines >= recorded_lines / 2 && lines <= recorded_lines * 2) return std::nullopt;
    return "expected about " + std::to_string(recorded_lines) + " lines, got " +
           std::to_string(lines);
  }
  if (auto difference = compareOutput(readOutput(program, variant, recorded), items)) {
    return difference;
  }
  return checkFailureTimes(actual, stretch);
}

std::optional<std::string> checkFailureTimes(const std::string& output, double stretch) {
  constexpr double kLeastMs = 10'000;
  constexpr double kMostMs = 20'000;
  std::optional<double> last_ms;
  for (const std::string& line : linesOf(output)) {
    if (!line.starts_with(kFailingAt)) continue;
    const double now_ms = std::stod(line.substr(kFailingAt.size()));
    const double span_ms = last_ms ? now_ms - *last_ms : kLeastMs;
    if (span_ms < kLeastMs || span_ms > kMostMs * stretch) {
      return "two failures are " + std::to_string(static_cast<int64_t>(span_ms)) +
             " ms apart; the restart delay is 10 s";
    }
    last_ms = now_ms;
  }
  return std::nullopt;
}

}  // namespace wiesel::conformance
