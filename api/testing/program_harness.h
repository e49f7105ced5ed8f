#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/data_stream.h"
#include "api/program.h"
#include "common/check.h"
#include "runtime/network/batch.h"
#include "runtime/operators/output.h"
#include "state/key_group.h"

namespace wiesel::testing {

class ScratchDirectory;
struct OperatorState;

/// Where a harness keeps keyed state.
enum class HarnessBackend : uint8_t { kHashmap, kRocksdb };

struct HarnessSettings {
  int max_parallelism = 128;
  int64_t now_ms = 0;  // The clock while the program opens.
  int64_t auto_watermark_interval_ms = 200;
  HarnessBackend backend = HarnessBackend::kHashmap;
};

/// What travels in a stream besides records.
struct ControlElement {
  enum class Kind : uint8_t { kWatermark, kIdle, kActive };
  Kind kind = Kind::kWatermark;
  int64_t watermark_ms = 0;  // Of a watermark.

  bool operator==(const ControlElement&) const = default;
};

/// The state of all subtasks of a program at a checkpoint. Immutable; copies share it.
struct HarnessSnapshot {
  int64_t checkpoint_id = 0;
  /// By subtask, then by node.
  std::shared_ptr<const std::vector<std::vector<OperatorState>>> subtasks;
};

/// A piece of a program under test: streams in, operators, streams out, all in the caller's thread,
/// with a clock that the caller moves, and checkpoints that it can restore at another parallelism.
///
/// Order:   write the program on the streams of addInput(), say with listen() what is to be heard,
///          open(), then send elements. What a call causes has been heard when it returns, each
///          result as it left its operator.
/// Keys:    an element goes to the subtask that is named; on the way to a keyed operator that must
///          be the one that owns the key, see subtaskOf().
/// Threads: one.
/// Errors:  what user functions throw comes out as runtime::OperatorFailure; state::StateError.
/// Flink:   AbstractStreamOperatorTestHarness (1.20), here for any number of operators.
class ProgramHarness {
 public:
  template <class T>
  using OnRecord = std::function<void(int subtask, const T& value, std::optional<int64_t>)>;
  using OnControl = std::function<void(int subtask, const ControlElement&)>;

  explicit ProgramHarness(HarnessSettings settings = {});
  ~ProgramHarness();
  ProgramHarness(const ProgramHarness&) = delete;
  ProgramHarness& operator=(const ProgramHarness&) = delete;

  /// A stream whose elements come from the calls below, which name it by its number: 0
  /// for the first one.
  template <class T>
  SingleOutputStreamOperator<T> addInput() {
    runtime::StreamNode node;
    node.name = "Input";
    node.is_source = true;
    node.watermarks = runtime::WatermarkOrigin::kMakes;  // The test sends them.
    inputs_.push_back({program_->addNode(std::move(node)),
                       [] { return std::make_unique<runtime::Output<T>>(); }});
    return SingleOutputStreamOperator<T>(program_, inputs_.back().node);
  }

  /// Has the records of a stream told, and its watermarks and statuses when `on_control` is given.
  template <class T>
  void listen(const DataStream<T>& stream, OnRecord<T> on_record, OnControl on_control = {}) {
    const auto& branches = stream.upstream().branches;
    WIESEL_CHECK(branches.size() == 1) << "listen() to a stream of one operator, not to a union";
    listeners_.push_back([branch = branches.front(), on_record = std::move(on_record),
                          on_control = std::move(on_control)](runtime::OutputBase& main,
                                                              int subtask) {
      auto ear = std::make_unique<Ear<T>>(subtask, on_record, on_control);
      runtime::OutputBase& output =
          branch.side.empty() ? main
                              : main.addSide(branch.side, std::make_unique<runtime::Output<T>>());
      static_cast<runtime::Output<T>&>(output).setBatchRecords(1);
      output.addTarget(*ear);
      return std::unique_ptr<runtime::OperatorInput>(std::move(ear));
    });
    listened_nodes_.push_back(branches.front().node);
  }

  /// Opens `parallelism` subtasks that begin with nothing, or with `restored`.
  void open(int parallelism = 1, const HarnessSnapshot* restored = nullptr);
  int parallelism() const;

