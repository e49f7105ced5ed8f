#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "common/serialization/serializer.h"

namespace wiesel {

/// A record of one of the two inputs of a join: what coGroup and join keep in their windows.
/// Flink: CoGroupedStreams.TaggedUnion (1.20).
template <class Left, class Right>
struct TaggedUnion {
  using Value = std::variant<Left, Right>;
  Value value;  // Index 0 is left, also when both types are the same.

  static TaggedUnion left(Left record) {
    return {Value(std::in_place_index<0>, std::move(record))};
  }
  static TaggedUnion right(Right record) {
    return {Value(std::in_place_index<1>, std::move(record))};
  }

  bool isLeft() const { return value.index() == 0; }
  bool operator==(const TaggedUnion&) const = default;
};

/// One byte, 1 for left and 2 for right, then the record.
template <Serializable Left, Serializable Right>
struct Serializer<TaggedUnion<Left, Right>> {
  static constexpr int kFixedLength = -1;

  static void write(const TaggedUnion<Left, Right>& value, DataOutput& output) {
    output.writeByte(value.isLeft() ? kLeft : kRight);
    if (value.isLeft()) {
      Serializer<Left>::write(std::get<0>(value.value), output);
    } else {
      Serializer<Right>::write(std::get<1>(value.value), output);
    }
  }

  static void read(TaggedUnion<Left, Right>& target, DataInput& input) {
    const uint8_t tag = input.readByte();
    if (tag == kLeft) {
      Serializer<Left>::read(target.value.template emplace<0>(), input);
    } else if (tag == kRight) {
      Serializer<Right>::read(target.value.template emplace<1>(), input);
    } else {
      input.fail("a tagged union begins with neither 1 nor 2");
    }
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::taggedUnion(Serializer<Left>::snapshot(),
                                           Serializer<Right>::snapshot());
  }

 private:
  static constexpr uint8_t kLeft = 1;
  static constexpr uint8_t kRight = 2;
};

}  // namespace wiesel
