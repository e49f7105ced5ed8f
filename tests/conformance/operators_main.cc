#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "tests/conformance/data_directory.h"
#include "tests/conformance/replayer.h"

namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

using wiesel::conformance::Backend;

int wrongUse() {
  std::cerr << "usage: operators [DIRECTORY] [--backend hashmap|rocksdb|both]\n"
               "Replays the recorded scenarios of Flink's operators in the files *.jsonl below\n"
               "DIRECTORY (default: the project's own copy).\n";
  return kWrongUse;
}

}  // namespace

int main(int argc, char** argv) {
  std::string directory;
  std::string backend = "both";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--backend" && i + 1 < argc) {
      backend = argv[++i];
    } else if (argument.starts_with("--backend=")) {
      backend = argument.substr(std::strlen("--backend="));
    } else if (argument.starts_with("-") || !directory.empty()) {
      return wrongUse();
    } else {
      directory = argument;
    }
  }
  std::vector<Backend> backends;
  if (backend == "hashmap" || backend == "both") backends.push_back(Backend::kHashmap);
  if (backend == "rocksdb" || backend == "both") backends.push_back(Backend::kRocksdb);
  if (backends.empty()) return wrongUse();
  if (directory.empty()) directory = wiesel::conformance::dataDirectory("operators");

  wiesel::conformance::Replayer replayer(wiesel::conformance::allFamilies(), backends, std::cout);
  const auto problem = replayer.replayDirectory(directory);
  if (problem.has_value()) std::cerr << "operators: " << *problem << "\n";
  const auto counts = replayer.finish();
  return problem.has_value() || counts.failed > 0 ? kFailed : kDone;
}
