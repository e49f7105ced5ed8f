#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/checks.h"
#include "api/field_access.h"
#include "api/stream_handle.h"
#include "connectors/print/print_function.h"
#include "runtime/connector_api/sink.h"
#include "runtime/functions/function_prototype.h"
#include "runtime/functions/function_traits.h"
#include "runtime/functions/output_tag.h"
#include "runtime/operators/map_operator.h"
#include "runtime/operators/process_operator.h"
#include "runtime/operators/sink_operator.h"
#include "runtime/operators/timestamps_and_watermarks_operator.h"
#include "runtime/time/watermark_strategy.h"
#include "runtime/windowing/window_assigners.h"
#include "state/state_descriptor.h"

namespace wiesel {

template <class T>
class SingleOutputStreamOperator;
template <class T, class K, class KeySelector>
class KeyedStream;
template <class L, class R>
class ConnectedStreams;
template <class T>
class BroadcastStream;
template <class T, class B>
class BroadcastConnectedStream;
template <class L, class R>
class CoGroupedStreams;
template <class L, class R>
class JoinedStreams;

namespace internal {

template <class T>
struct BeginWindows;

/// What a field, a member or a callable gives as the key of a T.
template <class T, class Selector>
using KeyOf =
    std::decay_t<decltype(runtime::invokeKey(std::declval<Selector&>(), std::declval<const T&>()))>;

}  // namespace internal

/// A stream of T records: a handle on a node of the program. Calls add nodes and return their
/// streams; nothing runs before execute().
///
/// Functions are callables, or objects with Flink's method (map, filter, flatMap, processElement).
/// Each subtask works on a copy of what is given here; see perSubtask(), which every call that
/// takes a function accepts, for what cannot be copied. What a lambda captures by reference or
/// shared pointer is shared between the subtasks of one process, and what a mutable lambda
/// remembers is not in a checkpoint.
///
/// A union, a repartitioned stream and a side output are no operator of their own: only the stream
/// that an operator made, a SingleOutputStreamOperator, has a name, a parallelism and so on.
///
/// Errors: InvalidProgramException when a stream is used after execute(), or together with one of
///         another environment.
/// Flink:  DataStream (1.20).
template <class T>
class DataStream : public internal::NoSettings {
 public:
  using Record = T;

  DataStream() = default;
  explicit DataStream(internal::Upstream upstream) : upstream_(std::move(upstream)) {
    WIESEL_REQUIRE_RECORD(T);
  }

  /// One result a record: `f(const T&)` or `f(T&&)`.
  template <class F>
  auto map(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out =
        std::decay_t<decltype(runtime::invokeMap(std::declval<Function&>(), std::declval<T>()))>;
    return add<Out>("Map", [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return std::make_unique<runtime::MapOperator<T, Out, Function>>(prototype.make());
    });
  }

  /// Keeps the records for which `f(const T&)` is true.
  template <class F>
  SingleOutputStreamOperator<T> filter(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    return add<T>("Filter", [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return std::make_unique<runtime::FilterOperator<T, Function>>(prototype.make());
    });
  }

  /// Any number of results a record: `f(const T&, Collector<Out>&)`.
  template <class F>
  auto flatMap(F f) const {
    return flatMap<typename runtime::FlatMapResult<runtime::FunctionOf<F>>::Type>(std::move(f));
  }
  /// The same, with the result type given: for generic lambdas.
  template <class Out, class F>
  SingleOutputStreamOperator<Out> flatMap(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    return add<Out>("Flat Map", [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return std::make_unique<runtime::FlatMapOperator<T, Out, Function>>(prototype.make());
    });
  }

