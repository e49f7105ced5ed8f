#include "api/async_data_stream.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/api/output_lines.h"
#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

/// What the function under test was asked and has not answered. Shared with the function's copies.
struct Requests {
  std::vector<int64_t> asked;
  std::map<int64_t, ResultFuture<int64_t>> futures;  // By record; the latest one.

  void answer(int64_t record) { futures.at(record).complete({record * 10}); }
};

class Ask final : public AsyncFunction<int64_t, int64_t> {
 public:
  explicit Ask(std::shared_ptr<Requests> requests) : requests_(std::move(requests)) {}
  void asyncInvoke(const int64_t& record, ResultFuture<int64_t> result) override {
    requests_->asked.push_back(record);
    requests_->futures.insert_or_assign(record, std::move(result));
  }

 private:
  std::shared_ptr<Requests> requests_;  // Shared with the test.
};

class AsyncDataStreamTest : public ::testing::Test {
 protected:
  using Numbers = std::vector<int64_t>;
  using Retry = AsyncRetryStrategy<int64_t>;

  testing::ProgramHarness harness_;
  OutputLines lines_;
  std::shared_ptr<Requests> requests_ = std::make_shared<Requests>();

  void openOrdered(milliseconds timeout, int capacity) {
    open(AsyncDataStream::orderedWait(records(), Ask(requests_), timeout, capacity));
  }
  void openWithRetry(milliseconds timeout, Retry retry) {
    open(AsyncDataStream::unorderedWaitWithRetry(records(), Ask(requests_), timeout, 10,
                                                 std::move(retry)));
  }

  DataStream<int64_t> records() { return harness_.addInput<int64_t>(); }
  void open(const DataStream<int64_t>& results) {
    lines_.listen(harness_, results);
    harness_.open();
  }

  void send(std::initializer_list<int64_t> records) {
    for (int64_t record : records) harness_.process<int64_t>(0, 0, record, record);
  }
  void answer(int64_t record) {
    requests_->answer(record);
    harness_.drain();
  }
  void fail(int64_t record) {
    requests_->futures.at(record).completeExceptionally(std::runtime_error("no answer"));
    harness_.drain();
  }
};

TEST_F(AsyncDataStreamTest, NoMoreThanTheCapacityIsAskedAtATime) {
  openOrdered(milliseconds(0), 2);
  send({1, 2, 3});
  harness_.watermark(0, 3);
  EXPECT_EQ(requests_->asked, (Numbers{1, 2}));
  answer(2);
  EXPECT_EQ(requests_->asked, (Numbers{1, 2})) << "the second still has its place";
  answer(1);
  EXPECT_EQ(requests_->asked, (Numbers{1, 2, 3}));
  answer(3);
  EXPECT_EQ(lines_.take(), (Lines{"10@1", "20@2", "30@3", "W 3"}));
}

TEST_F(AsyncDataStreamTest, ACheckpointHoldsWhatIsInFlightAndWhatWaitsForRoom) {
  openOrdered(milliseconds(0), 2);
  send({1, 2, 3});
  harness_.watermark(0, 3);
  const auto snapshot = harness_.snapshot();
  requests_->asked.clear();
  harness_.restore(snapshot, 1);
  EXPECT_EQ(requests_->asked, (Numbers{1, 2}));
  for (int64_t record : {1, 2, 3}) answer(record);
  EXPECT_EQ(lines_.take(), (Lines{"10@1", "20@2", "30@3", "W 3"}));
}

TEST_F(AsyncDataStreamTest, AnswersMayComeFromAnyThread) {
  openOrdered(milliseconds(0), 100);
  for (int64_t record = 0; record < 100; ++record) send({record});
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (int64_t record = 99 - thread; record >= 0; record -= 4) requests_->answer(record);
    });
  }
  for (std::thread& thread : threads) thread.join();
  harness_.drain();
  Lines expected;
  for (int64_t record = 0; record < 100; ++record) {
    expected.push_back(std::to_string(record * 10) + "@" + std::to_string(record));
  }
  EXPECT_EQ(lines_.take(), expected);
}

TEST_F(AsyncDataStreamTest, OnlyTheFirstAnswerCountsAndNoneAfterTheEnd) {
  openOrdered(milliseconds(0), 10);
  send({1, 2});
  answer(1);
  answer(1);
  EXPECT_EQ(lines_.take(), Lines{"10@1"});
  harness_.close();
  requests_->answer(2);
  EXPECT_EQ(lines_.take(), Lines{});
}

TEST_F(AsyncDataStreamTest, AFailedRequestFailsTheTaskWithItsText) {
  openOrdered(milliseconds(0), 10);
  send({1});
  EXPECT_THROW(
      try { fail(1); } catch (const runtime::OperatorFailure& failure) {
        EXPECT_STREQ(failure.what(), "no answer");
        throw;
      },
      runtime::OperatorFailure);
}

