#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/families.h"

namespace wiesel::conformance {

struct Counts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

/// Replays scenarios, one JSON object a line, and reports each failure as one line of `report`.
/// A scenario that needs a state backend counts once for each.
class Replayer {
 public:
  /// Borrows `report`.
  Replayer(std::vector<Family> families, std::vector<Backend> backends, std::ostream& report);

  /// Replays the scenarios of one file, given as its text. `file` is for the report. A file whose
  /// first line names no family is of another kind and is left alone.
  void replayFile(const std::string& file, std::string_view text);

  /// Replays the files `*.jsonl` below `directory`, in the order of their names; it may be a single
  /// file too. Returns an error
  /// if it cannot be read or holds no scenario.
  std::optional<std::string> replayDirectory(const std::string& directory);

  /// Reports the families that were skipped and why, then `N passed, N failed, N skipped`.
  Counts finish();

 private:
  std::optional<std::string> replayFiles(const std::vector<std::string>& files);
  void replayLine(const std::string& place, std::string_view line);
  void replayScenario(const std::string& name, const Family& family, const nlohmann::json& scenario,
                      Backend backend);

  const std::vector<Family> families_;
  const std::vector<Backend> backends_;
  std::ostream& report_;
  Counts counts_;
  std::map<std::string, int> skipped_by_family_;
};

}  // namespace wiesel::conformance
