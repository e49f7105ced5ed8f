#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"

namespace wiesel {

/// What is stored beside state to say how its bytes were written: the description of one
/// serializer and of those nested in it. A plain value; two equal snapshots mean equal formats.
///
/// The class names are Flink's, so that Flink restores what we write and the other way round. Types
/// without a twin in Java have class names that begin with `wiesel.`, see wieselType().
///
/// Errors:  reading marks the DataInput as failed for a class or version that we do not know.
/// Flink:   TypeSerializerSnapshot.writeVersionedSnapshot, CompositeTypeSerializerSnapshot,
///          PojoSerializerSnapshot (1.20).
struct SerializerSnapshot {
  enum class Form : uint8_t {
    kSimple,     // The class name says it all.
    kComposite,  // Nested serializers between two magic numbers, e.g. lists, maps, tuples.
    kPojo,       // Named fields.
  };

  /// One field of a POJO; its serializer is the element of `nested` with the same index.
  struct Field {
    std::string name;
    std::string declaring_class;
    bool operator==(const Field&) const = default;
  };

  /// An entry of a POJO's tables of subclasses, kept as it was read.
  struct Subclass {
    std::string name;
    std::optional<std::string> key;
    std::optional<std::string> value;
    bool operator==(const Subclass&) const = default;
  };

  Form form = Form::kSimple;
  std::string class_name;
  int32_t version = 3;
  int32_t outer_version = 0;               // Composite only.
  std::string outer_name;                  // Composite only: a tuple's class, a detail of ours.
  std::vector<SerializerSnapshot> nested;  // Composite and POJO.
  std::string pojo_class;                  // POJO only, as the rest.
  std::vector<Field> fields;               // In alphabetical order.
  std::vector<Subclass> registered_subclasses;
  std::vector<Subclass> other_subclasses;

  bool operator==(const SerializerSnapshot&) const;

  /// Writes the form that stands inside other snapshots.
  void write(DataOutput& output) const;
  /// Writes the form that stands in the header of a state stream: write() after a version number.
  void writeTopLevel(DataOutput& output) const;

  static SerializerSnapshot read(DataInput& input);
  static SerializerSnapshot readTopLevel(DataInput& input);

  /// Says in Flink's words what is serialized: `Map<String,Tuple2<Long,Double>>`, a POJO's class.
  std::string typeName() const;

  /// Bytes of every value, or -1 if they vary. Decides the key layout of keyed state, so it is
  /// Flink's number: VoidNamespace counts as 0 although it is written as one byte.
  int fixedLength() const;

  static SerializerSnapshot string();
  static SerializerSnapshot boolean();
  static SerializerSnapshot int8();
  static SerializerSnapshot int16();
  static SerializerSnapshot int32();
  static SerializerSnapshot int64();
  static SerializerSnapshot float32();
  static SerializerSnapshot float64();
  static SerializerSnapshot voidNamespace();
  static SerializerSnapshot timeWindow();
  static SerializerSnapshot globalWindow();
  static SerializerSnapshot list(SerializerSnapshot element);
  static SerializerSnapshot map(SerializerSnapshot key, SerializerSnapshot value);
  static SerializerSnapshot tuple(std::vector<SerializerSnapshot> elements);
  static SerializerSnapshot timer(SerializerSnapshot key, SerializerSnapshot window);
  /// A value after the time when it was last used. Flink: TtlStateFactory.TtlSerializerSnapshot.
  static SerializerSnapshot timeToLive(SerializerSnapshot value);
  static SerializerSnapshot taggedUnion(SerializerSnapshot left, SerializerSnapshot right);
  static SerializerSnapshot streamElement(SerializerSnapshot record);
  static SerializerSnapshot bufferEntry(SerializerSnapshot element);

  /// `fields` and `serializers` are in alphabetical order of the field names.
  static SerializerSnapshot pojo(std::string java_class, std::vector<std::string> fields,
                                 std::vector<SerializerSnapshot> serializers);

  /// A type of ours: class name `wiesel.<name>`, always in composite form, so that a reader needs
  /// no table of names. `detail` tells apart what `name` and `nested` do not.
  static SerializerSnapshot wieselType(std::string_view name,
                                       std::vector<SerializerSnapshot> nested = {},
                                       std::string detail = {});
};

}  // namespace wiesel
