#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/functions/collector.h"

namespace wiesel::runtime {

// How user functions may look: a lambda or any callable, or an object of a class with Flink's
// method (map, filter, flatMap, getKey, ...).

template <class F, class In>
concept HasMap = requires(F& f, In value) {
  f.map(std::forward<In>(value));
};
template <class F, class In>
concept HasFilter = requires(F& f, In value) {
  f.filter(std::forward<In>(value));
};
template <class F, class In>
concept HasGetKey = requires(F& f, In value) {
  f.getKey(std::forward<In>(value));
};

template <class F, class In>
decltype(auto) invokeMap(F& f, In&& value) {
  if constexpr (HasMap<F, In&&>) {
    return f.map(std::forward<In>(value));
  } else {
    return f(std::forward<In>(value));
  }
}

template <class F, class In>
bool invokeFilter(F& f, const In& value) {
  if constexpr (HasFilter<F, const In&>) {
    return f.filter(value);
  } else {
    return f(value);
  }
}

/// The key that a selector gives: a reference into the record when the selector returns one.
template <class F, class In>
decltype(auto) invokeKey(F& f, const In& value) {
  if constexpr (HasGetKey<F, const In&>) {
    return f.getKey(value);
  } else if constexpr (std::is_member_object_pointer_v<F>) {
    return (value.*f);
  } else {
    return f(value);
  }
}

/// What a reduce function makes of two values; the left one came first.
template <class F, class T>
T invokeReduce(F& f, const T& left, const T& right) {
  if constexpr (requires { f.reduce(left, right); }) {
    return f.reduce(left, right);
  } else {
    return f(left, right);
  }
}

/// The parameter types of a callable that is not generic.
template <class F>
struct CallSignature : CallSignature<decltype(&F::operator())> {};
template <class R, class... Args>
struct CallSignature<R (*)(Args...)> {
  using Arguments = std::tuple<Args...>;
};
template <class R, class C, class... Args>
struct CallSignature<R (C::*)(Args...)> {
  using Arguments = std::tuple<Args...>;
};
template <class R, class C, class... Args>
struct CallSignature<R (C::*)(Args...) const> {
  using Arguments = std::tuple<Args...>;
};

template <class T>
struct CollectedType;
template <class T>
struct CollectedType<Collector<T>&> {
  using Type = T;
};

/// T of the Collector<T>& among a function's parameters.
template <class Arguments>
struct CollectedIn;
template <class First, class... Rest>
struct CollectedIn<std::tuple<First, Rest...>> : CollectedIn<std::tuple<Rest...>> {};
template <class T, class... Rest>
struct CollectedIn<std::tuple<Collector<T>&, Rest...>> {
  using Type = T;
};

/// Tells lambdas and function pointers from generic lambdas and overload sets.
template <class F>
concept HasCallSignature = requires {
  &F::operator();
}
|| std::is_function_v<std::remove_pointer_t<F>>;

template <class F, class = void>
struct FlatMapResult {};
template <class F>
struct FlatMapResult<F, std::void_t<decltype(&F::flatMap)>> {
  using Type = typename CollectedIn<typename CallSignature<decltype(&F::flatMap)>::Arguments>::Type;
};
template <class F>
requires HasCallSignature<F>
struct FlatMapResult<F, void> {
  using Type = typename CollectedIn<typename CallSignature<F>::Arguments>::Type;
};

template <class F, class In, class Out>
void invokeFlatMap(F& f, In&& value, Collector<Out>& out) {
  if constexpr (requires { f.flatMap(std::forward<In>(value), out); }) {
    f.flatMap(std::forward<In>(value), out);
  } else {
    f(std::forward<In>(value), out);
  }
}

}  // namespace wiesel::runtime
