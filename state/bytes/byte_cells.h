#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer.h"
#include "state/bytes/byte_key.h"
#include "state/bytes/byte_state_store.h"
#include "state/state_cells.h"
#include "state/state_error.h"

namespace wiesel::state {

template <class T>
T decodeValue(std::string_view bytes) {
  T value{};
  DataInput input(bytes);
  Serializer<T>::read(value, input);
  if (!input.ok()) throw StateError("a stored value cannot be read: " + input.error());
  return value;
}

/// A value in the store, with the one of the last key kept decoded until another is asked for.
template <class N, class V>
class ByteValueCell final : public ValueCell<N, V>, public WriteBack {
 public:
  ByteValueCell(ByteStateStore& store, const ByteKey& key, int column)
      : store_(store), key_(key), column_(column) {}

  const V* find(const N& ns) override {
    load(ns);
    return value_ ? &*value_ : nullptr;
  }

  V& getOrInsert(const N& ns, const V& initial) override {
    load(ns);
    if (!value_) value_ = initial;
    dirty_ = true;
    return *value_;
  }

  void put(const N& ns, V value) override {
    select(ns);
    value_ = std::move(value);
    dirty_ = true;
  }

  void clear(const N& ns) override {
    const bool is_known_absent = !select(ns) && !value_;
    if (is_known_absent) return;
    value_.reset();
    dirty_ = true;
  }

  void writeBack() override {
    if (!dirty_) return;
    if (value_) {
      bytes_.clear();
      Serializer<V>::write(*value_, bytes_);
      store_.put(column_, selected_.view(), bytes_.view());
    } else {
      store_.remove(column_, selected_.view());
    }
    dirty_ = false;
  }

 private:
  /// Makes (key, ns) the selected one; returns false when it was already.
  bool select(const N& ns) {
    key_.write(ns, wanted_);
    if (has_selected_ && wanted_.view() == selected_.view()) return false;
    writeBack();
    std::swap(wanted_, selected_);
    has_selected_ = true;
    return true;
  }

  void load(const N& ns) {
    if (!select(ns)) return;
    value_.reset();
    has_selected_ = false;  // Until it is read: a failure must not look like an absent value.
    if (store_.get(column_, selected_.view(), &stored_)) value_ = decodeValue<V>(stored_);
    has_selected_ = true;
  }

  ByteStateStore& store_;
  const ByteKey& key_;
  const int column_;
  DataOutput wanted_, selected_, bytes_;
  std::string stored_;
  bool has_selected_ = false;
  std::optional<V> value_;  // Of the selected key and namespace.
  bool dirty_ = false;
};

/// A list in the store: its elements' bytes with a comma between them; growing reads nothing.
template <class N, class E, class C>
class ByteListCell final : public ListCell<N, E, C> {
 public:
  ByteListCell(ByteStateStore& store, const ByteKey& key, int column)
      : store_(store), key_(key), column_(column) {}

  bool add(const N& ns, E element) override {
    key_.write(ns, row_);
    bytes_.clear();
    Serializer<E>::write(element, bytes_);
    store_.append(column_, row_.view(), bytes_.view());
    return true;
  }

  C* find(const N& ns) override {
    key_.write(ns, row_);
    if (!store_.get(column_, row_.view(), &stored_)) return nullptr;
    container_ = C{};
    DataInput input(stored_);
    while (!input.atEnd()) {
      E element{};
      Serializer<E>::read(element, input);
      if (!input.atEnd() && input.readByte() != ',') input.fail("no comma between list elements");
      if (!input.ok()) throw StateError("a stored list cannot be read: " + input.error());
      ListContainer<E, C>::add(container_, std::move(element));
    }
    return &container_;
  }

  void put(const N& ns, C container) override {
    bytes_.clear();
    ListContainer<E, C>::forEach(container, [this](const E& element) {
      if (bytes_.size() != 0) bytes_.writeByte(',');
      Serializer<E>::write(element, bytes_);
    });
    key_.write(ns, row_);
    if (bytes_.size() == 0) {
      store_.remove(column_, row_.view());
    } else {
      store_.put(column_, row_.view(), bytes_.view());
    }
  }

  void clear(const N& ns) override {
    key_.write(ns, row_);
    store_.remove(column_, row_.view());
  }

 private:
  ByteStateStore& store_;
  const ByteKey& key_;
  const int column_;
  DataOutput row_, bytes_;
  std::string stored_;
  C container_;
};

/// A map in the store: an entry a row, the user's key behind the state's.
template <class N, class UK, class UV>
class ByteMapCell final : public MapCell<N, UK, UV> {
 public:
  ByteMapCell(ByteStateStore& store, const ByteKey& key, int column)
      : store_(store), key_(key), column_(column) {}

  const UV* find(const N& ns, const UK& user_key) override {
    writeRow(ns, user_key);
    if (!store_.get(column_, row_.view(), &stored_)) return nullptr;
    value_ = decodeEntry(stored_);
    return &value_;
  }

  void put(const N& ns, const UK& user_key, UV value) override {
    writeRow(ns, user_key);
    bytes_.clear();
    NullableSerializer<UV>::write(value, bytes_);
    store_.put(column_, row_.view(), bytes_.view());
  }

  void remove(const N& ns, const UK& user_key) override {
    writeRow(ns, user_key);
    store_.remove(column_, row_.view());
  }

  bool empty(const N& ns) override {
    bool is_empty = true;
    key_.write(ns, row_);
    store_.scan(column_, row_.view(), [&](std::string_view, std::string_view) {
      is_empty = false;
      return false;
    });
    return is_empty;
  }

  void forEach(const N& ns, const std::function<bool(const UK&, const UV&)>& visit) override {
    key_.write(ns, row_);
    const std::string prefix(row_.view());
    store_.scan(column_, prefix, [&](std::string_view row, std::string_view stored) {
      return visit(decodeValue<UK>(row.substr(prefix.size())), decodeEntry(stored));
    });
  }

  void clear(const N& ns) override {
    key_.write(ns, row_);
    store_.removePrefix(column_, row_.view());
  }

 private:
  static UV decodeEntry(std::string_view stored) {
    UV value{};
    DataInput input(stored);
    NullableSerializer<UV>::read(value, input, "a map's value");
    if (!input.ok()) throw StateError("a stored map entry cannot be read: " + input.error());
    return value;
  }

  void writeRow(const N& ns, const UK& user_key) {
    key_.write(ns, row_);
    Serializer<UK>::write(user_key, row_);
  }

  ByteStateStore& store_;
  const ByteKey& key_;
  const int column_;
  DataOutput row_, bytes_;
  std::string stored_;
  UV value_{};
};

}  // namespace wiesel::state
