#include "runtime/scheduler/job_failure.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/graph/failure_text.h"

namespace wiesel::runtime {
namespace {

JobFailure taskFailure(const std::string& message) {
  JobFailure failure;
  failure.info.set_message(message);
  failure.info.set_operator_name("map");
  failure.info.set_subtask(0);
  failure.info.set_parallelism(2);
  return failure;
}

JobFailure workerLost(const std::string& worker_id) {
  JobFailure failure = taskFailure("connection closed");
  failure.lost_worker_id = worker_id;
  failure.cause_known = false;
  return failure;
}

TEST(JobFailureTest, TheLineBeginsWithTheCauseAndNamesOperatorAndSubtask) {
  EXPECT_EQ(failureLine(taskFailure("it broke")), "it broke (operator 'map', subtask 1/2)");
}

TEST(JobFailureTest, TheLineOfAFailureOutsideATaskIsItsMessage) {
  JobFailure failure;
  failure.info.set_message("too many checkpoints failed");
  EXPECT_EQ(failureLine(failure), "too many checkpoints failed");
}

TEST(FailureTextTest, ALongTextIsCutAndSaysSo) {
  const std::string longest(kMaxFailureTextBytes, 'a');
  EXPECT_EQ(boundedFailureText(longest), longest);
  const std::string cut = boundedFailureText(longest + "b");
  EXPECT_EQ(cut.size(), kMaxFailureTextBytes);
  EXPECT_TRUE(cut.starts_with("aaaa") && cut.ends_with("aa... (cut, it has 65537 bytes)"));
  EXPECT_EQ(boundedFailureText(cut), cut);
}

TEST(FailureTextTest, ACharacterIsNotCutInTwo) {
  for (size_t before = 0; before < 4; ++before) {
    std::string text(before, 'a');
    while (text.size() <= kMaxFailureTextBytes) text += "\xf0\x9f\xa6\xa6";
    const std::string cut = boundedFailureText(text);
    EXPECT_EQ((cut.find("... (cut") - before) % 4, 0) << before;
  }
}

TEST(JobFailureTest, ACauseThatIsLearntIsBoundedToo) {
  ExceptionHistory history(1);
  history.add(workerLost("worker"), "");
  EXPECT_TRUE(history.learnCause("worker", std::string(10 * kMaxFailureTextBytes, 'a')));
  EXPECT_EQ(history.entries().front().flinkText().size(), kMaxFailureTextBytes);
}

TEST(JobFailureTest, FlinksFormHasTheWrapperFirst) {
  ExceptionEntry entry;
  entry.job_exception = "Recovery is suppressed by NoRestartBackoffTimeStrategy";
  entry.root = taskFailure("it broke");
  entry.root.info.set_trace("\tat map.cc:7");
  EXPECT_EQ(entry.flinkText(),
            "org.apache.flink.runtime.JobException: Recovery is suppressed by "
            "NoRestartBackoffTimeStrategy\nCaused by: it broke\n\tat map.cc:7");
}

TEST(ExceptionHistoryTest, KeepsTheNewestFirst) {
  ExceptionHistory history(2);
  for (const char* message : {"first", "second", "third"}) history.add(taskFailure(message), {});
  ASSERT_EQ(history.entries().size(), 2u);
  EXPECT_EQ(history.entries()[0].root.info.message(), "third");
  EXPECT_EQ(history.entries()[1].root.info.message(), "second");
}

TEST(ExceptionHistoryTest, BoundsConcurrentFailures) {
  ExceptionHistory history(1);
  history.addConcurrent(taskFailure("before there is an entry"));
  history.add(taskFailure("root"), {});
  for (int i = 0; i < 100; ++i) history.addConcurrent(taskFailure("another"));
  EXPECT_EQ(history.entries().front().concurrent.size(), ExceptionHistory::kMaxConcurrent);
}

TEST(ExceptionHistoryTest, LearnsWhyAWorkerEndedOnce) {
  ExceptionHistory history(4);
  history.add(workerLost("w1"), {});
  EXPECT_FALSE(history.learnCause("w2", "another worker"));
  EXPECT_TRUE(history.learnCause("w1", "killed by signal 9"));
  EXPECT_FALSE(history.learnCause("w1", "said again"));
  EXPECT_EQ(failureLine(history.entries().front().root), "killed by signal 9")
      << "the operator only noticed it";
}

TEST(ExceptionHistoryTest, LearnsNothingAboutFailuresOfItsOwnTasks) {
  ExceptionHistory history(4);
  history.add(taskFailure("it broke"), {});
  EXPECT_FALSE(history.learnCause("", "something"));
  EXPECT_EQ(history.entries().front().root.info.message(), "it broke");
}

}  // namespace
}  // namespace wiesel::runtime
