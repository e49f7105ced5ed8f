#include "common/serialization/serializer_snapshot.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/check.h"

namespace wiesel {
namespace {

constexpr int32_t kTopLevelVersion = 2;
constexpr int32_t kCompositeMagic = 911108;
constexpr int32_t kNestedMagic = 1333245;
constexpr int32_t kNestedVersion = 1;
constexpr int64_t kOptionalMapMagic = 0x4F2C69A3D70;
constexpr int32_t kSimpleVersion = 3;
constexpr int32_t kCompositeVersion = 3;
constexpr int32_t kPojoVersion = 2;
constexpr int32_t kWieselOuterVersion = 1;
constexpr int kMaxDepth = 64;  // Of snapshots inside snapshots; a bound for corrupt input.

#define FLINK "org.apache.flink."
#define FLINK_BASE FLINK "api.common.typeutils.base."

struct SimpleClass {
  std::string_view type_name;
  int fixed_length;
  std::string_view class_name;
};

constexpr std::array kSimpleClasses = {
    SimpleClass{"String", -1, FLINK_BASE "StringSerializer$StringSerializerSnapshot"},
    SimpleClass{"Boolean", 1, FLINK_BASE "BooleanSerializer$BooleanSerializerSnapshot"},
    SimpleClass{"Byte", 1, FLINK_BASE "ByteSerializer$ByteSerializerSnapshot"},
    SimpleClass{"Short", 2, FLINK_BASE "ShortSerializer$ShortSerializerSnapshot"},
    SimpleClass{"Integer", 4, FLINK_BASE "IntSerializer$IntSerializerSnapshot"},
    SimpleClass{"Long", 8, FLINK_BASE "LongSerializer$LongSerializerSnapshot"},
    SimpleClass{"Float", 4, FLINK_BASE "FloatSerializer$FloatSerializerSnapshot"},
    SimpleClass{"Double", 8, FLINK_BASE "DoubleSerializer$DoubleSerializerSnapshot"},
    SimpleClass{"VoidNamespace", 0,
                FLINK "runtime.state.VoidNamespaceSerializer$VoidNamespaceSerializerSnapshot"},
    SimpleClass{"TimeWindow", 16,
                FLINK "streaming.api.windowing.windows.TimeWindow$Serializer"
                      "$TimeWindowSerializerSnapshot"},
    SimpleClass{"GlobalWindow", 0,
                FLINK "streaming.api.windowing.windows.GlobalWindow$Serializer"
                      "$GlobalWindowSerializerSnapshot"},
};

struct CompositeClass {
  std::string_view type_name;
  int32_t outer_version;
  size_t num_nested;  // 0: any number, and the snapshot names its class.
  std::string_view class_name;
};

constexpr std::array kCompositeClasses = {
    CompositeClass{"List", 1, 1, FLINK_BASE "ListSerializerSnapshot"},
    CompositeClass{"Map", 1, 2, FLINK_BASE "MapSerializerSnapshot"},
    CompositeClass{"Tuple", 2, 0, FLINK "api.java.typeutils.runtime.TupleSerializerSnapshot"},
    CompositeClass{"Timer", 2, 2, FLINK "streaming.api.operators.TimerSerializerSnapshot"},
    CompositeClass{"TtlValue", 2, 2,
                   FLINK "runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot"},
    CompositeClass{"TaggedUnion", 2, 2,
                   FLINK "streaming.api.datastream.CoGroupedStreams$UnionSerializerSnapshot"},
    CompositeClass{"StreamElement", 2, 1,
                   FLINK "streaming.runtime.streamrecord.StreamElementSerializer"
                         "$StreamElementSerializerSnapshot"},
    CompositeClass{"BufferEntry", 2, 1,
                   FLINK "streaming.api.operators.co.IntervalJoinOperator"
                         "$BufferEntrySerializerSnapshot"},
};

constexpr std::string_view kPojoClass = FLINK "api.java.typeutils.runtime.PojoSerializerSnapshot";
constexpr std::string_view kTuplePrefix = FLINK "api.java.tuple.Tuple";
constexpr std::string_view kWieselPrefix = "wiesel.";

#undef FLINK
#undef FLINK_BASE

template <class Table>
auto* findClass(const Table& table, std::string_view class_name) {
  const auto found = std::ranges::find(table, class_name, &Table::value_type::class_name);
  return found == table.end() ? nullptr : &*found;
}

bool isWiesel(std::string_view class_name) { return class_name.starts_with(kWieselPrefix); }

SerializerSnapshot simple(std::string_view type_name) {
  const auto found = std::ranges::find(kSimpleClasses, type_name, &SimpleClass::type_name);
  SerializerSnapshot snapshot;
  snapshot.class_name = found->class_name;
  snapshot.version = kSimpleVersion;
  return snapshot;
}

SerializerSnapshot composite(std::string_view type_name, std::vector<SerializerSnapshot> nested) {
  const auto found = std::ranges::find(kCompositeClasses, type_name, &CompositeClass::type_name);
  SerializerSnapshot snapshot;
  snapshot.form = SerializerSnapshot::Form::kComposite;
  snapshot.class_name = found->class_name;
  snapshot.version = kCompositeVersion;
  snapshot.outer_version = found->outer_version;
  snapshot.nested = std::move(nested);
  return snapshot;
}

template <class... Snapshots>
std::vector<SerializerSnapshot> listOf(Snapshots&&... snapshots) {
  std::vector<SerializerSnapshot> list;
  list.reserve(sizeof...(snapshots));
  (list.push_back(std::move(snapshots)), ...);
  return list;
}

void writeOptionalBytes(const std::optional<std::string>& bytes, DataOutput& output) {
  output.writeBool(bytes.has_value());
  if (bytes.has_value()) output.writeSizedBytes(*bytes);
}

std::optional<std::string> readOptionalBytes(DataInput& input) {
  if (!input.readBool()) return std::nullopt;
  return std::string(input.readSizedBytes());
}

void writeSubclasses(const std::vector<SerializerSnapshot::Subclass>& subclasses,
                     DataOutput& output) {
  output.writeLong(kOptionalMapMagic);
  output.writeInt(static_cast<int32_t>(subclasses.size()));
  for (const SerializerSnapshot::Subclass& subclass : subclasses) {
    output.writeUtf(subclass.name);
    writeOptionalBytes(subclass.key, output);
    writeOptionalBytes(subclass.value, output);
  }
}

/// Fails with what was expected unless `found` is it.
template <class Number>
void expect(Number expected, Number found, std::string_view what, std::string_view class_name,
            DataInput& input) {
  if (found == expected || !input.ok()) return;
  input.fail("the " + std::string(what) + " of serializer snapshot " + std::string(class_name) +
             " is " + std::to_string(found) + "; only " + std::to_string(expected) +
             " can be read");
}

/// Reads one snapshot and those inside it.
class SnapshotReader {
 public:
  SerializerSnapshot read(DataInput& input, int depth) {
    SerializerSnapshot snapshot;
    if (depth > kMaxDepth) {
      input.fail("serializer snapshots are nested more than " + std::to_string(kMaxDepth) +
                 " deep");
      return snapshot;
    }
    snapshot.class_name = input.readUtf();
    snapshot.version = input.readInt();
    if (!input.ok()) return snapshot;
    if (findClass(kSimpleClasses, snapshot.class_name) != nullptr) {
      expect(kSimpleVersion, snapshot.version, "version", snapshot.class_name, input);
    } else if (const auto* known = findClass(kCompositeClasses, snapshot.class_name)) {
      readComposite(snapshot, known->outer_version, known->num_nested, input, depth);
    } else if (isWiesel(snapshot.class_name)) {
      readComposite(snapshot, kWieselOuterVersion, 0, input, depth);
    } else if (snapshot.class_name == kPojoClass) {
      readPojo(snapshot, input, depth);
    } else {
      input.fail("the serializer snapshot class " + snapshot.class_name + " is not supported");
    }
    return snapshot;
  }

