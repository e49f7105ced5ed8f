#pragma once

#include <chrono>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/data_stream.h"
#include "api/keyed_stream.h"
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

/// The two sides of a window: as it keeps them, or what an evictor has left.
template <class L, class R>
const runtime::JoinedRecords<L, R>& joinedRecords(const runtime::JoinedRecords<L, R>& records) {
  return records;
}
template <class L, class R>
runtime::JoinedRecords<L, R> joinedRecords(const std::vector<TaggedUnion<L, R>>& elements) {
  runtime::JoinedRecords<L, R> records;
  for (const TaggedUnion<L, R>& element : elements) {
    state::ListContainer<TaggedUnion<L, R>, runtime::JoinedRecords<L, R>>::add(records, element);
  }
  return records;
}

/// Calls a coGroup function: `f(std::span<const L>, std::span<const R>, Collector<Out>&)`.
template <class L, class R, class F>
struct CallCoGroup {
  F function;

  F& userFunction() { return function; }

  template <class K, class W, class Contents, class Out>
  void operator()(const K&, const W&, const Contents& contents, WindowContext<K, W>&,
                  Collector<Out>& out) {
    const auto& records = joinedRecords<L, R>(contents);
    const std::span<const L> left(records.left);
    const std::span<const R> right(records.right);
    if constexpr (requires { function.coGroup(left, right, out); }) {
      function.coGroup(left, right, out);
    } else {
      function(left, right, out);
    }
  }
};

/// Calls a join function for each pair: `f(const L&, const R&) -> Out`, or with a collector as its
/// third parameter.
template <class L, class R, class F>
struct CallJoin {
  F function;

  F& userFunction() { return function; }

  template <class K, class W, class Contents, class Out>
  void operator()(const K&, const W&, const Contents& contents, WindowContext<K, W>&,
                  Collector<Out>& out) {
    const auto& records = joinedRecords<L, R>(contents);
    for (const L& left : records.left) {
      for (const R& right : records.right) join(left, right, out);
    }
  }

  decltype(auto) call(const L& left, const R& right) {
    if constexpr (requires { function.join(left, right); }) {
      return function.join(left, right);
    } else {
      return function(left, right);
    }
  }

