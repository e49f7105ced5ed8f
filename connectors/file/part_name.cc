#include "connectors/file/part_name.h"

#include <charconv>

namespace wiesel::connectors {
namespace {

/// Takes apart a name from its left end.
class NameReader {
 public:
  explicit NameReader(std::string_view rest) : rest_(rest) {}

  bool skip(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }

  std::string_view until(char delimiter) {
    const std::string_view taken = rest_.substr(0, rest_.find(delimiter));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  template <class Number>
  bool read(Number& number) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc() || number < 0) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }

  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace

std::string PartName::toString() const {
  return "part-" + job + "-" + std::to_string(subtask) + "of" + std::to_string(parallelism) + "-" +
         std::to_string(attempt) + "-" + std::to_string(number) + ending;
}

std::optional<PartName> PartName::parse(std::string_view name) {
  PartName part;
  NameReader reader(name);
  if (!reader.skip("part-")) return std::nullopt;
  part.job = reader.until('-');
  if (!reader.skip("-") || !reader.read(part.subtask)) return std::nullopt;
  if (!reader.skip("of") || !reader.read(part.parallelism)) return std::nullopt;
  if (!reader.skip("-") || !reader.read(part.attempt)) return std::nullopt;
  if (!reader.skip("-") || !reader.read(part.number)) return std::nullopt;
  part.ending = reader.rest();
  if (!part.ending.empty() && part.ending != kInProgress && part.ending != kPending) {
    return std::nullopt;
  }
  return part;
}

bool isLeftover(const PartName& file, const PartName& writer) {
  if (file.ending.empty() || file.job != writer.job) return false;
  if (file.parallelism == writer.parallelism) return file.subtask == writer.subtask;
  return file.ending == kInProgress && writer.subtask == 0;
}

}  // namespace wiesel::connectors
