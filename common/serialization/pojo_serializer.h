#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/serialization/basic_serializers.h"
#include "common/serialization/describe.h"
#include "common/serialization/type_serializer.h"

namespace wiesel {

namespace internal {

/// Reads the flags of a POJO; false for null. Fails for subclasses.
bool readPojoFlags(std::string_view type_name, DataInput& input);

}  // namespace internal

/// A value with a flag before it that says whether it is null: a POJO's field, a map's value. A
/// std::optional<T> is null when empty and otherwise written as T, any other T is never null. The
/// snapshot is that of T without the optional.
template <class T>
struct NullableSerializer {
  using Value = T;

  static void write(const T& value, DataOutput& output) {
    output.writeBool(false);
    Serializer<T>::write(value, output);
  }
  static void read(T& target, DataInput& input, std::string_view what) {
    if (input.readBool()) return internal::failNull(what, input);
    Serializer<T>::read(target, input);
  }
  static SerializerSnapshot snapshot() { return Serializer<T>::snapshot(); }
};

template <class T>
struct NullableSerializer<std::optional<T>> {
  using Value = T;

  static void write(const std::optional<T>& value, DataOutput& output) {
    output.writeBool(!value.has_value());
    if (value.has_value()) Serializer<T>::write(*value, output);
  }
  static void read(std::optional<T>& target, DataInput& input, std::string_view) {
    if (input.readBool()) return target.reset();
    Serializer<T>::read(target.emplace(), input);
  }
  static SerializerSnapshot snapshot() { return Serializer<T>::snapshot(); }
};

template <Described T>
struct Serializer<T> {
  static constexpr int kFixedLength = -1;

  static void write(const T& value, DataOutput& output) {
    output.writeByte(kExactClass);
    forEachFieldSorted(value, [&output]<class Field>(std::string_view, const Field& field) {
      static_assert(Serializable<Field>,
                    "a field of this described struct has a type that cannot be serialized: "
                    "describe that type too, or specialize wiesel::Serializer for it");
      NullableSerializer<Field>::write(field, output);
    });
  }

  static void read(T& target, DataInput& input) {
    if (!internal::readPojoFlags(shortTypeName<T>(), input)) {
      return internal::failNull(shortTypeName<T>(), input);
    }
    readFields(target, input);
  }

  static SerializerSnapshot snapshot() {
    std::vector<std::string> names;
    std::vector<SerializerSnapshot> serializers;
    forEachFieldTypeSorted<T>([&]<class Field>(std::string_view name, std::type_identity<Field>) {
      names.emplace_back(name);
      serializers.push_back(NullableSerializer<Field>::snapshot());
    });
    return SerializerSnapshot::pojo(javaClassName<T>(), std::move(names), std::move(serializers));
  }

  static int32_t hashCode(const T& value) {
    int32_t hash = 1;
    forEachField(value, [&hash]<class Field>(std::string_view, const Field& field) {
      hash = internal::combineHash(hash, Serializer<Field>::hashCode(field));
    });
    return hash;
  }

 private:
  friend struct Serializer<std::optional<T>>;

  static constexpr uint8_t kNull = 1;
  static constexpr uint8_t kExactClass = 2;

  static void readFields(T& target, DataInput& input) {
    forEachFieldSorted(target, [&input]<class Field>(std::string_view name, Field& field) {
      NullableSerializer<Field>::read(field, input, name);
    });
  }
};

template <Serializable T>
struct Serializer<std::optional<T>> {
  static constexpr int kFixedLength = -1;

  static void write(const std::optional<T>& value, DataOutput& output) {
    if constexpr (kHasOwnNull) {
      if (value.has_value()) return Serializer<T>::write(*value, output);
      output.writeByte(std::same_as<T, std::string> ? 0 : 1);
    } else {
      NullableSerializer<std::optional<T>>::write(value, output);
    }
  }

  static void read(std::optional<T>& target, DataInput& input) {
    if constexpr (std::same_as<T, std::string>) {
      if (!internal::readString(target.emplace(), input)) target.reset();
    } else if constexpr (Described<T>) {
      if (!internal::readPojoFlags(shortTypeName<T>(), input)) return target.reset();
      Serializer<T>::readFields(target.emplace(), input);
    } else {
      NullableSerializer<std::optional<T>>::read(target, input, {});
    }
  }

  static SerializerSnapshot snapshot() {
    SerializerSnapshot value = Serializer<T>::snapshot();
    if constexpr (kHasOwnNull) return value;
    return SerializerSnapshot::wieselType("Optional", {std::move(value)});
  }

  static int32_t hashCode(const std::optional<T>& value) requires SerializableKey<T> {
    return value.has_value() ? Serializer<T>::hashCode(*value) : 0;
  }

 private:
  static constexpr bool kHasOwnNull = std::same_as<T, std::string> || Described<T>;
};

}  // namespace wiesel
