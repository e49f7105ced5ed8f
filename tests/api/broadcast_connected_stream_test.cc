#include "api/broadcast_connected_stream.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/serialization/describe.h"
#include "runtime/operators/operator_failure.h"
#include "tests/api/output_lines.h"

namespace wiesel {
namespace {

using testing::ProgramHarness;
using Lines = std::vector<std::string>;

const MapStateDescriptor<std::string, int64_t> kLimits{"limits"};
const MapStateDescriptor<int64_t, std::string> kSeen{"seen"};

std::string failureOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const runtime::OperatorFailure& failure) {
    return failure.operatorName() + ": " + failure.what();
  }
  return "no failure";
}

/// Keeps two broadcast states of one stream, and asks for one that there is not on the word "ask".
class TwoStates : public BroadcastProcessFunction<std::string, int64_t, std::string> {
 public:
  void processElement(const std::string& word, ReadOnlyContext& context,
                      Collector<std::string>& out) override {
    if (word == "ask") {
      context.getBroadcastState(MapStateDescriptor<std::string, int64_t>{"limit"});
    }
    out.collect(word + " " + std::to_string(context.getBroadcastState(kLimits).get("n").value()) +
                " " + std::to_string(context.getBroadcastState(kSeen).size()));
  }
  void processBroadcastElement(const int64_t& number, Context& context,
                               Collector<std::string>&) override {
    context.getBroadcastState(kLimits).put("n", number);
    context.getBroadcastState(kSeen).put(number, "");
  }
};

TEST(BroadcastConnectedStreamTest, KeepsSeveralStatesAndBringsThemBackForEverySubtask) {
  ProgramHarness harness;
  OutputLines output;
  const auto words = harness.addInput<std::string>();
  const auto numbers = harness.addInput<int64_t>();
  output.listen(harness, words.connect(numbers.broadcast(kLimits, kSeen)).process(TwoStates{}));
  harness.open();
  harness.process<int64_t>(0, 1, 5, 1);
  harness.process<int64_t>(0, 1, 7, 2);
  harness.process<std::string>(0, 0, "a", 3);
  EXPECT_EQ(output.take(), (Lines{"a 7 2@3"}));
  harness.restore(harness.snapshot(), 3);
  for (int subtask = 0; subtask < 3; ++subtask) {
    harness.process<std::string>(subtask, 0, "b", 4);
  }
  EXPECT_EQ(output.take(), (Lines{"b 7 2@4", "1> b 7 2@4", "2> b 7 2@4"}));
}

TEST(BroadcastConnectedStreamTest, SaysWhichStateIsNotThere) {
  ProgramHarness harness;
  OutputLines output;
  const auto words = harness.addInput<std::string>();
  const auto numbers = harness.addInput<int64_t>();
  output.listen(harness, words.connect(numbers.broadcast(kLimits, kSeen)).process(TwoStates{}));
  harness.open();
  EXPECT_EQ(failureOf([&] { harness.process<std::string>(0, 0, "ask", 1); }),
            "Co-Process-Broadcast: broadcast state 'limit' is not there: give its descriptor to "
            "broadcast(), or look for a mistake in its name");
}

/// Adds up numbers for each word's first letter. A broadcast number is added to all sums; 0 is an
/// attempt to use the state without a key.
class Sums : public KeyedBroadcastProcessFunction<std::string, std::string, int64_t, std::string> {
 public:
  void open(const OpenContext&) override {
    sum_ = getRuntimeContext().getState(kSum);
    words_ = getRuntimeContext().getListState(kWords);
  }
  void processElement(const std::string& word, ReadOnlyContext& context,
                      Collector<std::string>& out) override {
    sum_.update(sum_.value().value_or(0) + 1);
    words_.add(word);
    out.collect(context.getCurrentKey() + " " + std::to_string(*sum_.value()));
  }
  void processBroadcastElement(const int64_t& number, Context& context,
                               Collector<std::string>& out) override {
    if (number == 0) sum_.update(0);
    int64_t visited = 0;
    context.applyToKeyedState(kSum, [&](const std::string&, ValueState<int64_t>& sum) {
      ++visited;
      sum.update(*sum.value() + number);
    });
    context.applyToKeyedState(kWords, [&](const std::string& key, ListState<std::string>& words) {
      if (key == "b") words.clear();
    });
    out.collect("visited " + std::to_string(visited));
    int64_t with_words = 0;
    context.applyToKeyedState(kWords,
                              [&](const std::string&, ListState<std::string>&) { ++with_words; });
    out.collect("with words " + std::to_string(with_words));
  }

 private:
  static inline const ValueStateDescriptor<int64_t> kSum{"sum"};
  static inline const ListStateDescriptor<std::string> kWords{"words"};

  ValueState<int64_t> sum_;
  ListState<std::string> words_;
};

class KeyedBroadcastTest : public ::testing::TestWithParam<testing::HarnessBackend> {
 protected:
  KeyedBroadcastTest() {
    const auto words =
        harness_.addInput<std::string>().keyBy([](const std::string& w) { return w.substr(0, 1); });
    const auto numbers = harness_.addInput<int64_t>();
    output_.listen(harness_, words.connect(numbers.broadcast(kLimits)).process(Sums{}));
    harness_.open();
  }
  void word(const std::string& word) { harness_.process<std::string>(0, 0, word, 1); }
  void number(int64_t number) { harness_.process<int64_t>(0, 1, number, 2); }

  ProgramHarness harness_{{.backend = GetParam()}};
  OutputLines output_;
};

INSTANTIATE_TEST_SUITE_P(On, KeyedBroadcastTest,
                         ::testing::Values(testing::HarnessBackend::kHashmap,
                                           testing::HarnessBackend::kRocksdb),
                         [](const auto& info) {
                           return info.param == testing::HarnessBackend::kHashmap ? "Hashmap"
                                                                                  : "Rocksdb";
                         });

TEST_P(KeyedBroadcastTest, ChangesTheStateOfAllKeys) {
  word("anna");
  word("aunt");
  word("bert");
  number(10);
  word("ape");
  word("bee");
  EXPECT_EQ(output_.take(), (Lines{"a 1@1", "a 2@1", "b 1@1", "visited 2@2", "with words 1@2",
                                   "a 13@1", "b 12@1"}));
}

TEST_P(KeyedBroadcastTest, HasNoCurrentKeyForABroadcastRecord) {
  word("anna");
  EXPECT_NE(failureOf([&] { number(0); }).find("there is no current key"), std::string::npos);
}

}  // namespace
}  // namespace wiesel
