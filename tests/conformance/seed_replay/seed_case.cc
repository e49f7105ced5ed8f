#include "tests/conformance/seed_replay/seed_case.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace wiesel::conformance {
namespace {

namespace fs = std::filesystem;

constexpr char kArticle[] = "article";

/// What the programs know of their flags.
struct Program {
  std::string_view name;
  std::map<int, std::string> port_flags;
  std::vector<std::string> variants;  // Of --variant; empty when there is no such flag.
};

const std::vector<Program>& programs() {
  static const std::vector<Program> kPrograms = {
      {"broadcast_watermark",
       {{1234, "--business-port"}, {1235, "--dim-port"}},
       {kArticle, "deterministic", "no_dim_watermark"}},
      {"dynamic_watermark", {{1234, "--port"}}, {kArticle, "deterministic", "underflow"}},
      {"cogroup_left_join", {{9999, "--name-port"}, {9998, "--age-port"}}, {}},
      {"cdc_inner_join", {{3001, "--user-port"}, {3002, "--school-port"}}, {}},
  };
  return kPrograms;
}

const Program* findProgram(std::string_view name) {
  const auto found = std::ranges::find(programs(), name, &Program::name);
  return found == programs().end() ? nullptr : &*found;
}

std::string existing(const fs::path& path) { return fs::exists(path) ? path.string() : ""; }

/// The recordings of one start of the job, or of several that are numbered.
std::vector<SeedRun> runsIn(const fs::path& directory) {
  if (fs::exists(directory / "input.jsonl")) {
    SeedRun run{directory / "input.jsonl", directory / "expected.txt", ""};
    for (const char* tree :
         {"tree-after-finish.txt", "tree-after-failed.txt", "tree-after-cancel.txt"}) {
      if (run.tree.empty()) run.tree = existing(directory / tree);
    }
    return {run};
  }
  std::vector<SeedRun> runs;
  for (int number = 1;; ++number) {
    const std::string index = std::to_string(number);
    const fs::path input = directory / ("input-" + index + ".jsonl");
    if (!fs::exists(input)) return runs;
    const char* tree = number == 1 ? "tree-after-cancel.txt" : "tree-after-second-run.txt";
    runs.push_back({input, directory / ("expected-" + index + ".txt"), existing(directory / tree)});
  }
}

SeedCase caseIn(const fs::path& directory) {
  SeedCase seed;
  seed.directory = directory;
  seed.program = directory.filename();
  seed.variant = kArticle;
  if (findProgram(seed.program) == nullptr) {
    seed.variant = seed.program;
    seed.program = directory.parent_path().filename();
  }
  seed.runs = runsIn(directory);
  return seed;
}

bool beginsWith(const SeedCase& seed, std::string_view text) {
  return seed.variant.starts_with(text);
}

void setUpLeftJoin(const SeedCase& seed, SeedSetup& setup) {
  const bool by_clock = seed.variant == kArticle;
  setup.arguments = {"--event-time", by_clock ? "clock" : "field"};
  setup.keeps_clear_of_minute_end = by_clock;
  setup.has_checkpoints =
      beginsWith(seed, "checkpoint_") || seed.hasTrees() || seed.runs.size() > 1;
  setup.fails_always = beginsWith(seed, "checkpoint_attempts");
  if (!beginsWith(seed, "checkpoint_")) return;
  setup.arguments.insert(setup.arguments.end(), {"--fail-on", "BOOM"});
  if (beginsWith(seed, "checkpoint_restart")) {
    setup.arguments.insert(setup.arguments.end(), {"--fail", "once"});
  }
  if (setup.fails_always) setup.arguments.insert(setup.arguments.end(), {"--fail", "always"});
}

}  // namespace

bool SeedCase::hasTrees() const {
  return std::ranges::any_of(runs, [](const SeedRun& run) { return !run.tree.empty(); });
}

std::vector<SeedCase> findSeedCases(const std::string& directory) {
  std::error_code error;
  const fs::path root = fs::canonical(directory, error);
  std::set<fs::path> folders = {root};
  fs::recursive_directory_iterator entry(root, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_directory()) folders.insert(entry->path());
  }
  if (error) throw std::runtime_error("cannot read " + directory + ": " + error.message());
  std::vector<SeedCase> cases;
  for (const fs::path& folder : folders) {
    SeedCase seed = caseIn(folder);
    if (!seed.runs.empty()) cases.push_back(std::move(seed));
  }
  return cases;
}

std::optional<SeedSetup> setupOf(const SeedCase& seed) {
  const Program* program = findProgram(seed.program);
  if (program == nullptr) return std::nullopt;
  SeedSetup setup;
  setup.port_flags = program->port_flags;
  if (program->name == "cogroup_left_join") setUpLeftJoin(seed, setup);
  if (program->name == "cdc_inner_join") setup.arguments = {"--source", "socket"};
  if (!program->variants.empty()) {
    // Several recordings of one variant may lie side by side: deterministic, deterministic_2, ...
    const auto known = std::ranges::find_if(program->variants, [&seed](const std::string& variant) {
      return seed.variant.starts_with(variant);
    });
    setup.arguments = {"--variant", known == program->variants.end() ? seed.variant : *known};
  }
  if (seed.name() == "dynamic_watermark/article") {
    setup.port_flags.clear();
    setup.cancel_after = std::chrono::seconds(12);
  }
  return setup;
}

}  // namespace wiesel::conformance
