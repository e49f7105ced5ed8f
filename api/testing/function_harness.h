#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/keyed_stream.h"
#include "api/testing/program_harness.h"

namespace wiesel {

// In wiesel itself, since a test that says `using namespace wiesel` meets GoogleTest's ::testing.
using testing::HarnessBackend;
using testing::HarnessSettings;
using testing::HarnessSnapshot;

/// A result, with its timestamp when it has one. Flink: StreamRecord (1.20).
template <class T>
struct TestRecord {
  T value{};
  std::optional<int64_t> timestamp_ms;

  bool operator==(const TestRecord&) const = default;
};

/// What a program that ends in a stream of Out records has put out, and the controls of time and
/// checkpoints: the part that harnesses with one and two inputs share. The program is opened by the
/// first element.
///
/// Units:   milliseconds since the epoch. The clock begins at HarnessSettings::now_ms.
/// Threads: one.
/// Errors:  runtime::OperatorFailure for what a user's function throws.
/// Flink:   AbstractStreamOperatorTestHarness (1.20).
template <class Out>
class HarnessOutput {
 public:
  /// Moves the clock; timers that are due fire.
  void setProcessingTime(int64_t now_ms) {
    openOnce();
    harness_.setProcessingTime(now_ms);
  }

  /// The results since the last call, in order.
  std::vector<TestRecord<Out>> takeOutput() { return std::exchange(records_, {}); }
  /// The same without timestamps.
  std::vector<Out> takeValues() {
    std::vector<Out> values;
    for (TestRecord<Out>& record : takeOutput()) values.push_back(std::move(record.value));
    return values;
  }
  /// The watermarks since the last call.
  std::vector<int64_t> takeWatermarks() { return std::exchange(watermarks_, {}); }

  /// What was said of idleness since the last call: true for idle, false for active again.
  std::vector<bool> takeWatermarkStatuses() { return std::exchange(statuses_, {}); }

  /// What is put out at the side, from now on. Before the first element.
  template <class S>
  const std::vector<TestRecord<S>>& sideOutput(const OutputTag<S>& tag) {
    WIESEL_CHECK(!is_open_) << "ask for side outputs before the first element";
    const auto records = std::make_shared<std::vector<TestRecord<S>>>();
    sides_.push_back(records);
    internal::Upstream side = stream_.upstream();
    side.branches.front().side = tag.id;
    harness_.listen<S>(DataStream<S>(std::move(side)),
                       [records](int, const S& value, std::optional<int64_t> timestamp_ms) {
                         records->push_back({value, timestamp_ms});
                       });
    return *records;
  }

  HarnessSnapshot snapshot() {
    openOnce();
    return harness_.snapshot();
  }
  void notifyCheckpointComplete(const HarnessSnapshot& snapshot) {
    harness_.notifyCheckpointComplete(snapshot.checkpoint_id);
  }
  void notifyCheckpointAborted(const HarnessSnapshot& snapshot) {
    harness_.notifyCheckpointAborted(snapshot.checkpoint_id);
  }
  /// Closes the operators, and goes on from a snapshot with fresh ones, `parallelism` subtasks of
  /// each. Results that were not taken stay. With more than one subtask the harness must be one of
  /// keyed streams.
  void restore(const HarnessSnapshot& snapshot, int parallelism = 1) {
    WIESEL_CHECK(parallelism == 1 || is_keyed_) << "only keys say which subtask a record goes to";
    is_open_ = true;
    harness_.restore(snapshot, parallelism);
  }

 protected:
  explicit HarnessOutput(HarnessSettings settings) : harness_(settings) {}

  void listenTo(const DataStream<Out>& stream) {
    stream_ = stream;
    harness_.listen<Out>(
        stream,
        [this](int, const Out& value, std::optional<int64_t> timestamp_ms) {
          records_.push_back({value, timestamp_ms});
        },
        [this](int subtask, const testing::ControlElement& element) {
          using Kind = testing::ControlElement::Kind;
          if (subtask != 0) return;  // Every subtask says the same; the first one is enough.
          if (element.kind == Kind::kWatermark) {
            watermarks_.push_back(element.watermark_ms);
          } else {
            statuses_.push_back(element.kind == Kind::kIdle);
          }
        });
  }

