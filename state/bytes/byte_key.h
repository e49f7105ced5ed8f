#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer.h"
#include "state/state_error.h"

namespace wiesel::state {

/// Writes a part's length behind it, lowest byte first, when two parts of varying length follow
/// each other and could not be told apart.
inline void writeLengthSuffix(size_t length, DataOutput& output) {
  do {
    output.writeByte(static_cast<uint8_t>(length & 0xFF));
    length >>= 8;
  } while (length != 0);
}

/// Bytes of the key group that stand before a key.
constexpr size_t keyGroupPrefixLength(int max_parallelism) { return max_parallelism > 128 ? 2 : 1; }

inline void writeKeyGroupPrefix(int key_group, int max_parallelism, DataOutput& output) {
  if (keyGroupPrefixLength(max_parallelism) == 2) {
    output.writeShort(static_cast<int16_t>(key_group));
  } else {
    output.writeByte(static_cast<uint8_t>(key_group));
  }
}

/// The current key as bytes, and whoever must write back before it changes.
/// Flink: SerializedCompositeKeyBuilder (1.20): key group, key, [length,] namespace, [length,] user
///        key.
class ByteKey {
 public:
  explicit ByteKey(int max_parallelism) : max_parallelism_(max_parallelism) {}

  template <class K>
  void set(const K& key, int key_group) {
    prefix_.clear();
    writeKeyGroupPrefix(key_group, max_parallelism_, prefix_);
    const size_t before = prefix_.size();
    Serializer<K>::write(key, prefix_);
    key_length_ = prefix_.size() - before;
    key_varies_ = Serializer<K>::kFixedLength < 0;
    is_set_ = true;
  }

  /// There is no current key any more.
  void clear() { is_set_ = false; }

  /// Replaces `output` by the key of the current key and `ns`.
  template <class N>
  void write(const N& ns, DataOutput& output) const {
    if (!is_set_) throw StateError("keyed state was used where there is no current key");
    output.clear();
    output.writeRaw(prefix_.view());
    const bool ambiguous = key_varies_ && Serializer<N>::kFixedLength < 0;
    if (ambiguous) writeLengthSuffix(key_length_, output);
    const size_t before = output.size();
    Serializer<N>::write(ns, output);
    if (ambiguous) writeLengthSuffix(output.size() - before, output);
  }

 private:
  const int max_parallelism_;
  DataOutput prefix_;
  size_t key_length_ = 0;
  bool key_varies_ = false;
  bool is_set_ = false;
};

/// A cell that keeps a value which the store has not seen yet.
class WriteBack {
 public:
  virtual ~WriteBack() = default;
  virtual void writeBack() = 0;
};

}  // namespace wiesel::state
