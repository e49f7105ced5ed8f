#include <map>
#include <memory>
#include <string>
#include <utility>

#include "runtime/functions/two_phase_commit_sink_function.h"
#include "tests/conformance/families.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

/// What the sink does, whichever instance of it.
struct Recorder {
  Scenario& scenario;
  int transactions = 0;

  void call(const std::string& name, const std::string& transaction, json more = json::object()) {
    more["kind"] = "call";
    more["call"] = name;
    more["txn"] = transaction;
    scenario.record(0, std::move(more));
  }
};

class RecordingSink final : public TwoPhaseCommitSinkFunction<std::string, std::string> {
 public:
  explicit RecordingSink(Recorder& recorder) : recorder_(&recorder) {}

 private:
  std::string beginTransaction() override {
    const std::string transaction = "t" + std::to_string(recorder_->transactions++);
    recorder_->call("beginTransaction", transaction);
    return transaction;
  }
  void invoke(std::string& transaction, const std::string& value) override {
    recorder_->call("invoke", transaction, {{"record", value}});
  }
  void preCommit(std::string& transaction) override { recorder_->call("preCommit", transaction); }
  void commit(const std::string& transaction) override { recorder_->call("commit", transaction); }
  void abort(const std::string& transaction) override { recorder_->call("abort", transaction); }
  void recoverAndCommit(const std::string& transaction) override {
    recorder_->call("recoverAndCommit", transaction);
  }
  void recoverAndAbort(const std::string& transaction) override {
    recorder_->call("recoverAndAbort", transaction);
  }

  Recorder* recorder_;  // Not owned.
};

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  Recorder recorder{scenario};
  testing::ProgramHarness& harness = scenario.harness();
  std::map<int64_t, testing::HarnessSnapshot> snapshots;
  scenario.input<std::string>(Scenario::Routing::kBySubtask).addSink(RecordingSink(recorder));

  scenario.onEvent("snapshot", [&](const json& event) {
    const int64_t checkpoint_id = event.at("checkpoint");
    snapshots[checkpoint_id] = harness.snapshot(checkpoint_id);
  });
  scenario.onEvent("notifyComplete", [&](const json& event) {
    harness.notifyCheckpointComplete(event.at("checkpoint"));
  });
  scenario.onEvent("notifyAborted", [&](const json& event) {
    harness.notifyCheckpointAborted(event.at("checkpoint"));
  });
  scenario.onEvent("finish", [&](const json&) { harness.finish(); });
  scenario.onEvent("close", [&](const json&) { harness.close(); });
  scenario.onEvent("crashAndRestore", [&](const json& event) {
    harness.crash();
    if (event.at("checkpoint").is_null()) return harness.open();
    harness.restore(snapshots.at(event.at("checkpoint")), 1);
  });
  const auto difference = scenario.play();
  harness.crash();  // What closing would call is not part of the recording.
  return difference;
}

}  // namespace

Family twoPhaseCommitFamily() { return {.name = "two_phase_commit", .replay = replay}; }

}  // namespace wiesel::conformance
