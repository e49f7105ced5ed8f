#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace wiesel::state {

// What a backend keeps for one declared state, addressed by the current key and a namespace N. The
// handles of users (ValueState, ListState, MapState) and the window operator work on these; the
// heap and the byte backend implement them.
//
// Threads: belong to one subtask and are called from its task thread only.
// Errors:  StateError.
// References and pointers that are returned hold until the next call on any cell of the backend, or
// until the key changes.

/// One value a key and namespace.
template <class N, class V>
class ValueCell {
 public:
  virtual ~ValueCell() = default;
  /// Null when there is none. What is changed through the pointer may be lost.
  virtual const V* find(const N& ns) = 0;
  /// The value, after storing `initial` when there was none; changes through it are kept.
  virtual V& getOrInsert(const N& ns, const V& initial) = 0;
  virtual void put(const N& ns, V value) = 0;
  virtual void clear(const N& ns) = 0;
};

/// How a list state holds its elements in memory: C gathers elements E. The default is a vector.
template <class E, class C>
struct ListContainer;

template <class E>
struct ListContainer<E, std::vector<E>> {
  static void add(std::vector<E>& container, E element) { container.push_back(std::move(element)); }
  template <class F>
  static void forEach(const std::vector<E>& container, F f) {
    for (const E& element : container) f(element);
  }
};

/// A list of elements E a key and namespace, held as a C.
template <class N, class E, class C = std::vector<E>>
class ListCell {
 public:
  virtual ~ListCell() = default;
  /// Returns false when the backend knows that the list was there already; true: it may be new.
  virtual bool add(const N& ns, E element) = 0;
  /// Null when there is no list.
  virtual C* find(const N& ns) = 0;
  /// Replaces the list.
  virtual void put(const N& ns, C container) = 0;
  virtual void clear(const N& ns) = 0;
};

/// A map from UK to UV a key and namespace.
template <class N, class UK, class UV>
class MapCell {
 public:
  virtual ~MapCell() = default;
  virtual const UV* find(const N& ns, const UK& key) = 0;
  virtual void put(const N& ns, const UK& key, UV value) = 0;
  /// Changes a value, which is UV{} when there is none, by `change`.
  virtual void update(const N& ns, const UK& key, const std::function<void(UV&)>& change) {
    const UV* known = find(ns, key);
    UV value = known == nullptr ? UV{} : *known;
    change(value);
    put(ns, key, std::move(value));
  }
  virtual void remove(const N& ns, const UK& key) = 0;
  virtual bool empty(const N& ns) = 0;
  /// Visits every entry until `visit` returns false; no entry may change meanwhile. In no defined
  /// order.
  virtual void forEach(const N& ns, const std::function<bool(const UK&, const UV&)>& visit) = 0;
  virtual void clear(const N& ns) = 0;
};

}  // namespace wiesel::state