  /// The subtask that owns a key.
  template <class K>
  int subtaskOf(const K& key) const {
    return state::subtaskFor(
        state::keyGroupFor(Serializer<K>::hashCode(key), settings_.max_parallelism), parallelism(),
        settings_.max_parallelism);
  }

  template <class T>
  void process(int subtask, int input, T value, std::optional<int64_t> timestamp_ms) {
    runtime::Batch<T> batch;
    batch.values.push_back(std::move(value));
    batch.has_timestamps = timestamp_ms.has_value();
    if (timestamp_ms) batch.timestamps_ms.push_back(*timestamp_ms);
    static_cast<runtime::Output<T>&>(entry(subtask, input)).emitBatch(batch);
    drain(subtask);
  }

  /// To every subtask, the first one first, as the clock below.
  void watermark(int input, int64_t watermark_ms);
  void status(int input, bool idle);
  /// Moves the clock; timers that are due fire, and see the new time.
  void setProcessingTime(int64_t now_ms);
  int64_t processingTime() const { return settings_.now_ms; }

  /// Takes a checkpoint; its number is one higher than the last one's.
  HarnessSnapshot snapshot() { return snapshot(last_checkpoint_ + 1); }
  /// The same with a number, which must be higher than the last one's.
  HarnessSnapshot snapshot(int64_t checkpoint_id);
  void notifyCheckpointComplete(int64_t checkpoint_id);
  void notifyCheckpointAborted(int64_t checkpoint_id);
  /// All input has ended.
  void finish();
  /// Closes all operators. After it only crash(), open() and restore() may be called.
  void close();
  /// Throws all subtasks away without closing them, as when their process dies.
  void crash();

  /// Lets operators go on with what was completed outside of the calls above.
  void drain();

  /// Closes all subtasks, as tasks that have failed are, and opens `parallelism` new ones from
  /// `snapshot`; what close() throws is lost. After crash() there is nothing to close. The clock
  /// stays.
  /// Functions are told that they are restored if the snapshot holds state of any operator, as
  /// those of one task are.
  void restore(const HarnessSnapshot& snapshot, int parallelism);

 private:
  template <class T>
  class Ear final : public runtime::TypedInput<T> {
   public:
    Ear(int subtask, const OnRecord<T>& on_record, const OnControl& on_control)
        : subtask_(subtask), on_record_(on_record), on_control_(on_control) {}

    void process(runtime::Batch<T>& batch) override {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        on_record_(subtask_, batch.values[i],
                   batch.has_timestamps ? std::optional(batch.timestamps_ms[i]) : std::nullopt);
      }
    }
    void processWatermark(int64_t watermark_ms) override {
      if (on_control_) on_control_(subtask_, {ControlElement::Kind::kWatermark, watermark_ms});
    }
    void processWatermarkStatus(bool idle) override {
      using Kind = ControlElement::Kind;
      if (on_control_) on_control_(subtask_, {idle ? Kind::kIdle : Kind::kActive, 0});
    }

   private:
    const int subtask_;
    const OnRecord<T> on_record_;
    const OnControl on_control_;
  };

  struct Input {
    int node = 0;
    std::function<std::unique_ptr<runtime::OutputBase>()> make_entry;
  };

  struct Subtask;

  runtime::OutputBase& entry(int subtask, int input);
  void drain(int subtask);
  std::unique_ptr<Subtask> makeSubtask(int subtask, int parallelism,
                                       const HarnessSnapshot* restored);

  HarnessSettings settings_;
  std::shared_ptr<internal::Program> program_;  // Shared with their handles.
  std::vector<Input> inputs_;
  std::vector<
      std::function<std::unique_ptr<runtime::OperatorInput>(runtime::OutputBase&, int subtask)>>
      listeners_;
  std::vector<int> listened_nodes_;  // By listener.
  std::unique_ptr<ScratchDirectory> scratch_;
  std::vector<std::unique_ptr<Subtask>> subtasks_;
  int64_t last_checkpoint_ = 0;
};

}  // namespace wiesel::testing