 private:
  void readComposite(SerializerSnapshot& snapshot, int32_t outer_version, size_t num_nested,
                     DataInput& input, int depth) {
    const std::string& name = snapshot.class_name;
    snapshot.form = SerializerSnapshot::Form::kComposite;
    expect(kCompositeVersion, snapshot.version, "version", name, input);
    expect(kCompositeMagic, input.readInt(), "magic number", name, input);
    snapshot.outer_version = input.readInt();
    expect(outer_version, snapshot.outer_version, "outer version", name, input);
    if (num_nested == 0) snapshot.outer_name = input.readUtf();
    expect(kNestedMagic, input.readInt(), "second magic number", name, input);
    expect(kNestedVersion, input.readInt(), "version of the nested part", name, input);
    const int32_t count = input.readCount(kMinSnapshotBytes);
    if (num_nested != 0) {
      expect(num_nested, static_cast<size_t>(count), "number of serializers", name, input);
    }
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      snapshot.nested.push_back(read(input, depth + 1));
    }
  }

  void readPojo(SerializerSnapshot& snapshot, DataInput& input, int depth) {
    snapshot.form = SerializerSnapshot::Form::kPojo;
    expect(kPojoVersion, snapshot.version, "version", kPojoClass, input);
    snapshot.pojo_class = input.readUtf();
    for (const SerializerSnapshot::Subclass& entry : readOptionalMap(input)) {
      readField(entry, snapshot, input, depth);
      if (!input.ok()) return;
    }
    snapshot.registered_subclasses = readOptionalMap(input);
    snapshot.other_subclasses = readOptionalMap(input);
  }

