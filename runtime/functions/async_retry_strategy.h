#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace wiesel {

/// When and how soon a request is made again instead of its outcome being put out. Immutable once
/// it is given away; subtasks work on copies.
///
/// Flink: AsyncRetryStrategy, AsyncRetryPredicate, AsyncRetryStrategies (1.20).
template <class Out>
class AsyncRetryStrategy {
 public:
  using Backoff = std::function<int64_t(int attempt)>;  // Milliseconds after attempt 1, 2, ...

  /// Up to `max_attempts` attempts, the first one counted.
  static AsyncRetryStrategy fixedDelay(int max_attempts, std::chrono::milliseconds delay) {
    return {max_attempts, [delay_ms = delay.count()](int) { return delay_ms; }};
  }

  /// The delay begins with `initial` and is multiplied after each retry, up to `max`.
  static AsyncRetryStrategy exponentialBackoff(int max_attempts, std::chrono::milliseconds initial,
                                               std::chrono::milliseconds max, double multiplier) {
    return {max_attempts,
            [initial_ms = initial.count(), max_ms = max.count(), multiplier](int attempt) {
              const double delay_ms =
                  static_cast<double>(initial_ms) * std::pow(multiplier, attempt - 1);
              return delay_ms < static_cast<double>(max_ms) ? static_cast<int64_t>(delay_ms)
                                                            : int64_t{max_ms};
            }};
  }

  /// Retries when `predicate(results)` is true. Without it results are never retried.
  AsyncRetryStrategy& ifResult(std::function<bool(const std::vector<Out>&)> predicate) {
    if_result_ = std::move(predicate);
    return *this;
  }
  /// Retries when `predicate(failure)` is true. Without it failures are never retried.
  AsyncRetryStrategy& ifException(std::function<bool(const std::exception_ptr&)> predicate) {
    if_exception_ = std::move(predicate);
    return *this;
  }

  /// `attempt` has ended so: should there be another one?
  bool shouldRetry(int attempt, const std::vector<Out>& results,
                   const std::exception_ptr& failure) const {
    if (attempt >= max_attempts_) return false;
    if (failure) return if_exception_ && if_exception_(failure);
    return if_result_ && if_result_(results);
  }
  int64_t backoffMs(int attempt) const { return backoff_(attempt); }

 private:
  AsyncRetryStrategy(int max_attempts, Backoff backoff)
      : max_attempts_(max_attempts), backoff_(std::move(backoff)) {}

  int max_attempts_;
  Backoff backoff_;
  std::function<bool(const std::vector<Out>&)> if_result_;
  std::function<bool(const std::exception_ptr&)> if_exception_;
};

}  // namespace wiesel