  /// Calls a ProcessFunction<T, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    static_assert(
        !requires { typename Function::Key; },
        "wiesel: a KeyedProcessFunction needs keys: call keyBy() before process()");
    using Out = typename Function::Output;
    return add<Out>("Process", [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return std::make_unique<runtime::ProcessOperator<T, Out, Function>>(prototype.make());
    });
  }

  SingleOutputStreamOperator<T> assignTimestampsAndWatermarks(WatermarkStrategy<T> strategy) const {
    auto stamped = add<T>("Timestamps/Watermarks", [strategy = std::move(strategy)] {
      return std::make_unique<runtime::TimestampsAndWatermarksOperator<T>>(strategy);
    });
    stamped.settings().watermarks = runtime::WatermarkOrigin::kMakes;
    return stamped;
  }

  /// The old way, with a class derived from BoundedOutOfOrdernessTimestampExtractor<T>: watermarks
  /// are the highest timestamp minus the delay, without the further -1 of a WatermarkStrategy.
  template <class Extractor>
  requires std::is_base_of_v<BoundedOutOfOrdernessTimestampExtractor<T>, Extractor>
      SingleOutputStreamOperator<T> assignTimestampsAndWatermarks(Extractor extractor)
  const {
    const auto delay = extractor.maxOutOfOrderness();
    return assignTimestampsAndWatermarks(
        WatermarkStrategy<T>::forGenerator([delay] {
          return std::make_unique<LegacyBoundedOutOfOrdernessWatermarks<T>>(delay);
        }).withTimestampAssigner([extractor = std::move(extractor)](const T& record, int64_t) {
          return extractor.extractTimestamp(record);
        }));
  }

  /// Partitions by a key: a pointer to a member, or a callable on const T& that returns the key (or
  /// a reference to it, which copies nothing).
  template <class Selector>
  auto keyBy(Selector selector) const {
    using K = internal::KeyOf<T, Selector>;
    WIESEL_REQUIRE_KEY(K);
    WIESEL_REQUIRE_PLAIN(Selector, "a key selector");
    return KeyedStream<T, K, Selector>(upstream_, std::move(selector));
  }
  /// Partitions by a field of a described struct.
  auto keyBy(const char* field) const {
    WIESEL_REQUIRE_FIELDS(T, "keyBy");
    return keyBy(internal::SelectField<T>(field));
  }

  /// All records of both streams, each dealt out as its stream says. Named so because `union` is a
  /// keyword.
  DataStream<T> unionWith(const DataStream<T>& other) const {
    return DataStream<T>(upstream_.unionWith(other.upstream_));
  }

  /// Both streams, whose records may be of different types, as the inputs of one function.
  template <class R>
  ConnectedStreams<T, R> connect(const DataStream<R>& other) const {
    return ConnectedStreams<T, R>(*this, other);
  }
  template <class B>
  BroadcastConnectedStream<T, B> connect(const BroadcastStream<B>& broadcast) const {
    return BroadcastConnectedStream<T, B>(*this, broadcast);
  }

  /// All records in windows, in one subtask: as KeyedStream::window().
  template <class Assigner>
  auto windowAll(Assigner assigner) const {
    using Begin = internal::BeginWindows<T>;
    return Begin::all(upstream_, Begin::windowing(std::move(assigner)));
  }
  /// Windows of `n` records each.
  auto countWindowAll(int64_t n) const {
    using Begin = internal::BeginWindows<T>;
    return Begin::counted(windowAll(GlobalWindows::create()), n);
  }
  /// The last `n` records, every `slide` records.
  auto countWindowAll(int64_t n, int64_t slide) const {
    using Begin = internal::BeginWindows<T>;
    return Begin::counted(windowAll(GlobalWindows::create()), n, slide);
  }

  template <class R>
  CoGroupedStreams<T, R> coGroup(const DataStream<R>& right) const {
    return CoGroupedStreams<T, R>(*this, right);
  }
  template <class R>
  JoinedStreams<T, R> join(const DataStream<R>& right) const {
    return JoinedStreams<T, R>(*this, right);
  }

  DataStream<T> rebalance() const { return partitioned(runtime::Partitioning::kRebalance); }
  DataStream<T> rescale() const { return partitioned(runtime::Partitioning::kRescale); }
  DataStream<T> shuffle() const { return partitioned(runtime::Partitioning::kShuffle); }
  DataStream<T> broadcast() const { return partitioned(runtime::Partitioning::kBroadcast); }
  /// Each record to all subtasks of what is connected to it, which keep these states of them.
  template <class K, class V, class... More>
  BroadcastStream<T> broadcast(const MapStateDescriptor<K, V>& state, const More&... more) const {
    return BroadcastStream<T>(broadcast(), state, more...);
  }
  DataStream<T> global() const { return partitioned(runtime::Partitioning::kGlobal); }
  DataStream<T> forward() const { return partitioned(runtime::Partitioning::kForward); }

  /// Deals out as `partitioner(const K& key, int partitions)`, or partitioner.partition(...), says:
  /// it returns a number from 0 to partitions - 1 for each record's key. A partitioning is not a
  /// keyBy(): what follows has no keyed state.
  /// Flink: Partitioner (1.20).
  template <class Partitioner, class Selector>
  DataStream<T> partitionCustom(Partitioner partitioner, Selector key_selector) const {
    WIESEL_REQUIRE_FUNCTION(Partitioner);
    WIESEL_REQUIRE_PLAIN(runtime::FunctionOf<Partitioner>, "a partitioner");
    DataStream<T> changed = partitioned(runtime::Partitioning::kCustom);
    for (internal::Upstream::Branch& branch : changed.upstream_.branches) {
      branch.custom_writer = [prototype = runtime::FunctionPrototype<Partitioner>{partitioner},
                              key_selector](runtime::WriterSetup setup) {
        return runtime::makeCustomWriter<T>(std::move(setup), prototype.make(), key_selector);
      };
    }
    return changed;
  }

  /// Calls `f(const T&)`, or f.invoke(const T&), for each record, and f.finish(), if there is one,
  /// after the last one.
  template <class F>
  DataStreamSink addSink(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    return addSinkNode("Sink: Unnamed", [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return std::make_unique<runtime::FunctionSinkOperator<T, Function>>(prototype.make());
    });
  }

  /// Writes through a sink, in transactions that end with the checkpoints.
  template <class S>
  requires std::is_base_of_v<Sink<T>, S> DataStreamSink sinkTo(S sink)
  const {
    std::shared_ptr<const Sink<T>> shared = std::make_shared<const S>(std::move(sink));
    return addSinkNode("Sink: Writer",
                       [shared] { return std::make_unique<runtime::SinkOperator<T>>(shared); });
  }

  /// Prints each record to standard output, as its operator<< or else its description says. The
  /// line begins with `identifier` and the subtask's number where there is one or there are
  /// several.
  DataStreamSink print(std::string identifier = "") const {
    return addSink(PrintFunction<T>(std::move(identifier))).name("Sink: Print to Std. Out");
  }
  /// The same to standard error.
  DataStreamSink printToErr(std::string identifier = "") const {
    return addSink(PrintFunction<T>(std::move(identifier), StandardStream::kErr))
        .name("Sink: Print to Std. Err");
  }

  const internal::Upstream& upstream() const { return upstream_; }
  internal::Inlet inlet(int input_index) const {
    return {upstream_, upstream_.template edges<T>(input_index)};
  }

 private:
  template <class Out, class MakeOperator>
  SingleOutputStreamOperator<Out> add(std::string name, MakeOperator make_operator) const {
    const int node = addNode(std::move(name), std::move(make_operator));
    return SingleOutputStreamOperator<Out>(upstream_.program, node);
  }

  template <class MakeOperator>
  DataStreamSink addSinkNode(std::string name, MakeOperator make_operator) const {
    const int node = addNode(std::move(name), std::move(make_operator));
    return DataStreamSink(upstream_.program, node);
  }

  template <class MakeOperator>
  int addNode(std::string name, MakeOperator make_operator) const {
    runtime::StreamNode node;
    node.name = std::move(name);
    node.inputs = upstream_.template edges<T>();
    node.make_operator = std::move(make_operator);
    return upstream_.addNode(std::move(node));
  }

  DataStream<T> partitioned(runtime::Partitioning partitioning) const {
    internal::Upstream changed = upstream_;
    for (internal::Upstream::Branch& branch : changed.branches) {
      branch.partitioning = partitioning;
      branch.custom_writer = {};
    }
    return DataStream<T>(std::move(changed));
  }

  internal::Upstream upstream_;
};

