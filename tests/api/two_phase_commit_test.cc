#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/data_stream.h"
#include "api/testing/program_harness.h"
#include "runtime/functions/two_phase_commit_sink_function.h"

namespace wiesel {
namespace {

using Lines = std::vector<std::string>;

/// What sinks did and how often they began a transaction. Shared by all instances of a test.
struct Log {
  Lines lines;
  int transactions = 0;
  std::string failing;  // The commit of this transaction throws.
};

class LoggingSink final : public TwoPhaseCommitSinkFunction<std::string, std::string, std::string> {
 public:
  explicit LoggingSink(std::shared_ptr<Log> log) : log_(std::move(log)) {}

 private:
  std::string beginTransaction() override { return "t" + std::to_string(log_->transactions++); }
  void invoke(std::string& transaction, const std::string& value) override {
    transaction += "+" + value;
  }
  void preCommit(std::string&) override {}
  void commit(const std::string& transaction) override {
    log_->lines.push_back("commit " + transaction);
    if (transaction == log_->failing) throw std::runtime_error("cannot commit " + transaction);
  }
  void abort(const std::string& transaction) override {
    log_->lines.push_back("abort " + transaction);
  }
  std::optional<std::string> initializeUserContext() override { return "made once"; }
  void finishRecoveringContext(const std::vector<std::string>& handled) override {
    std::string line = *getUserContext() + ":";
    for (const std::string& transaction : handled) line += " " + transaction;
    log_->lines.push_back(line);
  }

  std::shared_ptr<Log> log_;
};

class TwoPhaseCommitTest : public ::testing::Test {
 protected:
  testing::ProgramHarness harness_;
  std::shared_ptr<Log> log_ = std::make_shared<Log>();

  void SetUp() override {
    harness_.addInput<std::string>().addSink(LoggingSink(log_));
    harness_.open();
  }
  void send(int subtask, const std::string& record) {
    harness_.process<std::string>(subtask, 0, record, {});
  }
  Lines takeLog() { return std::exchange(log_->lines, {}); }
};

TEST_F(TwoPhaseCommitTest, ARestoredSinkRecoversWithTheContextOfTheCheckpoint) {
  send(0, "a");
  const auto snapshot = harness_.snapshot();
  harness_.crash();
  harness_.restore(snapshot, 1);
  // By default recovering is committing and aborting. The second transaction was begun empty.
  EXPECT_EQ(takeLog(), (Lines{"commit t0+a", "abort t1", "made once: t0+a t1"}));
}

TEST_F(TwoPhaseCommitTest, ASubtaskRecoversTheTransactionsOfAllThatItTakesOver) {
  harness_.crash();
  harness_.open(2);
  send(0, "a");
  send(1, "b");
  const auto snapshot = harness_.snapshot();
  harness_.crash();
  harness_.restore(snapshot, 1);
  EXPECT_EQ(takeLog(), (Lines{"commit t1+a", "abort t3", "made once: t1+a t3", "commit t2+b",
                              "abort t4", "made once: t2+b t4"}));
}

TEST_F(TwoPhaseCommitTest, AFailingCommitDoesNotKeepTheOthersBack) {
  harness_.snapshot();
  const auto last = harness_.snapshot();
  log_->failing = "t0";
  EXPECT_THROW(harness_.notifyCheckpointComplete(last.checkpoint_id), runtime::OperatorFailure);
  EXPECT_EQ(takeLog(), (Lines{"commit t0", "commit t1"}));
}

TEST_F(TwoPhaseCommitTest, AFinishedSinkBeginsNoTransaction) {
  send(0, "last");
  harness_.finish();
  harness_.notifyCheckpointComplete(harness_.snapshot().checkpoint_id);
  harness_.close();
  EXPECT_EQ(takeLog(), Lines{"commit t0+last"});
  EXPECT_EQ(log_->transactions, 1);
}

}  // namespace
}  // namespace wiesel
