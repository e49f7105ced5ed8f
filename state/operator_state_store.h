#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer.h"
#include "common/serialization/serializer_snapshot.h"
#include "common/serialization/void_namespace.h"
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

/// The operator state of one subtask. States are declared while the operator opens; what was
/// restored and nobody declares goes into the next snapshot as it came.
///
/// Threads: the task thread only.
/// Errors:  StateError.
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
    return list<T>(descriptor.name, DistributionMode::kSplit);
  }

  /// The same, but each subtask begins with the elements of all: whoever keeps them all multiplies
  /// them with every restore.
  template <class T>
  OperatorListState<T>& getUnionListState(const ListStateDescriptor<T>& descriptor) {
    return list<T>(descriptor.name, DistributionMode::kUnion);
  }

  /// Adds the elements of one restored stream. Before states are declared.
  void addRestored(const OperatorStateSnapshot& restored);

  /// True when something was restored, be it empty.
  bool isRestored() const { return is_restored_; }

  OperatorStateSnapshot snapshot() const;

 private:
  class List {
   public:
    explicit List(DistributionMode mode) : mode(mode) {}
    virtual ~List() = default;
    const DistributionMode mode;
    virtual SerializerSnapshot elementSerializer() const = 0;
    virtual void read(DataInput& input) = 0;
    virtual size_t size() const = 0;
    virtual void write(size_t index, DataOutput& output) const = 0;
  };

  template <class T>
  class TypedList final : public List {
   public:
    using List::List;
    OperatorListState<T> state;

    SerializerSnapshot elementSerializer() const override { return Serializer<T>::snapshot(); }
    void read(DataInput& input) override {
      T element{};
      Serializer<T>::read(element, input);
      if (input.ok()) state.add(std::move(element));
    }
    size_t size() const override { return state.get().size(); }
    void write(size_t index, DataOutput& output) const override {
      Serializer<T>::write(state.get()[index], output);
    }
  };

  struct Element {
    std::shared_ptr<const std::string> stream;  // Shared with the others of the stream.
    int64_t offset = 0;
  };
  struct Restored {
    SerializerSnapshot element_serializer;
    DistributionMode mode = DistributionMode::kSplit;
    std::vector<Element> elements;
  };

  template <class T>
  OperatorListState<T>& list(const std::string& name, DistributionMode mode) {
    auto known = lists_.find(name);
    if (known == lists_.end()) {
      auto list = std::make_unique<TypedList<T>>(mode);
      claim(name, *list);
      known = lists_.emplace(name, std::move(list)).first;
    }
    auto* list = dynamic_cast<TypedList<T>*>(known->second.get());
    if (list == nullptr) {
      throw StateError("operator state '" + name + "' is declared with two types");
    }
    if (list->mode != mode) {
      throw StateError("operator state '" + name + "' is declared as a list and as a union list");
    }
    return list->state;
  }

  void addRestoredList(const std::string& name, Restored list);
  void claim(const std::string& name, List& list);
  OperatorStateSnapshot::State writeUnclaimed(const std::string& name, const Restored& list,
                                              DataOutput& output) const;

  std::map<std::string, std::unique_ptr<List>> lists_;
  std::map<std::string, Restored> unclaimed_;
  bool is_restored_ = false;
};

}  // namespace state
}  // namespace wiesel