/// The stream that one operator puts out, with the operator's settings and side outputs.
/// Flink: SingleOutputStreamOperator (1.20).
template <class T>
class SingleOutputStreamOperator : public DataStream<T>,
                                   public internal::NodeSettings<SingleOutputStreamOperator<T>> {
  using Settings = internal::NodeSettings<SingleOutputStreamOperator<T>>;

 public:
  SingleOutputStreamOperator(std::shared_ptr<internal::Program> program, int node)
      : DataStream<T>(internal::Upstream{std::move(program), {{.node = node}}}) {}

  using Settings::disableChaining;
  using Settings::name;
  using Settings::setMaxParallelism;
  using Settings::setParallelism;
  using Settings::slotSharingGroup;
  using Settings::startNewChain;
  using Settings::uid;

  /// What the operator puts out at the side with `tag`. Nobody checks that it ever does.
  template <class S>
  DataStream<S> getSideOutput(const OutputTag<S>& tag) const {
    internal::Upstream side = this->upstream();
    side.branches.front().side = tag.id;
    return DataStream<S>(std::move(side));
  }

 private:
  friend class internal::NodeSettings<SingleOutputStreamOperator<T>>;
  template <class Any>
  friend class DataStream;

  runtime::StreamNode& settings() {
    const internal::Upstream& upstream = this->upstream();
    return upstream.program->node(upstream.branches.front().node);
  }
};

}  // namespace wiesel
