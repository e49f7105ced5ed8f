#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "common/serialization/describe.h"
#include "runtime/windowing/trigger.h"

namespace wiesel {

class EventTimeTrigger;

/// What can be given to trigger(): a class that derives from Trigger<T, W>, or one with its methods
/// for any T and W, as those of triggers.h.
template <class Tr, class T, class W>
concept TriggerFor = requires(Tr& trigger, const T& element, const W& window,
                              TriggerContext<W>& context) {
  { trigger.onElement(element, int64_t{}, window, context) } -> std::same_as<TriggerResult>;
  { trigger.onProcessingTime(int64_t{}, window, context) } -> std::same_as<TriggerResult>;
  { trigger.onEventTime(int64_t{}, window, context) } -> std::same_as<TriggerResult>;
  trigger.clear(window, context);
};

/// Any trigger for records T in windows W, held by value: a copy copies it. A trigger itself, so it
/// can be put into others: PurgingTrigger::of(AnyTrigger<Order, TimeWindow>(...)).
template <class T, class W>
class AnyTrigger {
 public:
  template <class Tr>
  requires(!std::same_as<std::remove_cvref_t<Tr>, AnyTrigger>) &&
      TriggerFor<Tr, T, W> AnyTrigger(Tr trigger)
      : held_(std::make_unique<Held<Tr>>(std::move(trigger))) {}  // NOLINT

  AnyTrigger(const AnyTrigger& other) : held_(other.held_->copy()) {}
  AnyTrigger(AnyTrigger&&) noexcept = default;
  AnyTrigger& operator=(const AnyTrigger& other) {
    held_ = other.held_->copy();
    return *this;
  }
  AnyTrigger& operator=(AnyTrigger&&) noexcept = default;

  TriggerResult onElement(const T& element, int64_t timestamp_ms, const W& window,
                          TriggerContext<W>& context) {
    return held_->onElement(element, timestamp_ms, window, context);
  }
  TriggerResult onProcessingTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    return held_->onProcessingTime(time_ms, window, context);
  }
  TriggerResult onEventTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    return held_->onEventTime(time_ms, window, context);
  }
  bool canMerge() const { return held_->canMerge(); }
  void onMerge(const W& window, OnMergeContext<W>& context) { held_->onMerge(window, context); }
  void clear(const W& window, TriggerContext<W>& context) { held_->clear(window, context); }

  /// The name of the trigger's class, without what it is a template of.
  std::string name() const { return held_->name(); }
  /// Whether it is Flink's default of event-time windows, whose only timer is at the window's end.
  bool isEventTimeTrigger() const { return held_->isEventTimeTrigger(); }

 private:
  class Holder : public Trigger<T, W> {
   public:
    virtual std::unique_ptr<Holder> copy() const = 0;
    virtual std::string name() const = 0;
    virtual bool isEventTimeTrigger() const = 0;
  };

  template <class Tr>
  class Held final : public Holder {
    static_assert(std::copy_constructible<Tr>, "wiesel: a trigger must be copyable");

   public:
    explicit Held(Tr trigger) : trigger_(std::move(trigger)) {}

    TriggerResult onElement(const T& element, int64_t timestamp_ms, const W& window,
                            TriggerContext<W>& context) override {
      return trigger_.onElement(element, timestamp_ms, window, context);
    }
    TriggerResult onProcessingTime(int64_t time_ms, const W& window,
                                   TriggerContext<W>& context) override {
      return trigger_.onProcessingTime(time_ms, window, context);
    }
    TriggerResult onEventTime(int64_t time_ms, const W& window,
                              TriggerContext<W>& context) override {
      return trigger_.onEventTime(time_ms, window, context);
    }
    bool canMerge() const override { return trigger_.canMerge(); }
    void onMerge(const W& window, OnMergeContext<W>& context) override {
      trigger_.onMerge(window, context);
    }
    void clear(const W& window, TriggerContext<W>& context) override {
      trigger_.clear(window, context);
    }

    std::unique_ptr<Holder> copy() const override { return std::make_unique<Held>(trigger_); }
    std::string name() const override {
      const std::string name(internal::lastNamePart(internal::compilerTypeName<Tr>()));
      return name.substr(0, name.find('<'));
    }
    bool isEventTimeTrigger() const override { return std::is_same_v<Tr, EventTimeTrigger>; }

   private:
    Tr trigger_;
  };

  std::unique_ptr<Holder> held_;
};

}  // namespace wiesel