  void openOnce() {
    if (!std::exchange(is_open_, true)) harness_.open();
  }

  template <class In>
  void send(int subtask, int input, In value, std::optional<int64_t> timestamp_ms) {
    openOnce();
    harness_.process<In>(subtask, input, std::move(value), timestamp_ms);
  }
  void sendWatermark(int input, int64_t watermark_ms) {
    openOnce();
    harness_.watermark(input, watermark_ms);
  }
  void sendStatus(int input, bool idle) {
    openOnce();
    harness_.status(input, idle);
  }

  /// One of `inputs_left_` inputs has ended: its last watermark; with the last of them the end of
  /// every operator.
  void end(int input) {
    sendWatermark(input, std::numeric_limits<int64_t>::max());
    if (--inputs_left_ == 0) harness_.finish();
  }

  testing::ProgramHarness harness_;
  bool is_keyed_ = false;
  int inputs_left_ = 1;

 private:
  DataStream<Out> stream_;
  std::vector<TestRecord<Out>> records_;
  std::vector<int64_t> watermarks_;
  std::vector<bool> statuses_;
  std::vector<std::shared_ptr<void>> sides_;  // Keeps what sideOutput() gave out.
  bool is_open_ = false;
};

/// Which subtask a record goes to.
template <class In>
using SubtaskOf = std::function<int(const testing::ProgramHarness&, const In&)>;

namespace internal {

/// The one that owns the record's key.
template <class In, class KeySelector>
SubtaskOf<In> subtaskOfKey(KeySelector key_selector) {
  return [key_selector](const testing::ProgramHarness& harness, const In& value) {
    auto select = key_selector;
    return harness.subtaskOf(runtime::invokeKey(select, value));
  };
}

}  // namespace internal

/// A piece of a program with one input:
///
///   auto harness = harnessOf<Order>([](DataStream<Order> orders) {
///     return orders.keyBy(&Order::user).process(Alerts{});
///   });
///   harness.processElement({"ada", 5}, 100);
///   harness.processWatermark(200);
///   EXPECT_EQ(harness.takeValues(), ...);
///
/// Flink: OneInputStreamOperatorTestHarness, KeyedOneInputStreamOperatorTestHarness,
///        ProcessFunctionTestHarnesses (1.20).
template <class In, class Out>
class OneInputHarness : public HarnessOutput<Out> {
 public:
  /// `program` gets the input and returns the stream to listen to. `subtask_of` is there for keyed
  /// programs.
  template <class Program>
  OneInputHarness(HarnessSettings settings, Program program, SubtaskOf<In> subtask_of = {})
      : HarnessOutput<Out>(settings), subtask_of_(std::move(subtask_of)) {
    this->is_keyed_ = static_cast<bool>(subtask_of_);
    this->listenTo(program(this->harness_.template addInput<In>()));
  }
  OneInputHarness(const OneInputHarness&) = delete;
  OneInputHarness& operator=(const OneInputHarness&) = delete;

  void processElement(In value, std::optional<int64_t> timestamp_ms = std::nullopt) {
    this->openOnce();
    const int subtask = subtask_of_ ? subtask_of_(this->harness_, value) : 0;
    this->template send<In>(subtask, 0, std::move(value), timestamp_ms);
  }
  void processWatermark(int64_t watermark_ms) { this->sendWatermark(0, watermark_ms); }
  void processWatermarkStatus(bool idle) { this->sendStatus(0, idle); }
  /// The input has ended: the last watermark, then the end of every operator, which goes on being
  /// told of checkpoints.
  void endInput() { this->end(0); }

