#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/data_stream.h"
#include "api/exceptions.h"
#include "runtime/functions/async_function.h"
#include "runtime/functions/async_retry_strategy.h"
#include "runtime/operators/async_wait_operator.h"

namespace wiesel {

/// Makes streams of the results of an AsyncFunction<T, Out>. Results carry the timestamps of their
/// records; watermarks wait for the records before them.
///
/// The `timeout` of a request, retries included, is judged on the wall clock; zero means none.
/// `capacity` is how many requests of a subtask may be in flight; then it takes no more records.
/// Errors: InvalidProgramException for a capacity below 1 or a negative timeout.
/// Flink:  AsyncDataStream (1.20).
class AsyncDataStream {
 public:
  static constexpr int kDefaultCapacity = 100;

  /// Results leave in the order of their records.
  template <class T, class F>
  static auto orderedWait(const DataStream<T>& stream, F function,
                          std::chrono::milliseconds timeout, int capacity = kDefaultCapacity) {
    return add(stream, std::move(function), runtime::AsyncOutputMode::kOrdered, timeout, capacity);
  }

  /// Results leave as soon as they are there, but pass no watermark.
  template <class T, class F>
  static auto unorderedWait(const DataStream<T>& stream, F function,
                            std::chrono::milliseconds timeout, int capacity = kDefaultCapacity) {
    return add(stream, std::move(function), runtime::AsyncOutputMode::kUnordered, timeout,
               capacity);
  }

  template <class T, class F, class Out>
  static auto orderedWaitWithRetry(const DataStream<T>& stream, F function,
                                   std::chrono::milliseconds timeout, int capacity,
                                   AsyncRetryStrategy<Out> retry) {
    return add(stream, std::move(function), runtime::AsyncOutputMode::kOrdered, timeout, capacity,
               std::optional(std::move(retry)));
  }

  template <class T, class F, class Out>
  static auto unorderedWaitWithRetry(const DataStream<T>& stream, F function,
                                     std::chrono::milliseconds timeout, int capacity,
                                     AsyncRetryStrategy<Out> retry) {
    return add(stream, std::move(function), runtime::AsyncOutputMode::kUnordered, timeout, capacity,
               std::optional(std::move(retry)));
  }

 private:
  template <class T, class F, class Out = typename runtime::FunctionOf<F>::Output>
  static SingleOutputStreamOperator<Out> add(
      const DataStream<T>& stream, F function, runtime::AsyncOutputMode mode,
      std::chrono::milliseconds timeout, int capacity,
      std::optional<AsyncRetryStrategy<Out>> retry = std::nullopt) {
    WIESEL_REQUIRE_FUNCTION(F);
    if (capacity < 1) {
      throw InvalidProgramException("the capacity of an async wait must be at least 1, got " +
                                    std::to_string(capacity));
    }
    if (timeout.count() < 0) {
      throw InvalidProgramException("the timeout of an async wait must not be negative, got " +
                                    std::to_string(timeout.count()) + " ms");
    }
    runtime::AsyncSettings<Out> settings{mode, timeout.count(), static_cast<size_t>(capacity),
                                         std::move(retry)};
    runtime::StreamNode node;
    node.name = "async wait operator";
    node.inputs = stream.upstream().template edges<T>();
    node.make_operator = [prototype = runtime::FunctionPrototype<F>{std::move(function)},
                          settings = std::move(settings)] {
      return std::make_unique<
          runtime::AsyncWaitOperator<T, Out, typename runtime::FunctionPrototype<F>::Function>>(
          prototype.make(), settings);
    };
    const internal::Upstream& upstream = stream.upstream();
    return SingleOutputStreamOperator<Out>(upstream.program, upstream.addNode(std::move(node)));
  }
};

}  // namespace wiesel
