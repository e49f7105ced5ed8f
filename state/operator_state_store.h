#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer.h"
#include "common/serialization/serializer_snapshot.h"
#include "common/serialization/void_namespace.h"
#include "state/broadcast_state.h"
#include "state/list_state.h"
#include "state/snapshot/state_handle.h"
#include "state/state_descriptor.h"
#include "state/state_error.h"

namespace wiesel {

/// A list that belongs to an operator's subtask rather than to a key. After a change of parallelism
/// its elements are dealt out anew. For users it becomes a ListState<T>, which holds as long as the
/// operator. Flink: PartitionableListState (1.20).
template <class T>
class OperatorListState final : private state::ListCell<VoidNamespace, T> {
 public:
  operator ListState<T>() {
    state::ListCell<VoidNamespace, T>& cell = *this;  // Else gcc takes this very conversion.
    return ListState<T>(cell);
  }

  const std::vector<T>& get() const { return elements_; }
  void add(T element) { elements_.push_back(std::move(element)); }
  void update(std::vector<T> elements) { elements_ = std::move(elements); }
  void clear() { elements_.clear(); }

 private:
  bool add(const VoidNamespace&, T element) override {
    elements_.push_back(std::move(element));
    return true;
  }
  std::vector<T>* find(const VoidNamespace&) override { return &elements_; }
  void put(const VoidNamespace&, std::vector<T> elements) override {
    elements_ = std::move(elements);
  }
  void clear(const VoidNamespace&) override { elements_.clear(); }

  std::vector<T> elements_;
};

namespace state {

/// The operator state of one subtask at a barrier: Flink's stream and where each element begins in
/// it.
struct OperatorStateSnapshot {
  using State = OperatorStateHandle::State;
  std::vector<State> states;
  std::string stream;  // Empty when there is no state at all.
};

/// The operator state of one subtask: lists, and the maps of broadcast states. States are declared
/// while the operator opens; what was restored and nobody declares goes into the next snapshot as
/// it came.
///
/// Threads: the task thread only.
/// Errors:  StateError, also for a state with a time to live: operator state does not expire.
/// Flink:   DefaultOperatorStateBackend, OperatorBackendSerializationProxy version 6 (1.20).
class OperatorStateStore {
 public:
  OperatorStateStore() = default;
  OperatorStateStore(const OperatorStateStore&) = delete;
  OperatorStateStore& operator=(const OperatorStateStore&) = delete;

  /// The list of that name, with this subtask's share of what was restored. The reference holds as
  /// long as the store.
  template <class T>
  OperatorListState<T>& getListState(const ListStateDescriptor<T>& descriptor) {
    return list<T>(descriptor, DistributionMode::kSplit);
  }

  /// The same, but each subtask begins with the elements of all: whoever keeps them all multiplies
  /// them with every restore.
  template <class T>
  OperatorListState<T>& getUnionListState(const ListStateDescriptor<T>& descriptor) {
    return list<T>(descriptor, DistributionMode::kUnion);
  }

  /// The broadcast state of that name, with what was restored. The reference holds as long as the
  /// store.
  template <class K, class V>
  BroadcastState<K, V>& getBroadcastState(const MapStateDescriptor<K, V>& descriptor) {
    requireNoTimeToLive(descriptor, "operator");
    return declared<TypedMap<K, V>>(descriptor.name).state;
  }

  /// Adds the elements of one restored stream. Before states are declared.
  void addRestored(const OperatorStateSnapshot& restored);

  /// True when something was restored, be it empty.
  bool isRestored() const { return is_restored_; }

  OperatorStateSnapshot snapshot() const;

 private:
  /// What is stored with a state about its types.
  struct Types {
    DistributionMode mode = DistributionMode::kSplit;
    std::optional<SerializerSnapshot> key;  // Of a broadcast state.
    SerializerSnapshot value;               // Of a list: its elements'.

    bool operator==(const Types&) const = default;
    /// For errors: "SPLIT_DISTRIBUTE list of Long", "BROADCAST map of String to Long".
    std::string toString() const;
    /// The state's part of the header.
    void write(const std::string& name, DataOutput& output) const;
  };

  /// A declared state. It is stored in pieces, each of which begins where the handle says: a list's
  /// elements, a broadcast state's whole map.
  class State {
   public:
    virtual ~State() = default;
    virtual Types types() const = 0;
    virtual void read(DataInput& input) = 0;
    virtual size_t pieces() const = 0;
    virtual void write(size_t piece, DataOutput& output) const = 0;
  };

  template <class T>
  class TypedList final : public State {
   public:
    explicit TypedList(DistributionMode mode) : mode(mode) {}
    const DistributionMode mode;
    OperatorListState<T> state;

    Types types() const override { return {mode, std::nullopt, Serializer<T>::snapshot()}; }
    void read(DataInput& input) override {
      T element{};
      Serializer<T>::read(element, input);
      if (input.ok()) state.add(std::move(element));
    }
    size_t pieces() const override { return state.get().size(); }
    void write(size_t piece, DataOutput& output) const override {
      Serializer<T>::write(state.get()[piece], output);
    }
  };

  template <class K, class V>
  class TypedMap final : public State {
   public:
    BroadcastState<K, V> state;

    Types types() const override {
      return {DistributionMode::kBroadcast, Serializer<K>::snapshot(), Serializer<V>::snapshot()};
    }
    void read(DataInput& input) override {
      const int32_t count = input.readCount();
      for (int32_t i = 0; i < count && input.ok(); ++i) {
        K key{};
        V value{};
        Serializer<K>::read(key, input);
        Serializer<V>::read(value, input);
        if (input.ok()) state.put(key, std::move(value));
      }
    }
    size_t pieces() const override { return 1; }
    void write(size_t, DataOutput& output) const override {
      output.writeInt(static_cast<int32_t>(state.size()));
      state.forEach([&output](const K& key, const V& value) {
        Serializer<K>::write(key, output);
        Serializer<V>::write(value, output);
      });
    }
  };

  struct Piece {
    std::shared_ptr<const std::string> stream;  // Shared with the others of the stream.
    int64_t offset = 0;
  };
  struct Restored {
    Types types;
    std::vector<Piece> pieces;
  };

  template <class Typed, class... Args>
  Typed& declared(const std::string& name, Args... args) {
    auto known = states_.find(name);
    if (known == states_.end()) {
      auto state = std::make_unique<Typed>(args...);
      claim(name, *state);
      known = states_.emplace(name, std::move(state)).first;
    }
    auto* state = dynamic_cast<Typed*>(known->second.get());
    if (state == nullptr) {
      throw StateError("operator state '" + name + "' is declared with two types");
    }
    return *state;
  }

  template <class T>
  OperatorListState<T>& list(const ListStateDescriptor<T>& descriptor, DistributionMode mode) {
    requireNoTimeToLive(descriptor, "operator");
    auto& list = declared<TypedList<T>>(descriptor.name, mode);
    if (list.mode != mode) {
      throw StateError("operator state '" + descriptor.name +
                       "' is declared as a list and as a union list");
    }
    return list.state;
  }

  static std::pair<std::string, Types> readTypes(bool is_broadcast, DataInput& header);
  void addRestoredState(const std::string& name, Restored state);
  void claim(const std::string& name, State& state);
  static OperatorStateSnapshot::State writeUnclaimed(const std::string& name, const Restored& state,
                                                     DataOutput& output);

  std::map<std::string, std::unique_ptr<State>> states_;
  std::map<std::string, Restored> unclaimed_;
  bool is_restored_ = false;
};

}  // namespace state
}  // namespace wiesel