 private:
  template <class Out>
  void join(const L& left, const R& right, Collector<Out>& out) {
    if constexpr (requires { function.join(left, right, out); }) {
      function.join(left, right, out);
    } else if constexpr (std::is_invocable_v<F&, const L&, const R&, Collector<Out>&>) {
      function(left, right, out);
    } else {
      out.collect(call(left, right));
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

template <class T>
struct IsCollector : std::false_type {};
template <class T>
struct IsCollector<Collector<T>&> : std::true_type {};

template <class Arguments>
struct HasCollector;
template <class... Arguments>
struct HasCollector<std::tuple<Arguments...>>
    : std::bool_constant<(IsCollector<Arguments>::value || ...)> {};

/// The parameters of a join function that is not generic.
template <class F>
auto joinArguments() {
  if constexpr (requires { &F::join; }) {
    return std::type_identity<typename runtime::CallSignature<decltype(&F::join)>::Arguments>();
  } else if constexpr (runtime::HasCallSignature<F>) {
    return std::type_identity<typename runtime::CallSignature<F>::Arguments>();
  } else {
    return std::type_identity<std::tuple<>>();
  }
}

/// What a join function returns or collects.
template <class L, class R, class F>
auto joinResult() {
  using Arguments = typename decltype(joinArguments<F>())::type;
  if constexpr (HasCollector<Arguments>::value) {
    return std::type_identity<typename runtime::CollectedIn<Arguments>::Type>();
  } else {
    return std::type_identity<std::decay_t<decltype(std::declval<CallJoin<L, R, F>&>().call(
        std::declval<const L&>(), std::declval<const R&>()))>>();
  }
}

/// The windows of both sides; `Final` is the class of the join, with apply().
/// Flink: CoGroupedStreams.WithWindow, JoinedStreams.WithWindow (1.20).
template <template <class, class, class> class Final, class L, class R, class Windows>
class JoinWindows {
 public:
  explicit JoinWindows(Windows windows) : windows_(std::move(windows)) {}

  // As those of WindowedStream, on TaggedUnion<L, R>, which is a record of either side.
  template <class Tr>
  [[nodiscard]] auto trigger(Tr trigger) const {
    return with(windows_.trigger(std::move(trigger)));
  }
  template <class Ev>
  [[nodiscard]] auto evictor(Ev evictor) const {
    return with(windows_.evictor(std::move(evictor)));
  }
  [[nodiscard]] auto allowedLateness(std::chrono::milliseconds lateness) const {
    return with(windows_.allowedLateness(lateness));
  }

 protected:
  template <class Out, class Call, class F>
  SingleOutputStreamOperator<Out> add(const std::string& function_name, F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    return windows_.node().template ofElements<Out, runtime::JoinedRecords<L, R>>(
        function_name, [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
          return Call{prototype.make()};
        });
  }

 private:
  template <class Changed>
  static Final<L, R, Changed> with(Changed changed) {
    return Final<L, R, Changed>(std::move(changed));
  }

  Windows windows_;  // A WindowedStream.
};

/// The steps where().equalTo().window() of a join, which end with a `Final`.
template <template <class, class, class> class Final, class L, class R>
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

    /// As KeyedStream::window().
    template <class Assigner>
    auto window(Assigner assigner) const {
      using Union = TaggedUnion<L, R>;
      left.upstream().requireSameProgram(right.upstream());
      const auto tagged =
          left.map([](L&& record) { return Union::left(std::move(record)); })
              .unionWith(right.map([](R&& record) { return Union::right(std::move(record)); }));
      const SelectUnionKey<L, R, K, LeftKey, RightKey> key{left_key, right_key};
      const KeyedStream<Union, K, SelectUnionKey<L, R, K, LeftKey, RightKey>> keyed(
          tagged.upstream(), key);
      auto windows = keyed.window(std::move(assigner));
      return Final<L, R, decltype(windows)>(std::move(windows));
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

template <class L, class R, class Windows>
class WindowedCoGroup : public JoinWindows<WindowedCoGroup, L, R, Windows> {
 public:
  using JoinWindows<WindowedCoGroup, L, R, Windows>::JoinWindows;

  /// Calls `f(std::span<const L>, std::span<const R>, Collector<Out>&)`, or f.coGroup(...), for
  /// each key and window that has records on either side.
  template <class F>
  auto apply(F f) const {
    return apply<typename CoGroupResult<runtime::FunctionOf<F>>::Type>(std::move(f));
  }
  template <class Out, class F>
  SingleOutputStreamOperator<Out> apply(F f) const {
    return this->template add<Out, CallCoGroup<L, R, runtime::FunctionOf<F>>>(
        "CoGroupWindowFunction", std::move(f));
  }
};

template <class L, class R, class Windows>
class WindowedInnerJoin : public JoinWindows<WindowedInnerJoin, L, R, Windows> {
 public:
  using JoinWindows<WindowedInnerJoin, L, R, Windows>::JoinWindows;

  /// Puts out `f(const L&, const R&)`, or f.join(...), for each pair of a key and window; or what
  /// `f(const L&, const R&, Collector<Out>&)` puts out for it.
  template <class F>
  auto apply(F f) const {
    using Result = decltype(joinResult<L, R, runtime::FunctionOf<F>>());
    return apply<typename Result::type>(std::move(f));
  }
  template <class Out, class F>
  SingleOutputStreamOperator<Out> apply(F f) const {
    return this->template add<Out, CallJoin<L, R, runtime::FunctionOf<F>>>("JoinCoGroupFunction",
                                                                           std::move(f));
  }
};

}  // namespace internal

/// left.coGroup(right).where(key).equalTo(key).window(assigner).apply(function), where trigger(),
/// evictor() and allowedLateness() may stand before apply().
/// Flink: CoGroupedStreams (1.20).
template <class L, class R>
class CoGroupedStreams : public internal::JoinBuilder<internal::WindowedCoGroup, L, R> {
 public:
  using internal::JoinBuilder<internal::WindowedCoGroup, L, R>::JoinBuilder;
};

/// left.join(right).where(key).equalTo(key).window(assigner).apply(function), as coGroup().
/// Flink: JoinedStreams (1.20).
template <class L, class R>
class JoinedStreams : public internal::JoinBuilder<internal::WindowedInnerJoin, L, R> {
 public:
  using internal::JoinBuilder<internal::WindowedInnerJoin, L, R>::JoinBuilder;
};

}  // namespace wiesel