 private:
  const SubtaskOf<In> subtask_of_;
};

/// A harness of `program(DataStream<In>)`.
template <class In, class Program>
auto harnessOf(Program program, HarnessSettings settings = {}) {
  using Out = typename std::invoke_result_t<Program, DataStream<In>>::Record;
  return OneInputHarness<In, Out>(settings, std::move(program));
}

/// A harness of `program(KeyedStream)`, whose records go to the subtask that owns their key, so
/// that it can be restored at any parallelism.
template <class In, class KeySelector, class Program>
auto keyedHarnessOf(KeySelector key_selector, Program program, HarnessSettings settings = {}) {
  using Keyed = decltype(std::declval<DataStream<In>>().keyBy(key_selector));
  using Out = typename std::invoke_result_t<Program, Keyed>::Record;
  return OneInputHarness<In, Out>(
      settings,
      [key_selector, program](const DataStream<In>& input) {
        return program(input.keyBy(key_selector));
      },
      internal::subtaskOfKey<In>(key_selector));
}

/// A piece of a program with two inputs. Flink: TwoInputStreamOperatorTestHarness,
/// KeyedTwoInputStreamOperatorTestHarness (1.20).
template <class In1, class In2, class Out>
class TwoInputHarness : public HarnessOutput<Out> {
 public:
  /// As OneInputHarness; keyed programs have both of `subtask_of1` and `subtask_of2`.
  template <class Program>
  TwoInputHarness(HarnessSettings settings, Program program, SubtaskOf<In1> subtask_of1 = {},
                  SubtaskOf<In2> subtask_of2 = {})
      : HarnessOutput<Out>(settings),
        subtask_of1_(std::move(subtask_of1)),
        subtask_of2_(std::move(subtask_of2)) {
    this->is_keyed_ = subtask_of1_ && subtask_of2_;
    this->inputs_left_ = 2;
    const auto first = this->harness_.template addInput<In1>();
    const auto second = this->harness_.template addInput<In2>();
    this->listenTo(program(first, second));
  }
  TwoInputHarness(const TwoInputHarness&) = delete;
  TwoInputHarness& operator=(const TwoInputHarness&) = delete;

  void processElement1(In1 value, std::optional<int64_t> timestamp_ms = std::nullopt) {
    this->openOnce();
    const int subtask = subtask_of1_ ? subtask_of1_(this->harness_, value) : 0;
    this->template send<In1>(subtask, 0, std::move(value), timestamp_ms);
  }
  void processElement2(In2 value, std::optional<int64_t> timestamp_ms = std::nullopt) {
    this->openOnce();
    const int subtask = subtask_of2_ ? subtask_of2_(this->harness_, value) : 0;
    this->template send<In2>(subtask, 1, std::move(value), timestamp_ms);
  }
  void processWatermark1(int64_t watermark_ms) { this->sendWatermark(0, watermark_ms); }
  void processWatermark2(int64_t watermark_ms) { this->sendWatermark(1, watermark_ms); }
  void processBothWatermarks(int64_t watermark_ms) {
    processWatermark1(watermark_ms);
    processWatermark2(watermark_ms);
  }
  void processWatermarkStatus1(bool idle) { this->sendStatus(0, idle); }
  void processWatermarkStatus2(bool idle) { this->sendStatus(1, idle); }
  /// An input has ended: its last watermark; when both have, the end of every operator.
  void endInput1() { this->end(0); }
  void endInput2() { this->end(1); }

 private:
  const SubtaskOf<In1> subtask_of1_;
  const SubtaskOf<In2> subtask_of2_;
};

/// A harness of `program(DataStream<In1>, DataStream<In2>)`.
template <class In1, class In2, class Program>
auto harnessOf(Program program, HarnessSettings settings = {}) {
  using Out = typename std::invoke_result_t<Program, DataStream<In1>, DataStream<In2>>::Record;
  return TwoInputHarness<In1, In2, Out>(settings, std::move(program));
}

/// A harness of `program(KeyedStream, KeyedStream)`, both with keys of one type, whose records go
/// to the subtask that owns their key.
template <class In1, class In2, class KeySelector1, class KeySelector2, class Program>
auto keyedHarnessOf(KeySelector1 key_selector1, KeySelector2 key_selector2, Program program,
                    HarnessSettings settings = {}) {
  using Keyed1 = decltype(std::declval<DataStream<In1>>().keyBy(key_selector1));
  using Keyed2 = decltype(std::declval<DataStream<In2>>().keyBy(key_selector2));
  using Out = typename std::invoke_result_t<Program, Keyed1, Keyed2>::Record;
  return TwoInputHarness<In1, In2, Out>(
      settings,
      [key_selector1, key_selector2, program](const DataStream<In1>& first,
                                              const DataStream<In2>& second) {
        return program(first.keyBy(key_selector1), second.keyBy(key_selector2));
      },
      internal::subtaskOfKey<In1>(key_selector1), internal::subtaskOfKey<In2>(key_selector2));
}

}  // namespace wiesel
