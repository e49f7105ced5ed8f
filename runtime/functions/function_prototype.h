#pragma once

#include <type_traits>
#include <utility>

namespace wiesel {

/// Wraps a function that cannot be copied, or must not be: `make` builds a fresh one for each
/// subtask and attempt. `stream.map(perSubtask([] { return Parser{openDictionary()}; }))`.
template <class Make>
struct PerSubtask {
  Make make;
};

template <class Make>
PerSubtask<Make> perSubtask(Make make) {
  return {std::move(make)};
}

namespace runtime {

/// The function of a node of the graph, from which each subtask gets its own.
template <class F>
struct FunctionPrototype {
  using Function = F;
  F prototype;
  F make() const { return prototype; }
};

template <class Make>
struct FunctionPrototype<PerSubtask<Make>> {
  using Function = std::decay_t<std::invoke_result_t<const Make&>>;
  PerSubtask<Make> prototype;
  Function make() const { return prototype.make(); }
};

template <class F>
using FunctionOf = typename FunctionPrototype<F>::Function;

}  // namespace runtime
}  // namespace wiesel
