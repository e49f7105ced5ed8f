#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "api/exceptions.h"
#include "common/serialization/describe.h"
#include "common/serialization/serializer.h"
#include "common/serialization/variant_serializer.h"
#include "state/heap/key_hash.h"

// Fields by name, for sum("amount") and keyBy("user") beside sum(&Order::amount) and
// keyBy(&Order::user).

namespace wiesel::internal {

/// The index of a described struct's field, or an InvalidProgramException that lists the fields.
template <Described T>
size_t fieldIndex(std::string_view name, std::string_view call) {
  if (const auto index = fieldByName<T>(name)) return *index;
  std::string known;
  for (std::string_view field : fieldNames<T>()) {
    known += (known.empty() ? "" : ", ") + std::string(field);
  }
  throw InvalidProgramException(std::string(call) + "(\"" + std::string(name) +
                                "\"): " + std::string(shortTypeName<T>()) +
                                " has no such field; it has " + known);
}

/// The sum of two numbers of one type; whole numbers wrap, as in Java.
template <class Number>
Number javaSum(Number left, Number right) {
  if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool>) {
    using Unsigned = std::make_unsigned_t<Number>;
    return static_cast<Number>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
  } else {
    return static_cast<Number>(left + right);
  }
}

/// Adds the right value's field to the left one's: a reduce function that keeps the other fields of
/// the first record. Flink: SumAggregator (1.20).
template <class T, class Member, class Owner>
struct SumOfMember {
  Member Owner::*member;
  T operator()(const T& left, const T& right) const {
    T sum = left;
    if constexpr (std::is_arithmetic_v<Member>) {
      sum.*member = javaSum<Member>(sum.*member, right.*member);
    } else {
      sum.*member = sum.*member + right.*member;
    }
    return sum;
  }
};

template <Described T>
class SumOfField {
 public:
  explicit SumOfField(std::string_view name) : index_(fieldIndex<T>(name, "sum")) {
    bool is_number = false;
    T value{};
    visitField(value, index_, [&is_number](auto& field) {
      is_number = std::is_arithmetic_v<std::remove_reference_t<decltype(field)>>;
    });
    if (!is_number) {
      throw InvalidProgramException("sum(\"" + std::string(name) + "\"): the field is no number");
    }
  }

  T operator()(const T& left, const T& right) const {
    T sum = left;
    visitField(sum, index_, [&](auto& field) {
      using Field = std::remove_reference_t<decltype(field)>;
      if constexpr (std::is_arithmetic_v<Field>) field = javaSum<Field>(field, other<Field>(right));
    });
    return sum;
  }

 private:
  template <class Field>
  Field other(const T& right) const {
    Field value{};
    visitField(right, index_, [&value](const auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Field>) value = field;
    });
    return value;
  }

  size_t index_;
};

/// Types each once.
template <class Found, class... Rest>
struct DistinctTypes {
  using Type = Found;
};
template <class... Found, class First, class... Rest>
struct DistinctTypes<std::variant<Found...>, First, Rest...> {
  static constexpr bool kTake = SerializableKey<First> && !(std::is_same_v<First, Found> || ...);
  using Next = std::conditional_t<kTake, std::variant<Found..., First>, std::variant<Found...>>;
  using Type = typename DistinctTypes<Next, Rest...>::Type;
};

template <class Fields>
struct FieldKeyOf;
template <class... Members, class Owner>
struct FieldKeyOf<std::tuple<FieldDescription<Members, Owner>...>> {
  using Type = typename DistinctTypes<std::variant<>, Members...>::Type;
};

/// A value of any field of T that can be a key; hashes as the value itself, as in Flink.
template <Described T>
using FieldKey = typename FieldKeyOf<std::remove_const_t<decltype(kFieldsOf<T>)>>::Type;

template <Described T>
class SelectField {
 public:
  explicit SelectField(std::string_view name) : index_(fieldIndex<T>(name, "keyBy")) {
    bool is_key = false;
    T value{};
    visitField(value, index_, [&is_key](const auto& field) {
      is_key = SerializableKey<std::remove_cvref_t<decltype(field)>>;
    });
    if (!is_key) {
      throw InvalidProgramException("keyBy(\"" + std::string(name) +
                                    "\"): the field's type cannot be a key");
    }
  }

  FieldKey<T> operator()(const T& record) const {
    FieldKey<T> key;
    visitField(record, index_, [&key](const auto& field) {
      if constexpr (SerializableKey<std::remove_cvref_t<decltype(field)>>) key = field;
    });
    return key;
  }

 private:
  size_t index_;
};

}  // namespace wiesel::internal
