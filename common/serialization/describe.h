#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/serialization/complete_description.h"
#include "common/serialization/describe_fields.h"

/// Names the fields of a struct, at the namespace scope of the struct and after it:
///
///   struct Order { std::string user; double amount = 0; };
///   WIESEL_DESCRIBE(Order, user, amount)
///
/// From then on an Order is serialized field by field as Flink's POJO, hashes as a key like
/// java.util.Objects.hash(user, amount), prints as `Order(alice,100.0)`, and its fields can be
/// found by name. Up to 64 public fields, also inherited ones; `Type` must not contain a comma.
///
/// A field that is left out does not compile, since it would be lost whenever a record is sent to
/// another process or restored. That is checked for aggregates, i.e. structs without constructors,
/// virtual functions and private fields; those of other types cannot be counted.
#define WIESEL_DESCRIBE(Type, ...)                                                    \
  [[maybe_unused]] constexpr auto wieselDescribe(const Type*) {                       \
    using WieselDescribedType = Type;                                                 \
    constexpr auto described = ::wiesel::internal::describeType<WieselDescribedType>( \
        __VA_OPT__(WIESEL_INTERNAL_FIELDS_1(__VA_ARGS__)));                           \
    static_assert(described.isComplete(),                                             \
                  "wiesel: " #Type                                                    \
                  " has a field that its WIESEL_DESCRIBE leaves out: add the "        \
                  "field, or use WIESEL_DESCRIBE_PARTIAL if it may be lost");         \
    return described;                                                                 \
  }

/// The same for a struct with further fields that are not part of the record, such as caches: they
/// are neither sent nor stored, and have their default values in the copy that arrives.
/// Flink: fields that are `transient` (1.20).
#define WIESEL_DESCRIBE_PARTIAL(Type, ...)                        \
  [[maybe_unused]] constexpr auto wieselDescribe(const Type*) {   \
    using WieselDescribedType = Type;                             \
    return ::wiesel::internal::describeType<WieselDescribedType>( \
        __VA_OPT__(WIESEL_INTERNAL_FIELDS_1(__VA_ARGS__)));       \
  }

/// Gives the Java class under which Flink knows a described struct, e.g. "com.example.Order" or
/// "com.example.Job$Order". Without it the class is the C++ name with dots for colons.
#define WIESEL_JAVA_CLASS(Type, name)                            \
  [[maybe_unused]] constexpr auto wieselJavaClass(const Type*) { \
    return ::wiesel::internal::JavaClass<Type>{name};            \
  }

namespace wiesel {

namespace internal {

template <class M, class O>
struct FieldDescription {
  using Member = M;
  using Owner = O;
  std::string_view name;
  Member Owner::*pointer;
};

template <class Member, class Owner>
constexpr FieldDescription<Member, Owner> describeField(std::string_view name,
                                                        Member Owner::*pointer) {
  return {name, pointer};
}

template <class Member, class Owner>
constexpr std::type_identity<Member> fieldType(const FieldDescription<Member, Owner>&) {
  return {};
}

// Carries the type, since a pointer to a derived class would find its base's description too.
template <class T, class... Fields>
struct TypeDescription {
  using Type = T;
  std::tuple<Fields...> fields;

