#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/serializer_snapshot.h"

namespace wiesel::state {

/// Passes over values of one type without making them, so that a stream can be cut into its parts
/// before the program has declared what they are.
///
/// Threads: immutable.
class ValueSkipper {
 public:
  explicit ValueSkipper(const SerializerSnapshot& type);

  /// Passes over one value. Marks `input` as failed for damaged bytes, and for a type whose values
  /// nobody here can read.
  void skip(DataInput& input) const;

  /// The bytes that every value takes, -1 if they vary.
  int storedLength() const { return shape_ == Shape::kFixed ? length_ : -1; }

 private:
  enum class Shape : uint8_t {
    kFixed,         // Always as many bytes.
    kText,          // A string.
    kSequence,      // A number of elements, then the elements.
    kMap,           // A number of entries, then key, null flag and value of each.
    kParts,         // A value of each part.
    kTimer,         // A timestamp, then a value of each part.
    kPojo,          // Flags, then null flag and value of each part.
    kEntry,         // A flag, then the value.
    kTagged,        // A tag from 1, then the value of that part.
    kStreamRecord,  // A byte, a timestamp if that is 0, then the value.
    kVariant,       // A tag from 0, then the value of that part.
    kOptional,      // A null flag, then the value.
    kUnknown,
  };

  static Shape shapeOf(const SerializerSnapshot& type);

  void becomeFixedIfPartsAre();
  void skipParts(DataInput& input) const;
  void skipSequence(DataInput& input) const;
  void skipMap(DataInput& input) const;
  void skipPojo(DataInput& input) const;
  void skipAlternative(int index, DataInput& input) const;
  void skipStreamRecord(DataInput& input) const;
  static void skipUnlessNull(const ValueSkipper& value, DataInput& input);

  Shape shape_;
  int length_ = 0;  // Of kFixed.
  std::vector<ValueSkipper> parts_;
  std::string type_name_;  // For errors.
};

/// ValueSkipper for a single value.
void skipValue(const SerializerSnapshot& type, DataInput& input);

}  // namespace wiesel::state
