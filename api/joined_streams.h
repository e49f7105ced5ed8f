#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "api/data_stream.h"
#include "api/windowed_stream.h"
#include "common/serialization/tagged_union.h"
#include "runtime/joins/joined_records.h"

namespace wiesel {

namespace internal {

/// The key of a record of either side.
template <class L, class R, class K, class LeftKey, class RightKey>
struct SelectUnionKey {
  LeftKey left_key;
  RightKey right_key;

  K operator()(const TaggedUnion<L, R>& record) const {
    if (record.isLeft()) return runtime::invokeKey(left_key, std::get<0>(record.value));
    return runtime::invokeKey(right_key, std::get<1>(record.value));
  }
};

/// Calls a coGroup function: `f(std::span<const L>, std::span<const R>, Collector<Out>&)`.
template <class L, class R, class F>
struct CallCoGroup {
  F function;

  F& userFunction() { return function; }

  template <class K, class Out>
  void operator()(const K&, const TimeWindow&, const runtime::JoinedRecords<L, R>& records,
                  Collector<Out>& out) {
    const std::span<const L> left(records.left);
    const std::span<const R> right(records.right);
    if constexpr (requires { function.coGroup(left, right, out); }) {
      function.coGroup(left, right, out);
    } else {
      function(left, right, out);
    }
  }
};

/// Calls a join function for each pair: `f(const L&, const R&) -> Out`.
template <class L, class R, class F>
struct CallJoin {
  F function;

  F& userFunction() { return function; }

  template <class K, class Out>
  void operator()(const K&, const TimeWindow&, const runtime::JoinedRecords<L, R>& records,
                  Collector<Out>& out) {
    for (const L& left : records.left) {
      for (const R& right : records.right) out.collect(call(left, right));
    }
  }

  decltype(auto) call(const L& left, const R& right) {
    if constexpr (requires { function.join(left, right); }) {
      return function.join(left, right);
    } else {
      return function(left, right);
    }
  }
};

template <class F, class = void>
struct CoGroupResult : runtime::FlatMapResult<F> {};
template <class F>
struct CoGroupResult<F, std::void_t<decltype(&F::coGroup)>> {
  using Type = typename runtime::CollectedIn<
      typename runtime::CallSignature<decltype(&F::coGroup)>::Arguments>::Type;
};

/// Two streams whose records meet in windows when their keys are equal: both are tagged, united and
/// put into one keyed window operator, which is Flink's translation, too.
template <class L, class R, class K, class LeftKey, class RightKey>
struct WindowedJoin {
  DataStream<L> left;
  DataStream<R> right;
  LeftKey left_key;
  RightKey right_key;
  TumblingEventTimeWindows assigner;

  template <class Out, class MakeFunction>
  DataStream<Out> add(const std::string& function_name, MakeFunction make_function) const {
    using Union = TaggedUnion<L, R>;
    const auto tagged =
        left.map([](L&& record) { return Union::left(std::move(record)); })
            .unionWith(right.map([](R&& record) { return Union::right(std::move(record)); }));
    const SelectUnionKey<L, R, K, LeftKey, RightKey> key{left_key, right_key};
    return addWindowNode<Union, Out, K>(
        left.environment(), tagged.upstream(), key, assigner, function_name,
        [] { return runtime::ElementsOfWindow<Union, runtime::JoinedRecords<L, R>>(); },
        std::move(make_function));
  }
};

/// The steps where().equalTo().window() of a join; `Final` has the last one, apply().
template <template <class, class, class, class, class> class Final, class L, class R>
class JoinBuilder {
 public:
  JoinBuilder(DataStream<L> left, DataStream<R> right)
      : left_(std::move(left)), right_(std::move(right)) {}

  template <class K, class LeftKey, class RightKey>
  struct EqualTo {
    DataStream<L> left;
    DataStream<R> right;
    LeftKey left_key;
    RightKey right_key;

    Final<L, R, K, LeftKey, RightKey> window(TumblingEventTimeWindows assigner) const {
      return {{left, right, left_key, right_key, assigner}};
    }
  };

  template <class K, class LeftKey>
  struct Where {
    DataStream<L> left;
    DataStream<R> right;
    LeftKey left_key;

    template <class RightKey>
    auto equalTo(RightKey right_key) const {
      static_assert(std::is_same_v<KeyOf<R, RightKey>, K>,
                    "wiesel: where() and equalTo() must give keys of the same type");
      return EqualTo<K, LeftKey, RightKey>{left, right, left_key, std::move(right_key)};
    }
  };

  template <class LeftKey>
  auto where(LeftKey left_key) const {
    using K = KeyOf<L, LeftKey>;
    WIESEL_REQUIRE_KEY(K);
    return Where<K, LeftKey>{left_, right_, std::move(left_key)};
  }

 private:
  DataStream<L> left_;
  DataStream<R> right_;
};

template <class L, class R, class K, class LeftKey, class RightKey>
struct WindowedCoGroup : WindowedJoin<L, R, K, LeftKey, RightKey> {
  /// Calls `f(std::span<const L>, std::span<const R>, Collector<Out>&)`, or f.coGroup(...), for
  /// each key and window that has records on either side.
  template <class F>
  auto apply(F f) const {
    return apply<typename CoGroupResult<runtime::FunctionOf<F>>::Type>(std::move(f));
  }
  template <class Out, class F>
  DataStream<Out> apply(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Call = CallCoGroup<L, R, runtime::FunctionOf<F>>;
    return this->template add<Out>("CoGroupWindowFunction",
                                   [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
                                     return Call{prototype.make()};
                                   });
  }
};

template <class L, class R, class K, class LeftKey, class RightKey>
struct WindowedInnerJoin : WindowedJoin<L, R, K, LeftKey, RightKey> {
  /// Puts out `f(const L&, const R&)`, or f.join(...), for each pair of a key and window.
  template <class F>
  auto apply(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Call = CallJoin<L, R, runtime::FunctionOf<F>>;
    using Out = std::decay_t<decltype(std::declval<Call&>().call(std::declval<const L&>(),
                                                                 std::declval<const R&>()))>;
    return this->template add<Out>("JoinCoGroupFunction",
                                   [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
                                     return Call{prototype.make()};
                                   });
  }
};

}  // namespace internal

/// left.coGroup(right).where(key).equalTo(key).window(assigner).apply(function).
/// Flink: CoGroupedStreams (1.20).
template <class L, class R>
class CoGroupedStreams : public internal::JoinBuilder<internal::WindowedCoGroup, L, R> {
 public:
  using internal::JoinBuilder<internal::WindowedCoGroup, L, R>::JoinBuilder;
};

/// left.join(right).where(key).equalTo(key).window(assigner).apply(function).
/// Flink: JoinedStreams (1.20).
template <class L, class R>
class JoinedStreams : public internal::JoinBuilder<internal::WindowedInnerJoin, L, R> {
 public:
  using internal::JoinBuilder<internal::WindowedInnerJoin, L, R>::JoinBuilder;
};

}  // namespace wiesel
