#include "tests/conformance/seed_replay/seed_replay.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/conformance/seed_replay/checkpoint_tree.h"
#include "tests/conformance/seed_replay/child_process.h"
#include "tests/conformance/seed_replay/output_comparison.h"
#include "tests/conformance/seed_replay/timeline_player.h"

namespace wiesel::conformance {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Difference = std::optional<std::string>;

constexpr milliseconds kEndPatience{60'000};
constexpr milliseconds kCleanUpPatience{10'000};  // Checkpoints are deleted after the job's end.
constexpr milliseconds kTurn{50};
constexpr char kWrapper[] =
    "Recovery is suppressed by FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=5, "
    "backoffTimeMS=10000)";
constexpr char kUserFailure[] = "BOOM";

/// Waits until `done()`. Returns false when that takes too long.
bool await(milliseconds patience, const std::function<bool()>& done) {
  const auto deadline = steady_clock::now() + patience;
  while (!done()) {
    if (steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kTurn);
  }
  return true;
}

/// Looks at a checkpoint directory all the time, since checkpoints come and go.
class CheckpointWatch {
 public:
  explicit CheckpointWatch(const std::string& directory)
      : before_(scanTree(directory)), thread_([this, directory](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            look(directory);
            std::this_thread::sleep_for(kTurn);
          }
        }) {}

  /// The number of the first checkpoint of a job that was not there before; nullopt for none.
  std::optional<int> firstNumber() {
    thread_.request_stop();
    thread_.join();
    return first_;
  }

 private:
  void look(const std::string& directory) {
    for (const auto& [id, job] : scanTree(directory)) {
      if (before_.contains(id)) continue;
      for (const auto* numbers : {&job.complete, &job.incomplete}) {
        for (const int number : *numbers) first_ = std::min(first_.value_or(number), number);
      }
    }
  }

  const CheckpointTree before_;
  std::optional<int> first_;  // Of the thread until it is joined.
  std::jthread thread_;
};

/// The one checkpoint that a cancelled job has left.
struct KeptCheckpoint {
  std::string path;
  int number = 0;
};

KeptCheckpoint keptCheckpoint(const std::string& directory) {
  for (const auto& [id, job] : scanTree(directory)) {
    if (job.complete.empty()) continue;
    const int number = *job.complete.rbegin();
    return {directory + "/" + id + "/chk-" + std::to_string(number), number};
  }
  throw std::runtime_error("no checkpoint was kept to go on from");
}

/// Replays the runs of one case one after the other.
class CaseReplayer {
 public:
  CaseReplayer(const SeedReplay& replay, const SeedPrograms& programs, std::string directory,
               double stretch, std::stop_token stop)
      : replay_(replay),
        setup_(setupOf(replay.seed).value()),
        directory_(std::move(directory)),
        checkpoints_(directory_ + "/checkpoints"),
        program_(programs.examples + "/" + replay.seed.program),
        stretch_(stretch),
        stop_(std::move(stop)),
        host_(replay.mode == Mode::kEmbedded ? makeEmbeddedHost(directory_)
                                             : makeClusterHost(programs.wiesel, directory_)) {}

  Difference replay() {
    std::optional<KeptCheckpoint> kept;
    for (size_t i = 0; i < replay_.seed.runs.size(); ++i) {
      const SeedRun& run = replay_.seed.runs[i];
      std::optional<CheckpointWatch> watch;
      if (kept) watch.emplace(checkpoints_);
      Difference difference = replayRun(run, kept);
      if (!difference && watch) difference = checkNumbering(*kept, watch->firstNumber());
      if (!difference && !run.tree.empty()) difference = checkTree(run);
      if (difference) {
        return (replay_.seed.runs.size() > 1 ? "run " + std::to_string(i + 1) + ": " : "") +
               *difference;
      }
      if (i + 1 < replay_.seed.runs.size()) kept = keptCheckpoint(checkpoints_);
    }
    return std::nullopt;
  }

 private:
  Difference replayRun(const SeedRun& run, const std::optional<KeptCheckpoint>& from) {
    const Timeline timeline = parseTimeline(readFile(run.input));
    TimelinePlayer player(timeline);
    const std::unique_ptr<ReplayedJob> job = host_->start(requestFor(player, from));
    PlayOptions options;
    options.stretch = stretch_;
    options.keeps_clear_of_minute_end = setup_.keeps_clear_of_minute_end;
    options.job_has_ended = [&job] { return job->hasEnded(); };
    options.on_touch = [&job](const std::string& file) {
      if (file == kCancelFile) job->cancel();
    };
    options.stop = stop_;
    std::jthread cancelling;
    if (setup_.cancel_after) cancelling = cancelLater(*job);
    Difference difference;
    try {
      player.play(options);
    } catch (const std::runtime_error& error) {
      difference = error.what();
    }
    if (cancelling.joinable()) cancelling.join();
    if (!difference) difference = checkEnd(timeline, job->awaitEnd(kEndPatience, stop_));
    if (difference) return *difference + hints(run, *job);
    return findOutputDifference(replay_.seed.program, replay_.seed.variant, readFile(run.output),
                                job->output(), stretch_);
  }

  std::jthread cancelLater(ReplayedJob& job) const {
    return std::jthread([&job, wait = *setup_.cancel_after] {
      std::this_thread::sleep_for(wait);
      job.cancel();
    });
  }

  JobRequest requestFor(const TimelinePlayer& player, const std::optional<KeptCheckpoint>& from) {
    JobRequest request;
    request.program = program_;
    request.arguments = setup_.arguments;
    for (const auto& [recorded, flag] : setup_.port_flags) {
      request.arguments.insert(request.arguments.end(),
                               {flag, std::to_string(player.portFor(recorded))});
    }
    if (setup_.has_checkpoints) {
      request.arguments.insert(
          request.arguments.end(),
          {"--checkpoint-dir", "file://" + checkpoints_, "--checkpoint-interval", "1000"});
    }
    request.arguments.insert(request.arguments.end(),
                             {"-D", "state.backend.type=" + replay_.backend});
    if (from) request.restore_path = from->path;
    request.attached = setup_.fails_always;
    return request;
  }

  Difference checkEnd(const Timeline& timeline, const JobResult& result) const {
    JobEnd expected = JobEnd::kFinished;
    if (timeline.cancels() || setup_.cancel_after) expected = JobEnd::kCanceled;
    if (setup_.fails_always) expected = JobEnd::kFailed;
    if (result.end != expected) {
      return "the job is to end as " + std::string(nameOf(expected)) + ", it is " +
             std::string(nameOf(result.end));
    }
    return setup_.fails_always ? checkMessage(result.message) : std::nullopt;
  }

  /// People read the root cause first. On a cluster they also read why there was no restart.
  Difference checkMessage(const std::string& message) const {
    if (!message.starts_with(kUserFailure)) {
      return std::string("the error message must begin with '") + kUserFailure + "', it is '" +
             message + "'";
    }
    if (replay_.mode == Mode::kCluster && message.find(kWrapper) == std::string::npos) {
      return std::string("the error message must also say '") + kWrapper + "', it is '" + message +
             "'";
    }
    return std::nullopt;
  }

  Difference checkTree(const SeedRun& run) const {
    const CheckpointTree recorded = parseTree(readFile(run.tree));
    Difference difference;
    await(kCleanUpPatience, [&] {
      difference = compareTrees(recorded, scanTree(checkpoints_));
      return !difference.has_value();
    });
    return difference;
  }

  static Difference checkNumbering(const KeptCheckpoint& from, std::optional<int> first) {
    if (first == from.number + 1) return std::nullopt;
    return "the first checkpoint after chk-" + std::to_string(from.number) + " must be chk-" +
           std::to_string(from.number + 1) + ", it is " +
           (first ? "chk-" + std::to_string(*first) : "none");
  }

  /// What often says why something else went wrong: how the job ended, and what its output is like.
  std::string hints(const SeedRun& run, ReplayedJob& job) const {
    try {
      std::string hints;
      if (job.hasEnded()) {
        const JobResult result = job.awaitEnd(kEndPatience, stop_);
        hints = "; the job is " + std::string(nameOf(result.end)) + ": " + result.message;
      }
      const Difference difference = findOutputDifference(
          replay_.seed.program, replay_.seed.variant, readFile(run.output), job.output(), stretch_);
      return hints + (difference ? "; output: " + *difference : "");
    } catch (const std::exception& error) {
      return std::string("; ") + error.what();
    }
  }

  const SeedReplay& replay_;
  const SeedSetup setup_;
  const std::string directory_;
  const std::string checkpoints_;
  const std::string program_;
  const double stretch_;
  const std::stop_token stop_;
  const std::unique_ptr<JobHost> host_;
};

}  // namespace

std::string SeedReplay::name() const {
  return seed.name() + " (" + (mode == Mode::kEmbedded ? "embedded" : "cluster") + ", " + backend +
         ")";
}

std::optional<std::string> reasonToSkip(const SeedReplay& replay, const SeedPrograms& programs) {
  if (!setupOf(replay.seed)) return "no program of this name is known";
  const std::string example = programs.examples + "/" + replay.seed.program;
  if (!fs::exists(example)) return "examples/" + replay.seed.program + " is not in this version";
  if (replay.mode == Mode::kCluster && !fs::exists(programs.wiesel)) {
    return "client/wiesel is not in this version";
  }
  return std::nullopt;
}

std::optional<std::string> replaySeed(const SeedReplay& replay, const SeedPrograms& programs,
                                      const std::string& directory, double stretch,
                                      const std::stop_token& stop) {
  try {
    return CaseReplayer(replay, programs, directory, stretch, stop).replay();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace wiesel::conformance
