#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/data_stream.h"
#include "runtime/functions/function_prototype.h"
#include "runtime/functions/rich_function.h"
#include "runtime/windowing/window_assigners.h"
#include "runtime/windowing/window_contents.h"
#include "runtime/windowing/window_operator.h"

namespace wiesel {

namespace internal {

/// Puts out a window's one combined element.
struct EmitReduced {
  static constexpr bool kHasNoEffects = true;

  template <class K, class T>
  void operator()(const K&, const TimeWindow&, const T& contents, Collector<T>& out) {
    out.collect(contents);
  }
};

/// Calls a user's window function with all elements: `f(key, window, std::span<const T>,
/// collector)`.
template <class T, class F>
struct CallWindowFunction {
  F function;

  F& userFunction() { return function; }

  template <class K, class Out>
  void operator()(const K& key, const TimeWindow& window, const std::vector<T>& contents,
                  Collector<Out>& out) {
    function(key, window, std::span<const T>(contents), out);
  }
};

/// A window operator's node, whatever the window keeps and calls: `make_contents` and
/// `make_function` give each subtask its own.
template <class T, class Out, class K, class KeySelector, class MakeContents, class MakeFunction>
DataStream<Out> addWindowNode(const std::shared_ptr<EnvironmentState>& environment,
                              const Upstream& upstream, const KeySelector& key_selector,
                              TumblingEventTimeWindows assigner, const std::string& function_name,
                              MakeContents make_contents, MakeFunction make_function) {
  using Contents = std::invoke_result_t<const MakeContents&>;
  using Function = std::invoke_result_t<const MakeFunction&>;
  runtime::StreamNode node;
  node.name = "Window(" + assigner.toString() + ", EventTimeTrigger, " + function_name + ")";
  node.is_keyed = true;
  node.inputs = upstream.template keyedEdges<T>(key_selector);
  node.make_operator = [key_selector, assigner, make_contents = std::move(make_contents),
                        make_function = std::move(make_function)] {
    return std::make_unique<runtime::WindowOperator<T, Out, K, KeySelector, Contents, Function>>(
        key_selector, assigner, make_contents(), make_function());
  };
  return DataStream<Out>(environment, environment->addNode(std::move(node)));
}

}  // namespace internal

/// The records of a keyed stream in windows. Results carry the timestamp end - 1.
/// Flink: WindowedStream (1.20).
template <class T, class K, class KeySelector>
class WindowedStream {
 public:
  WindowedStream(std::shared_ptr<internal::EnvironmentState> environment,
                 internal::Upstream upstream, KeySelector key_selector,
                 TumblingEventTimeWindows assigner)
      : environment_(std::move(environment)),
        upstream_(std::move(upstream)),
        key_selector_(std::move(key_selector)),
        assigner_(assigner) {}

  /// One result a window, combined as the records come: `f(const T&, const T&) -> T`.
  template <class F>
  DataStream<T> reduce(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    return add<T>("ReduceFunction", reducedWindow(std::move(f)),
                  [] { return internal::EmitReduced{}; });
  }

  /// The sum of a member over each window; the other members are those of its first record.
  template <class Member, class Owner>
  DataStream<T> sum(Member Owner::*member) const {
    WIESEL_REQUIRE_MEMBER(T, Owner, "sum");
    return reduce(internal::SumOfMember<T, Member, Owner>{member});
  }
  DataStream<T> sum(const char* field) const {
    WIESEL_REQUIRE_FIELDS(T, "sum");
    return reduce(internal::SumOfField<T>(field));
  }

  /// Calls `f(const K& key, const TimeWindow&, std::span<const T>, Collector<Out>&)` with all
  /// records of a window, in the order of arrival.
  template <class F>
  auto apply(F f) const {
    return apply<typename runtime::FlatMapResult<runtime::FunctionOf<F>>::Type>(std::move(f));
  }
  template <class Out, class F>
  DataStream<Out> apply(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Call = internal::CallWindowFunction<T, runtime::FunctionOf<F>>;
    return add<Out>(
        "WindowFunction", [] { return runtime::ElementsOfWindow<T>(); },
        [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
          return Call{prototype.make()};
        });
  }

  /// One result a window, combined as the records come by `reduce` (as reduce()), then handed to
  /// `f(const K& key, const TimeWindow&, const T& reduced, Collector<Out>&)`.
  template <class Reduce, class F>
  auto reduce(Reduce reduce, F f) const {
    WIESEL_REQUIRE_FUNCTION(Reduce);
    WIESEL_REQUIRE_FUNCTION(F);
    using Out = typename runtime::FlatMapResult<runtime::FunctionOf<F>>::Type;
    return add<Out>(
        "ReduceFunction, WindowFunction", reducedWindow(std::move(reduce)),
        [prototype = runtime::FunctionPrototype<F>{std::move(f)}] { return prototype.make(); });
  }

 private:
  /// Makes the contents of windows that `f` combines.
  template <class F>
  static auto reducedWindow(F f) {
    using Function = runtime::FunctionOf<F>;
    static_assert(!std::is_base_of_v<RichFunction, Function>,
                  "wiesel: the reduce function of a window cannot be a RichFunction");
    return [prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return runtime::ReducedWindow<T, Function>(prototype.make());
    };
  }

  template <class Out, class MakeContents, class MakeFunction>
  DataStream<Out> add(const std::string& function_name, MakeContents make_contents,
                      MakeFunction make_function) const {
    return internal::addWindowNode<T, Out, K>(environment_, upstream_, key_selector_, assigner_,
                                              function_name, std::move(make_contents),
                                              std::move(make_function));
  }

  std::shared_ptr<internal::EnvironmentState>
      environment_;  // Shared by all handles of one program.
  internal::Upstream upstream_;
  KeySelector key_selector_;
  TumblingEventTimeWindows assigner_;
};

}  // namespace wiesel
