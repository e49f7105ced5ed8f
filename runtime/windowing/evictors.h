#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/serialization/describe.h"
#include "runtime/windowing/timestamped_value.h"

namespace wiesel {

/// What an evictor sees of the clocks. Flink: Evictor.EvictorContext (1.20).
class EvictorContext {
 public:
  virtual ~EvictorContext() = default;
  virtual int64_t getCurrentProcessingTime() const = 0;
  virtual int64_t getCurrentWatermark() const = 0;
};

/// Removes elements of a window for good when it fires, before the window's function sees them and
/// after it: a user's own evictor derives from it. `elements` are in the order of arrival.
///
/// Copies:  each subtask works on its own copy.
/// Threads: the task's own.
/// Flink:   Evictor (1.20), which gets an iterable and its size.
template <class T, class W>
class Evictor {
 public:
  using Window = W;
  using Elements = std::vector<TimestampedValue<T>>;

  virtual ~Evictor() = default;
  virtual void evictBefore(Elements& elements, const W& window, EvictorContext& context) = 0;
  virtual void evictAfter(Elements& elements, const W& window, EvictorContext& context) = 0;
};

template <class Ev, class T, class W>
concept EvictorFor = requires(Ev& evictor, std::vector<TimestampedValue<T>>& elements,
                              const W& window, EvictorContext& context) {
  evictor.evictBefore(elements, window, context);
  evictor.evictAfter(elements, window, context);
};

namespace internal {

/// The frame of Flink's evictors, which evict by one rule before the function or after it: `Rule`
/// has evict(elements).
template <class Rule>
class RuleEvictor {
 public:
  RuleEvictor(Rule rule, bool evicts_after) : rule_(std::move(rule)), evicts_after_(evicts_after) {}

  template <class T, class W>
  void evictBefore(std::vector<TimestampedValue<T>>& elements, const W&, EvictorContext&) {
    if (!evicts_after_) rule_.evict(elements);
  }
  template <class T, class W>
  void evictAfter(std::vector<TimestampedValue<T>>& elements, const W&, EvictorContext&) {
    if (evicts_after_) rule_.evict(elements);
  }

 private:
  Rule rule_;
  bool evicts_after_;
};

struct CountEvictor {
  int64_t max_count;

  template <class T>
  void evict(std::vector<TimestampedValue<T>>& elements) const {
    const auto size = static_cast<int64_t>(elements.size());
    if (size > max_count) elements.erase(elements.begin(), elements.begin() + (size - max_count));
  }
};

struct TimeEvictor {
  int64_t window_size_ms;

  template <class T>
  void evict(std::vector<TimestampedValue<T>>& elements) const {
    if (elements.empty() || !elements.front().hasTimestamp()) return;
    int64_t latest_ms = elements.front().getTimestamp();
    for (const auto& element : elements) latest_ms = std::max(latest_ms, element.getTimestamp());
    const int64_t cutoff_ms = latest_ms - window_size_ms;
    std::erase_if(elements,
                  [cutoff_ms](const auto& element) { return element.getTimestamp() <= cutoff_ms; });
  }
};

template <class Delta>
struct DeltaEvictor {
  double threshold;
  Delta delta;

  template <class T>
  void evict(std::vector<TimestampedValue<T>>& elements) const {
    if (elements.empty()) return;
    const T last = elements.back().getValue();
    std::erase_if(elements, [&](const auto& element) {
      return delta(element.getValue(), last) >= threshold;
    });
  }
};

template <class Ev>
struct EvictorClass {
  using Type = Ev;
};
template <class Rule>
struct EvictorClass<RuleEvictor<Rule>> {
  using Type = Rule;
};

/// The name of an evictor's class, without what it is a template of.
template <class Ev>
std::string evictorName() {
  const std::string name(lastNamePart(compilerTypeName<typename EvictorClass<Ev>::Type>()));
  return name.substr(0, name.find('<'));
}

}  // namespace internal

/// Keeps the last elements, up to a number. Flink: CountEvictor (1.20).
struct CountEvictor {
  static internal::RuleEvictor<internal::CountEvictor> of(int64_t max_count,
                                                          bool do_evict_after = false) {
    return {{max_count}, do_evict_after};
  }
};

/// Keeps the elements whose timestamp is less than a span before the latest one's. Elements without
/// timestamps stay. Flink: TimeEvictor (1.20).
struct TimeEvictor {
  static internal::RuleEvictor<internal::TimeEvictor> of(std::chrono::milliseconds window_size,
                                                         bool do_evict_after = false) {
    return {{window_size.count()}, do_evict_after};
  }
};

/// Keeps the elements whose difference to the last one is below a threshold:
/// `delta(const T& element, const T& last) -> double`. Flink: DeltaEvictor (1.20).
struct DeltaEvictor {
  template <class Delta>
  static internal::RuleEvictor<internal::DeltaEvictor<Delta>> of(double threshold, Delta delta,
                                                                 bool do_evict_after = false) {
    return {{threshold, std::move(delta)}, do_evict_after};
  }
};

/// Any evictor for records T in windows W, held by value: a copy copies it.
template <class T, class W>
class AnyEvictor {
 public:
  using Elements = std::vector<TimestampedValue<T>>;

  template <class Ev>
  requires(!std::same_as<std::remove_cvref_t<Ev>, AnyEvictor>) &&
      EvictorFor<Ev, T, W> AnyEvictor(Ev evictor)
      : held_(std::make_unique<Held<Ev>>(std::move(evictor))) {}  // NOLINT

  AnyEvictor(const AnyEvictor& other) : held_(other.held_->copy()) {}
  AnyEvictor(AnyEvictor&&) noexcept = default;
  AnyEvictor& operator=(const AnyEvictor& other) {
    held_ = other.held_->copy();
    return *this;
  }
  AnyEvictor& operator=(AnyEvictor&&) noexcept = default;

  void evictBefore(Elements& elements, const W& window, EvictorContext& context) {
    held_->evictBefore(elements, window, context);
  }
  void evictAfter(Elements& elements, const W& window, EvictorContext& context) {
    held_->evictAfter(elements, window, context);
  }

  /// The name of the evictor's class, without what it is a template of.
  std::string name() const { return held_->name(); }

 private:
  class Holder : public Evictor<T, W> {
   public:
    virtual std::unique_ptr<Holder> copy() const = 0;
    virtual std::string name() const = 0;
  };

  template <class Ev>
  class Held final : public Holder {
    static_assert(std::copy_constructible<Ev>, "wiesel: an evictor must be copyable");

   public:
    explicit Held(Ev evictor) : evictor_(std::move(evictor)) {}
    void evictBefore(Elements& elements, const W& window, EvictorContext& context) override {
      evictor_.evictBefore(elements, window, context);
    }
    void evictAfter(Elements& elements, const W& window, EvictorContext& context) override {
      evictor_.evictAfter(elements, window, context);
    }
    std::unique_ptr<Holder> copy() const override { return std::make_unique<Held>(evictor_); }
    std::string name() const override { return internal::evictorName<Ev>(); }

   private:
    Ev evictor_;
  };

  std::unique_ptr<Holder> held_;
};

}  // namespace wiesel