TEST_F(AsyncDataStreamTest, ATimeoutFailsTheTaskUnlessTheFunctionKnowsBetter) {
  openOrdered(milliseconds(50), 10);
  send({1});
  harness_.setProcessingTime(20);
  send({2});
  answer(1);
  harness_.setProcessingTime(69);
  EXPECT_EQ(lines_.take(), Lines{"10@1"});
  EXPECT_THROW(
      try { harness_.setProcessingTime(70); } catch (const runtime::OperatorFailure& failure) {
        EXPECT_STREQ(failure.what(), "Async function call has timed out.");
        throw;
      },
      runtime::OperatorFailure);
}

TEST_F(AsyncDataStreamTest, AFailureIsRetriedAfterTheDelay) {
  openWithRetry(milliseconds(0),
                Retry::fixedDelay(3, milliseconds(10)).ifException([](const std::exception_ptr&) {
                  return true;
                }));
  send({1});
  fail(1);
  EXPECT_EQ(requests_->asked, Numbers{1});
  harness_.setProcessingTime(10);
  EXPECT_EQ(requests_->asked, (Numbers{1, 1}));
  fail(1);
  harness_.setProcessingTime(20);
  EXPECT_THROW(fail(1), runtime::OperatorFailure) << "the third attempt was the last one";
}

TEST_F(AsyncDataStreamTest, AResultIsRetriedWithGrowingDelays) {
  openWithRetry(milliseconds(0),
                Retry::exponentialBackoff(9, milliseconds(10), milliseconds(25), 2)
                    .ifResult([](const Numbers& results) { return results.empty(); }));
  send({1});
  Numbers asked{1};
  for (int64_t due_ms : {10, 30, 55, 80}) {  // After 10, 20, 25 and 25 ms.
    requests_->futures.at(1).complete({});
    harness_.drain();
    harness_.setProcessingTime(due_ms - 1);
    EXPECT_EQ(requests_->asked, asked);
    harness_.setProcessingTime(due_ms);
    asked.push_back(1);
    EXPECT_EQ(requests_->asked, asked);
  }
  answer(1);
  EXPECT_EQ(lines_.take(), Lines{"10@1"});
}

TEST_F(AsyncDataStreamTest, TheTimeoutSpansTheRetries) {
  openWithRetry(milliseconds(15),
                Retry::fixedDelay(9, milliseconds(10)).ifException([](const std::exception_ptr&) {
                  return true;
                }));
  send({1});
  fail(1);
  harness_.setProcessingTime(10);
  fail(1);
  EXPECT_THROW(harness_.setProcessingTime(15), runtime::OperatorFailure);
}

TEST_F(AsyncDataStreamTest, TheEndOfTheInputDoesNotWaitForARetry) {
  openWithRetry(milliseconds(0),
                Retry::fixedDelay(9, milliseconds(10)).ifException([](const std::exception_ptr&) {
                  return true;
                }));
  send({1});
  fail(1);
  harness_.finish();
  EXPECT_EQ(requests_->asked, (Numbers{1, 1}));
  answer(1);
  EXPECT_EQ(lines_.take(), Lines{"10@1"});
}

TEST_F(AsyncDataStreamTest, ACapacityBelowOneIsAnInvalidProgram) {
  EXPECT_THROW(AsyncDataStream::orderedWait(records(), Ask(requests_), milliseconds(1), 0),
               InvalidProgramException);
  EXPECT_THROW(AsyncDataStream::orderedWait(records(), Ask(requests_), milliseconds(-1), 1),
               InvalidProgramException);
}

/// Answers in a thread of its own, several questions at a time and the last one first.
class AnswerInAThread final : public RichAsyncFunction<int64_t, int64_t> {
 public:
  void asyncInvoke(const int64_t& record, ResultFuture<int64_t> result) override {
    waiting_.emplace_back(record, std::move(result));
    if (waiting_.size() < 7 && record != kLast) return;
    threads_.emplace_back([waiting = std::exchange(waiting_, {})] {
      for (size_t i = waiting.size(); i-- > 0;) waiting[i].second.complete({waiting[i].first});
    });
  }
  void close() override {
    for (std::thread& thread : threads_) thread.join();
  }
  static constexpr int64_t kLast = 999;

 private:
  std::vector<std::pair<int64_t, ResultFuture<int64_t>>> waiting_;
  std::vector<std::thread> threads_;
};

TEST(AsyncJobTest, WaitsForAllAnswersAndKeepsTheirOrder) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.enableCheckpointing(milliseconds(10));
  const auto results = std::make_shared<std::vector<int64_t>>();
  const auto numbers = env.fromSource(
      DataGeneratorSource<int64_t>([](int64_t number) { return number; }, 1000), "numbers");
  AsyncDataStream::orderedWait(numbers, perSubtask([] { return AnswerInAThread(); }),
                               std::chrono::minutes(1), 7)
      .addSink([results](int64_t number) { results->push_back(number); });
  env.execute("async");
  std::vector<int64_t> expected;
  for (int64_t number = 0; number < 1000; ++number) expected.push_back(number);
  EXPECT_EQ(*results, expected);
}

}  // namespace
}  // namespace wiesel