  void readField(const SerializerSnapshot::Subclass& entry, SerializerSnapshot& snapshot,
                 DataInput& input, int depth) {
    if (!entry.key.has_value() || !entry.value.has_value()) {
      return input.fail("field " + entry.name + " of " + snapshot.pojo_class +
                        " is not in its class, or has no serializer");
    }
    DataInput key(*entry.key);
    const std::string declaring_class = key.readUtf();
    const std::string field_name = key.readUtf();
    DataInput value(*entry.value);
    snapshot.fields.push_back({entry.name, declaring_class});
    snapshot.nested.push_back(read(value, depth + 1));
    if (field_name != entry.name) key.fail("the field is called " + field_name);
    for (DataInput* part : {&key, &value}) {
      if (!part->atEnd()) part->fail("bytes are left over");
      if (!part->ok()) {
        input.fail("field " + entry.name + " of " + snapshot.pojo_class + ": " + part->error());
      }
    }
  }

  /// Names with two optional byte strings each: fields and subclasses have this form.
  static std::vector<SerializerSnapshot::Subclass> readOptionalMap(DataInput& input) {
    constexpr size_t kMinEntryBytes = 4;  // Length of the name, two flags.
    expect(kOptionalMapMagic, input.readLong(), "magic number of a table", kPojoClass, input);
    const int32_t count = input.readCount(kMinEntryBytes);
    std::vector<SerializerSnapshot::Subclass> entries;
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      SerializerSnapshot::Subclass& entry = entries.emplace_back();
      entry.name = input.readUtf();
      entry.key = readOptionalBytes(input);
      entry.value = readOptionalBytes(input);
    }
    return entries;
  }

  static constexpr size_t kMinSnapshotBytes = 6;  // Length of the class name, version.
};

}  // namespace

bool SerializerSnapshot::operator==(const SerializerSnapshot&) const = default;

void SerializerSnapshot::write(DataOutput& output) const {
  output.writeUtf(class_name);
  output.writeInt(version);
  if (form == Form::kSimple) return;
  if (form == Form::kComposite) {
    output.writeInt(kCompositeMagic);
    output.writeInt(outer_version);
    if (!outer_name.empty() || isWiesel(class_name)) output.writeUtf(outer_name);
    output.writeInt(kNestedMagic);
    output.writeInt(kNestedVersion);
    output.writeInt(static_cast<int32_t>(nested.size()));
    for (const SerializerSnapshot& snapshot : nested) snapshot.write(output);
    return;
  }
  output.writeUtf(pojo_class);
  output.writeLong(kOptionalMapMagic);
  output.writeInt(static_cast<int32_t>(fields.size()));
  for (size_t i = 0; i < fields.size(); ++i) {
    DataOutput key;
    key.writeUtf(fields[i].declaring_class);
    key.writeUtf(fields[i].name);
    DataOutput value;
    nested[i].write(value);
    output.writeUtf(fields[i].name);
    writeOptionalBytes(key.take(), output);
    writeOptionalBytes(value.take(), output);
  }
  writeSubclasses(registered_subclasses, output);
  writeSubclasses(other_subclasses, output);
}

void SerializerSnapshot::writeTopLevel(DataOutput& output) const {
  output.writeInt(kTopLevelVersion);
  write(output);
}

SerializerSnapshot SerializerSnapshot::read(DataInput& input) {
  return SnapshotReader().read(input, 0);
}

SerializerSnapshot SerializerSnapshot::readTopLevel(DataInput& input) {
  expect(kTopLevelVersion, input.readInt(), "leading version", "at the top level", input);
  return read(input);
}

std::string SerializerSnapshot::typeName() const {
  if (form == Form::kPojo) return pojo_class;
  std::string name;
  if (const auto* known = findClass(kSimpleClasses, class_name)) {
    name = known->type_name;
  } else if (const auto* known = findClass(kCompositeClasses, class_name)) {
    name = known->num_nested == 0 ? outer_name.substr(outer_name.rfind('.') + 1)
                                  : std::string(known->type_name);
  } else if (isWiesel(class_name)) {
    name = outer_name.empty() ? class_name.substr(kWieselPrefix.size()) : outer_name;
  } else {
    name = class_name;
  }
  if (nested.empty()) return name;
  for (size_t i = 0; i < nested.size(); ++i) name += (i == 0 ? "<" : ",") + nested[i].typeName();
  return name + ">";
}

