#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/conformance/data_directory.h"
#include "tests/conformance/seed_replay/seed_replay.h"

namespace wiesel::conformance {
namespace {

namespace fs = std::filesystem;

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

/// Replays mostly sleep; more at once would make even two cores late.
constexpr size_t kReplaysAtOnce = 32;
/// How much slower a replay is tried again when the machine was busy.
constexpr double kSecondStretch = 3;

struct Arguments {
  std::string directory;
  std::string mode = "both";
  std::string backend = "both";
  double stretch = 1;
};

constexpr char kUsage[] =
    "usage: seeds [DIRECTORY] [--mode embedded|cluster|both] [--backend hashmap|rocksdb|both]\n"
    "             [--stretch FACTOR]\n"
    "Replays what the articles' programs did on real Flink, recorded in the folders PROGRAM and\n"
    "PROGRAM/VARIANT in or below DIRECTORY (default: the project's own copy). Every sleep of the\n"
    "recorded timelines is multiplied by FACTOR. The programs are looked for beside this one.\n";

bool isOneOf(const std::string& value, const std::vector<std::string>& choices) {
  return std::ranges::find(choices, value) != choices.end();
}

/// Nullopt for wrong use.
std::optional<Arguments> parseArguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (!name.starts_with("--")) {
      if (!arguments.directory.empty() || name.starts_with("-")) return std::nullopt;
      arguments.directory = name;
      continue;
    }
    std::string value;
    if (const size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (i + 1 < argc) {
      value = argv[++i];
    }
    if (name == "--mode") {
      arguments.mode = value;
    } else if (name == "--backend") {
      arguments.backend = value;
    } else if (name == "--stretch") {
      arguments.stretch = std::atof(value.c_str());
    } else {
      return std::nullopt;
    }
  }
  const bool known = isOneOf(arguments.mode, {"embedded", "cluster", "both"}) &&
                     isOneOf(arguments.backend, {"hashmap", "rocksdb", "both"});
  return known && arguments.stretch > 0 ? std::optional(arguments) : std::nullopt;
}

SeedPrograms findPrograms() {
  const fs::path outputs =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
  return {outputs / "examples", outputs / "client/wiesel"};
}

std::vector<SeedReplay> replaysOf(const std::vector<SeedCase>& cases, const Arguments& arguments) {
  std::vector<SeedReplay> replays;
  for (const SeedCase& seed : cases) {
    for (const Mode mode : {Mode::kEmbedded, Mode::kCluster}) {
      if (arguments.mode == (mode == Mode::kEmbedded ? "cluster" : "embedded")) continue;
      for (const char* backend : {"hashmap", "rocksdb"}) {
        if (arguments.backend != "both" && arguments.backend != backend) continue;
        replays.push_back({seed, mode, backend});
      }
    }
  }
  return replays;
}

bool isMachineBusy() {
  double load = 0;
  return getloadavg(&load, 1) == 1 && load > std::thread::hardware_concurrency();
}

/// Replays side by side, and counts.
class SeedRunner {
 public:
  SeedRunner(std::vector<SeedReplay> replays, double stretch)
      : replays_(std::move(replays)), stretch_(stretch), programs_(findPrograms()) {}

  void run(const std::stop_token& stop) {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < std::min(kReplaysAtOnce, replays_.size()); ++i) {
      threads.emplace_back([this, stop] {
        while (const SeedReplay* replay = next(stop)) replayOne(*replay, stop);
      });
    }
  }

  /// Prints why replays were skipped, and the counts.
  int finish() const {
    for (const auto& [reason, count] : skipped_by_reason_) {
      std::cout << "skipped " << count << ": " << reason << "\n";
    }
    std::cout << passed_ << " passed, " << failed_ << " failed, " << skipped_ << " skipped"
              << std::endl;
    return failed_ > 0 ? kFailed : kDone;
  }

 private:
  const SeedReplay* next(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    while (!stop.stop_requested() && next_ < replays_.size()) {
      const SeedReplay& replay = replays_[next_++];
      const auto reason = reasonToSkip(replay, programs_);
      if (!reason) return &replay;
      ++skipped_;
      ++skipped_by_reason_[replay.seed.name() + ": " + *reason];
    }
    return nullptr;
  }

  void replayOne(const SeedReplay& replay, const std::stop_token& stop) {
    std::string directory = makeDirectory();
    auto difference = replaySeed(replay, programs_, directory, stretch_, stop);
    // On a busy machine a firing may take longer than the pauses between the records allow for.
    if (difference && isMachineBusy() && !stop.stop_requested()) {
      std::cerr << "again, " << kSecondStretch << " times slower: " << replay.name() << ": "
                << *difference << std::endl;
      fs::remove_all(directory);
      directory = makeDirectory();
      const double stretch = stretch_ * kSecondStretch;
      difference = replaySeed(replay, programs_, directory, stretch, stop);
    }
    if (!difference || stop.stop_requested()) fs::remove_all(directory);
    const std::lock_guard lock(mutex_);
    ++(difference ? failed_ : passed_);
    if (difference) {
      std::ranges::replace(*difference, '\n', ' ');
      std::cout << "FAILED " << replay.name() << ": " << *difference << " [files: " << directory
                << "]" << std::endl;
    }
  }

  static std::string makeDirectory() {
    std::string directory = fs::temp_directory_path() / "wiesel-seed-XXXXXX";
    if (mkdtemp(directory.data()) == nullptr) throw std::runtime_error("cannot make " + directory);
    return directory;
  }

  const std::vector<SeedReplay> replays_;
  const double stretch_;
  const SeedPrograms programs_;
  std::mutex mutex_;  // Guards the rest, and standard output.
  size_t next_ = 0;
  int passed_ = 0;
  int failed_ = 0;
  int skipped_ = 0;
  std::map<std::string, int> skipped_by_reason_;
};

/// Ends the replays in order when the process is told to end, so that no cluster is left behind.
class SignalStop {
 public:
  SignalStop() {
    sigemptyset(&awaited_);
    for (const int number : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&awaited_, number);
    pthread_sigmask(SIG_BLOCK, &awaited_, nullptr);
    thread_ = std::thread([this] {
      int number = 0;
      sigwait(&awaited_, &number);
      if (number == SIGUSR1) return;
      stop_.request_stop();
    });
  }
  ~SignalStop() {
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
  }
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t awaited_;
  std::stop_source stop_;
  std::thread thread_;
};

int runSeeds(int argc, char** argv) {
  std::optional<Arguments> arguments = parseArguments(argc, argv);
  if (!arguments) {
    std::cerr << kUsage;
    return kWrongUse;
  }
  if (arguments->directory.empty()) arguments->directory = dataDirectory("seeds");
  std::vector<SeedCase> cases;
  try {
    cases = findSeedCases(arguments->directory);
    if (cases.empty()) throw std::runtime_error("there is no recording in " + arguments->directory);
  } catch (const std::exception& error) {
    std::cerr << "seeds: " << error.what() << "\n";
    std::cout << "0 passed, 0 failed, 0 skipped\n";
    return kFailed;
  }
  SignalStop stop;
  SeedRunner runner(replaysOf(cases, *arguments), arguments->stretch);
  runner.run(stop.token());
  const int status = runner.finish();
  return stop.token().stop_requested() ? kFailed : status;
}

}  // namespace
}  // namespace wiesel::conformance

int main(int argc, char** argv) { return wiesel::conformance::runSeeds(argc, argv); }
