#pragma once

namespace wiesel {

/// Combines records of type In in an accumulator of type Acc, from which a result of type Out is
/// taken. Acc is state: it needs a serializer.
///
/// Copies:  each subtask works on its own copy.
/// Threads: the task's own.
/// Flink:   AggregateFunction (1.20). Accumulators are values here: what add() and merge() get is
///          theirs, and what they return is what counts.
template <class In, class Acc, class Out>
class AggregateFunction {
 public:
  using Input = In;
  using Accumulator = Acc;
  using Output = Out;

  virtual ~AggregateFunction() = default;
  virtual Acc createAccumulator() const = 0;
  virtual Acc add(const In& value, Acc accumulator) const = 0;
  virtual Out getResult(const Acc& accumulator) const = 0;
  /// Joins the accumulators of windows that merge.
  virtual Acc merge(Acc left, Acc right) const = 0;
};

}  // namespace wiesel