int SerializerSnapshot::fixedLength() const {
  if (const auto* known = findClass(kSimpleClasses, class_name)) return known->fixed_length;
  if (class_name == "wiesel.UnsignedByte") return 1;
  if (class_name == "wiesel.UnsignedShort") return 2;
  if (class_name == "wiesel.UnsignedInt") return 4;
  if (class_name == "wiesel.UnsignedLong") return 8;
  const bool sums = outer_name.starts_with(kTuplePrefix) || class_name == "wiesel.Enum" ||
                    class_name == "wiesel.Duration" || class_name == "wiesel.Instant";
  if (!sums) return -1;
  int sum = 0;
  for (const SerializerSnapshot& element : nested) {
    const int length = element.fixedLength();
    if (length < 0) return -1;
    sum += length;
  }
  return sum;
}

SerializerSnapshot SerializerSnapshot::string() { return simple("String"); }
SerializerSnapshot SerializerSnapshot::boolean() { return simple("Boolean"); }
SerializerSnapshot SerializerSnapshot::int8() { return simple("Byte"); }
SerializerSnapshot SerializerSnapshot::int16() { return simple("Short"); }
SerializerSnapshot SerializerSnapshot::int32() { return simple("Integer"); }
SerializerSnapshot SerializerSnapshot::int64() { return simple("Long"); }
SerializerSnapshot SerializerSnapshot::float32() { return simple("Float"); }
SerializerSnapshot SerializerSnapshot::float64() { return simple("Double"); }
SerializerSnapshot SerializerSnapshot::voidNamespace() { return simple("VoidNamespace"); }
SerializerSnapshot SerializerSnapshot::timeWindow() { return simple("TimeWindow"); }

SerializerSnapshot SerializerSnapshot::globalWindow() { return simple("GlobalWindow"); }

SerializerSnapshot SerializerSnapshot::list(SerializerSnapshot element) {
  return composite("List", listOf(std::move(element)));
}

SerializerSnapshot SerializerSnapshot::map(SerializerSnapshot key, SerializerSnapshot value) {
  return composite("Map", listOf(std::move(key), std::move(value)));
}

SerializerSnapshot SerializerSnapshot::tuple(std::vector<SerializerSnapshot> elements) {
  SerializerSnapshot snapshot = composite("Tuple", std::move(elements));
  snapshot.outer_name = std::string(kTuplePrefix) + std::to_string(snapshot.nested.size());
  return snapshot;
}

SerializerSnapshot SerializerSnapshot::timer(SerializerSnapshot key, SerializerSnapshot window) {
  return composite("Timer", listOf(std::move(key), std::move(window)));
}

SerializerSnapshot SerializerSnapshot::timeToLive(SerializerSnapshot value) {
  return composite("TtlValue", listOf(int64(), std::move(value)));
}

SerializerSnapshot SerializerSnapshot::taggedUnion(SerializerSnapshot left,
                                                   SerializerSnapshot right) {
  return composite("TaggedUnion", listOf(std::move(left), std::move(right)));
}

SerializerSnapshot SerializerSnapshot::streamElement(SerializerSnapshot record) {
  return composite("StreamElement", listOf(std::move(record)));
}

SerializerSnapshot SerializerSnapshot::bufferEntry(SerializerSnapshot element) {
  return composite("BufferEntry", listOf(std::move(element)));
}

SerializerSnapshot SerializerSnapshot::pojo(std::string java_class, std::vector<std::string> fields,
                                            std::vector<SerializerSnapshot> serializers) {
  WIESEL_CHECK(fields.size() == serializers.size());
  WIESEL_CHECK(std::ranges::is_sorted(fields));
  SerializerSnapshot snapshot;
  snapshot.form = Form::kPojo;
  snapshot.class_name = kPojoClass;
  snapshot.version = kPojoVersion;
  for (std::string& field : fields) snapshot.fields.push_back({std::move(field), java_class});
  snapshot.pojo_class = std::move(java_class);
  snapshot.nested = std::move(serializers);
  return snapshot;
}

SerializerSnapshot SerializerSnapshot::wieselType(std::string_view name,
                                                  std::vector<SerializerSnapshot> nested,
                                                  std::string detail) {
  SerializerSnapshot snapshot;
  snapshot.form = Form::kComposite;
  snapshot.class_name = std::string(kWieselPrefix).append(name);
  snapshot.version = kCompositeVersion;
  snapshot.outer_version = kWieselOuterVersion;
  snapshot.outer_name = std::move(detail);
  snapshot.nested = std::move(nested);
  return snapshot;
}

}  // namespace wiesel