  constexpr bool isComplete() const { return describesAllFields<T, Fields...>(); }
};

struct TooManyFields {};

template <class T, class... Fields>
constexpr TypeDescription<T, Fields...> describeType(Fields... fields) {
  static_assert(!(std::same_as<Fields, TooManyFields> || ...),
                "WIESEL_DESCRIBE takes up to 64 fields");
  return {{fields...}};
}

template <class T>
struct JavaClass {
  using Type = T;
  std::string_view name;
};

template <class Found, class T>
concept IsFor = std::same_as<typename Found::Type, T>;

template <class T>
constexpr const char* signatureNaming() {
  return __PRETTY_FUNCTION__;
}

// The C++ name of T as the compiler writes it.
template <class T>
constexpr std::string_view compilerTypeName() {
  std::string_view text = signatureNaming<T>();
  text.remove_prefix(text.find("T = ") + 4);
  return text.substr(0, text.size() - 1);
}

// "a::{anonymous}::B" -> "a.B".
std::string dottedTypeName(std::string_view compiler_name);
// "a::B<c::D>" -> "B<c::D>".
std::string_view lastNamePart(std::string_view compiler_name);

}  // namespace internal

/// A struct that WIESEL_DESCRIBE names itself, not only a base of it.
template <class T>
concept Described = requires(const T* none) {
  { wieselDescribe(none) } -> internal::IsFor<T>;
};

namespace internal {

template <Described T>
inline constexpr auto kFieldsOf = wieselDescribe(static_cast<const T*>(nullptr)).fields;

template <Described T>
inline constexpr size_t kFieldCount =
    std::tuple_size_v<std::remove_const_t<decltype(kFieldsOf<T>)>>;

template <Described T>
constexpr std::array<size_t, kFieldCount<T>> sortedFieldIndexes();

}  // namespace internal

/// The names in the order of WIESEL_DESCRIBE.
template <Described T>
constexpr std::array<std::string_view, internal::kFieldCount<T>> fieldNames() {
  return std::apply(
      [](const auto&... fields) {
        return std::array<std::string_view, sizeof...(fields)>{fields.name...};
      },
      internal::kFieldsOf<T>);
}

/// The index of the field `name` in fieldNames(), if there is one.
template <Described T>
constexpr std::optional<size_t> fieldByName(std::string_view name) {
  const auto names = fieldNames<T>();
  for (size_t index = 0; index < names.size(); ++index) {
    if (names[index] == name) return index;
  }
  return std::nullopt;
}

/// Calls visit(name, field) for each field in the order of WIESEL_DESCRIBE. `value` may be const.
template <class T, class Visitor>
requires Described<std::remove_const_t<T>>
constexpr void forEachField(T& value, Visitor&& visit) {
  std::apply([&](const auto&... fields) { (visit(fields.name, value.*fields.pointer), ...); },
             internal::kFieldsOf<std::remove_const_t<T>>);
}

/// As forEachField(), in alphabetical order of the names: the order in which a POJO is stored.
template <class T, class Visitor>
requires Described<std::remove_const_t<T>>
constexpr void forEachFieldSorted(T& value, Visitor&& visit) {
  using Type = std::remove_const_t<T>;
  constexpr auto order = internal::sortedFieldIndexes<Type>();
  [&]<size_t... i>(std::index_sequence<i...>) {
    (visit(std::get<order[i]>(internal::kFieldsOf<Type>).name,
           value.*std::get<order[i]>(internal::kFieldsOf<Type>).pointer),
     ...);
  }
  (std::make_index_sequence<order.size()>());
}

/// Calls visit(name, std::type_identity<Field>()) in the order of forEachFieldSorted(), without a
/// value.
template <Described T, class Visitor>
constexpr void forEachFieldTypeSorted(Visitor&& visit) {
  constexpr auto order = internal::sortedFieldIndexes<T>();
  [&]<size_t... i>(std::index_sequence<i...>) {
    (visit(std::get<order[i]>(internal::kFieldsOf<T>).name,
           internal::fieldType(std::get<order[i]>(internal::kFieldsOf<T>))),
     ...);
  }
  (std::make_index_sequence<order.size()>());
}

/// Calls visit(field) for the field at `index` of fieldNames(). Each type of field instantiates
/// `visit`. Returns false if there is no such field.
template <class T, class Visitor>
requires Described<std::remove_const_t<T>>
constexpr bool visitField(T& value, size_t index, Visitor&& visit) {
  size_t current = 0;
  bool found = false;
  forEachField(value, [&](std::string_view, auto& field) {
    if (current++ != index) return;
    visit(field);
    found = true;
  });
  return found;
}

/// The Java class of a described struct, see WIESEL_JAVA_CLASS.
template <class T>
std::string javaClassName() {
  if constexpr (requires(const T* none) {
                  { wieselJavaClass(none) } -> internal::IsFor<T>;
                }) {
    return std::string(wieselJavaClass(static_cast<const T*>(nullptr)).name);
  } else {
    return internal::dottedTypeName(internal::compilerTypeName<T>());
  }
}

/// The name of a described struct without its namespaces.
template <class T>
std::string_view shortTypeName() {
  return internal::lastNamePart(internal::compilerTypeName<T>());
}

namespace internal {

template <Described T>
constexpr std::array<size_t, kFieldCount<T>> sortedFieldIndexes() {
  const auto names = fieldNames<T>();
  std::array<size_t, kFieldCount<T>> order{};
  for (size_t i = 0; i < order.size(); ++i) {
    size_t place = i;
    for (; place > 0 && names[i] < names[order[place - 1]]; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  return order;
}

}  // namespace internal
}  // namespace wiesel
