#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/async_data_stream.h"
#include "tests/conformance/families.h"
#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {

/// A result of the recorder's function.
struct Answer {
  int32_t n = 0;
  int32_t i = 0;
  bool timed_out = false;
};
WIESEL_DESCRIBE(Answer, n, i, timed_out)

nlohmann::json toJson(const Answer& answer) {
  if (answer.timed_out) return {{"n", answer.n}, {"timeout", true}};
  return {{"n", answer.n}, {"i", answer.i}};
}

namespace {

using nlohmann::json;

using Futures = std::map<int, ResultFuture<Answer>>;  // By n; the latest one.

class RecordingFunction final : public AsyncFunction<Record, Answer> {
 public:
  RecordingFunction(Scenario& scenario, Futures& futures)
      : scenario_(&scenario), futures_(&futures) {}

  void asyncInvoke(const Record& record, ResultFuture<Answer> result) override {
    scenario_->record(0, {{"kind", "call"}, {"call", "asyncInvoke"}, {"n", record.n}});
    futures_->insert_or_assign(record.n, std::move(result));
  }
  void timeout(const Record& record, ResultFuture<Answer> result) override {
    scenario_->record(0, {{"kind", "call"}, {"call", "timeout"}, {"n", record.n}});
    result.complete({{.n = record.n, .timed_out = true}});
  }

 private:
  Scenario* scenario_;  // Not owned, as below.
  Futures* futures_;
};

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  Futures futures;
  const json& op = scenario.op();
  const auto records = scenario.input<Record>();
  const std::chrono::milliseconds timeout(op.at("timeout").get<int64_t>());
  const RecordingFunction function(scenario, futures);
  constexpr int kCapacity = 1000;
  scenario.output(op.at("mode") == "ordered"
                      ? AsyncDataStream::orderedWait(records, function, timeout, kCapacity)
                      : AsyncDataStream::unorderedWait(records, function, timeout, kCapacity));
  scenario.onEvent("complete", [&](const json& event) {
    const int n = event.at("n");
    std::vector<Answer> answers;
    for (int i = 0; i < event.at("results").get<int>(); ++i) answers.push_back({.n = n, .i = i});
    futures.at(n).complete(std::move(answers));
    scenario.harness().drain();
  });
  return scenario.play();
}

}  // namespace

Family asyncFamily() { return {.name = "async", .replay = replay}; }

}  // namespace wiesel::conformance
