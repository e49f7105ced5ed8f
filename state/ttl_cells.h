#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/serialization/serializer.h"
#include "state/state_cells.h"
#include "state/state_ttl_config.h"

namespace wiesel::state {

/// A value and when it was last written, or read if reads count. Flink: TtlValue (1.20).
template <class V>
struct TtlValue {
  int64_t last_access_ms = 0;
  V value{};
};

/// What a StateTtlConfig says, asked of a clock.
class TtlRules {
 public:
  TtlRules(const StateTtlConfig& config, std::function<int64_t()> now_ms)
      : now_ms_(std::move(now_ms)),
        time_to_live_ms_(config.getTimeToLive().count()),
        reads_count_(config.getUpdateType() == StateTtlConfig::UpdateType::OnReadAndWrite),
        returns_expired_(config.getStateVisibility() ==
                         StateTtlConfig::StateVisibility::ReturnExpiredIfNotCleanedUp) {}

  int64_t nowMs() const { return now_ms_(); }
  bool readsCount() const { return reads_count_; }
  bool returnsExpired() const { return returns_expired_; }

  bool isExpired(int64_t last_access_ms, int64_t now_ms) const {
    constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
    const bool fits = last_access_ms <= 0 || time_to_live_ms_ <= kNever - last_access_ms;
    return (fits ? last_access_ms + time_to_live_ms_ : kNever) <= now_ms;
  }

  template <class V>
  TtlValue<V> stamped(V value) const {
    return {nowMs(), std::move(value)};
  }

 private:
  const std::function<int64_t()> now_ms_;
  const int64_t time_to_live_ms_;
  const bool reads_count_;
  const bool returns_expired_;
};

/// One value that expires. Flink: TtlValueState, TtlReduceFunction, TtlAggregateFunction (1.20).
template <class N, class V>
class TtlValueCell final : public ValueCell<N, V> {
 public:
  using Stored = ValueCell<N, TtlValue<V>>;

  TtlValueCell(Stored& stored, TtlRules rules) : stored_(stored), rules_(std::move(rules)) {}

  const V* find(const N& ns) override {
    const TtlValue<V>* found = stored_.find(ns);
    if (found == nullptr) return nullptr;
    const int64_t now_ms = rules_.nowMs();
    if (rules_.isExpired(found->last_access_ms, now_ms)) {
      if (rules_.returnsExpired()) expired_ = found->value;
      stored_.clear(ns);
      return rules_.returnsExpired() ? &*expired_ : nullptr;
    }
    if (!rules_.readsCount()) return &found->value;
    TtlValue<V>& touched = stored_.getOrInsert(ns, TtlValue<V>{});
    touched.last_access_ms = now_ms;
    return &touched.value;
  }

  V& getOrInsert(const N& ns, const V& initial) override {
    const int64_t now_ms = rules_.nowMs();
    TtlValue<V>& found = stored_.getOrInsert(ns, {now_ms, initial});
    const bool is_expired = rules_.isExpired(found.last_access_ms, now_ms);
    if (is_expired && !rules_.returnsExpired()) found.value = initial;
    found.last_access_ms = now_ms;
    return found.value;
  }

  void put(const N& ns, V value) override { stored_.put(ns, rules_.stamped(std::move(value))); }
  void clear(const N& ns) override { stored_.clear(ns); }

 private:
  Stored& stored_;
  const TtlRules rules_;
  std::optional<V> expired_;  // The last one that was returned though it had expired.
};

/// A list whose elements expire. They are removed when none is left that has not, or when a read
/// writes the others anew. Flink: TtlListState (1.20).
template <class N, class E>
class TtlListCell final : public ListCell<N, E> {
 public:
  using Stored = ListCell<N, TtlValue<E>>;

  TtlListCell(Stored& stored, TtlRules rules) : stored_(stored), rules_(std::move(rules)) {}

  bool add(const N& ns, E element) override {
    return stored_.add(ns, rules_.stamped(std::move(element)));
  }

