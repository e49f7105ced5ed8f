#include "checkpoint/coordinator/failure_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::checkpoint {
namespace {

struct Event {
  int64_t checkpoint_id;
  bool success;
  FailureReason reason = FailureReason::kCheckpointExpired;
};

Event ok(int64_t id) { return {id, true}; }
Event failed(int64_t id, FailureReason reason = FailureReason::kCheckpointExpired) {
  return {id, false, reason};
}

struct Rule {
  std::string name;
  int tolerable;
  std::vector<Event> events;
  std::vector<int64_t> job_fails_at;  // Ids of the checkpoints.
};

std::vector<Rule> rules() {
  return {
      {"ZeroToleratedFailsAtTheFirst", 0, {failed(1)}, {1}},
      {"OneMoreThanToleratedFails", 2, {failed(1), failed(2), failed(3)}, {3}},
      {"ASuccessBetweenStartsTheCountAgain",
       1,
       {failed(1), ok(2), failed(3), ok(4), failed(5)},
       {}},
      {"CountsAfreshAfterTheJobFailed", 0, {failed(1), failed(2)}, {1, 2}},
      {"ACheckpointCountsOnce", 1, {failed(1), failed(1), failed(2)}, {2}},
      {"AFailureOfAnOlderCheckpointDoesNotCount", 0, {ok(2), failed(1)}, {}},
      {"AnOlderSuccessDoesNotClearTheCount", 1, {ok(5), failed(6), ok(4), failed(7)}, {7}},
      {"ReasonsThatDoNotCount",
       0,
       {failed(1, FailureReason::kCheckpointSubsumed),
        failed(2, FailureReason::kCheckpointDeclinedTaskClosing),
        failed(3, FailureReason::kCheckpointDeclinedOnCancellationBarrier),
        failed(4, FailureReason::kTaskFailure)},
       {}},
      {"UnlimitedNeverFails", FailurePolicy::kUnlimited, {failed(1), failed(2)}, {}},
  };
}

class FailurePolicyTest : public ::testing::TestWithParam<Rule> {};

TEST_P(FailurePolicyTest, FailsTheJobAsFlinkDoes) {
  FailurePolicy policy(GetParam().tolerable);
  std::vector<int64_t> job_fails_at;
  for (const Event& event : GetParam().events) {
    if (event.success) {
      policy.onSuccess(event.checkpoint_id);
    } else if (policy.onFailure(event.checkpoint_id, event.reason)) {
      job_fails_at.push_back(event.checkpoint_id);
    }
  }
  EXPECT_EQ(job_fails_at, GetParam().job_fails_at);
}

TEST(FailurePolicyCountTest, IncludesTheFailureThatWasOneTooMany) {
  FailurePolicy policy(1);
  policy.onFailure(1, FailureReason::kIoException);
  EXPECT_EQ(policy.consecutiveFailures(), 1);
  EXPECT_TRUE(policy.onFailure(2, FailureReason::kIoException));
  EXPECT_EQ(policy.consecutiveFailures(), 2);
  policy.onFailure(3, FailureReason::kIoException);
  EXPECT_EQ(policy.consecutiveFailures(), 1);
  policy.onSuccess(4);
  EXPECT_EQ(policy.consecutiveFailures(), 0);
}

TEST(FailurePolicyCountTest, CountsWhereAnyNumberIsTolerated) {
  FailurePolicy policy(FailurePolicy::kUnlimited);
  EXPECT_FALSE(policy.onFailure(1, FailureReason::kIoException));
  EXPECT_FALSE(policy.onFailure(2, FailureReason::kIoException));
  EXPECT_EQ(policy.consecutiveFailures(), 2);
}

INSTANTIATE_TEST_SUITE_P(Flink, FailurePolicyTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(FailureReasonTest, TheseAndNoOthersCount) {
  std::vector<std::string> counting;
  for (int i = 0; i <= static_cast<int>(FailureReason::kFinalizeCheckpointFailure); ++i) {
    const auto reason = static_cast<FailureReason>(i);
    EXPECT_EQ(failureReasonFromName(failureReasonName(reason)), reason);
    if (FailurePolicy::counts(reason)) counting.emplace_back(failureReasonName(reason));
  }
  EXPECT_EQ(counting, (std::vector<std::string>{"CHECKPOINT_EXPIRED", "CHECKPOINT_DECLINED",
                                                "CHECKPOINT_ASYNC_EXCEPTION", "IO_EXCEPTION",
                                                "FINALIZE_CHECKPOINT_FAILURE"}));
}

TEST(ParseDeclineTest, SplitsTheReasonOff) {
  const Decline with_words = parseDecline("CHECKPOINT_ASYNC_EXCEPTION: no space left: /ck");
  EXPECT_EQ(with_words.reason, FailureReason::kCheckpointAsyncException);
  EXPECT_EQ(with_words.message, "no space left: /ck");

  const Decline bare = parseDecline("CHECKPOINT_DECLINED_SUBSUMED");
  EXPECT_EQ(bare.reason, FailureReason::kCheckpointDeclinedSubsumed);
  EXPECT_EQ(bare.message, "");

  const Decline words = parseDecline("cannot write: disk full");
  EXPECT_EQ(words.reason, FailureReason::kCheckpointDeclined);
  EXPECT_EQ(words.message, "cannot write: disk full");
}

}  // namespace
}  // namespace wiesel::checkpoint