  std::vector<E>* find(const N& ns) override {
    const std::vector<TtlValue<E>>* found = stored_.find(ns);
    if (found == nullptr) return nullptr;
    const int64_t now_ms = rules_.nowMs();
    visible_.clear();
    std::vector<TtlValue<E>> alive;
    for (const TtlValue<E>& element : *found) {
      const bool is_expired = rules_.isExpired(element.last_access_ms, now_ms);
      if (!is_expired) alive.push_back({now_ms, element.value});
      if (!is_expired || rules_.returnsExpired()) visible_.push_back(element.value);
    }
    if (alive.empty()) {
      stored_.clear(ns);
    } else if (rules_.readsCount()) {
      stored_.put(ns, std::move(alive));
    }
    return visible_.empty() ? nullptr : &visible_;
  }

  void put(const N& ns, std::vector<E> elements) override {
    std::vector<TtlValue<E>> stamped;
    const int64_t now_ms = rules_.nowMs();
    for (E& element : elements) stamped.push_back({now_ms, std::move(element)});
    stored_.put(ns, std::move(stamped));
  }

  void clear(const N& ns) override { stored_.clear(ns); }

 private:
  Stored& stored_;
  const TtlRules rules_;
  std::vector<E> visible_;  // What the last find() showed.
};

/// A map whose entries expire. empty() also counts those that have expired and that nobody has read
/// since. Flink: TtlMapState (1.20).
template <class N, class UK, class UV>
class TtlMapCell final : public MapCell<N, UK, UV> {
 public:
  using Stored = MapCell<N, UK, TtlValue<UV>>;

  TtlMapCell(Stored& stored, TtlRules rules) : stored_(stored), rules_(std::move(rules)) {}

  const UV* find(const N& ns, const UK& key) override {
    const TtlValue<UV>* found = stored_.find(ns, key);
    if (found == nullptr) return nullptr;
    const bool is_expired = rules_.isExpired(found->last_access_ms, rules_.nowMs());
    if (!is_expired && !rules_.readsCount()) return &found->value;
    found_ = found->value;
    if (is_expired) {
      stored_.remove(ns, key);
      return rules_.returnsExpired() ? &*found_ : nullptr;
    }
    stored_.put(ns, key, rules_.stamped(*found_));
    return &*found_;
  }

  void put(const N& ns, const UK& key, UV value) override {
    stored_.put(ns, key, rules_.stamped(std::move(value)));
  }
  void remove(const N& ns, const UK& key) override { stored_.remove(ns, key); }
  bool empty(const N& ns) override { return stored_.empty(ns); }

  void forEach(const N& ns, const std::function<bool(const UK&, const UV&)>& visit) override {
    const int64_t now_ms = rules_.nowMs();
    std::vector<UK> expired;
    std::vector<std::pair<UK, UV>> touched;
    stored_.forEach(ns, [&](const UK& key, const TtlValue<UV>& entry) {
      if (rules_.isExpired(entry.last_access_ms, now_ms)) {
        expired.push_back(key);
        return !rules_.returnsExpired() || visit(key, entry.value);
      }
      if (rules_.readsCount()) touched.emplace_back(key, entry.value);
      return visit(key, entry.value);
    });
    for (const UK& key : expired) stored_.remove(ns, key);
    for (auto& [key, value] : touched) stored_.put(ns, key, {now_ms, std::move(value)});
  }

  void clear(const N& ns) override { stored_.clear(ns); }

 private:
  Stored& stored_;
  const TtlRules rules_;
  std::optional<UV> found_;  // What the last find() removed or wrote anew.
};

}  // namespace wiesel::state

namespace wiesel {

/// Flink: TtlStateFactory.TtlSerializer (1.20).
template <class V>
struct Serializer<state::TtlValue<V>> {
  static constexpr int kFixedLength =
      Serializer<V>::kFixedLength < 0 ? -1 : 8 + Serializer<V>::kFixedLength;

  static void write(const state::TtlValue<V>& value, DataOutput& output) {
    output.writeLong(value.last_access_ms);
    Serializer<V>::write(value.value, output);
  }
  static void read(state::TtlValue<V>& value, DataInput& input) {
    value.last_access_ms = input.readLong();
    Serializer<V>::read(value.value, input);
  }
  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::timeToLive(Serializer<V>::snapshot());
  }
};

}  // namespace wiesel
