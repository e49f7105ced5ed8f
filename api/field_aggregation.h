#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "api/checks.h"
#include "api/exceptions.h"
#include "api/field_access.h"
#include "common/serialization/describe.h"

// min, max, minBy and maxBy on a field: reduce functions on whole records.

namespace wiesel::internal {

/// What becomes of two records that are compared by a field.
struct ExtremeRule {
  bool is_max = false;
  bool takes_record = false;  // minBy, maxBy: the whole record, not only its field.
  bool prefers_first = true;  // Of records with equal fields.
};

/// -1, 0 or 1. Doubles as in Java: NaN is the largest number, -0.0 is smaller than 0.0.
template <class Field>
int compareFields(const Field& left, const Field& right) {
  if (left < right) return -1;
  if (right < left) return 1;
  if constexpr (std::is_floating_point_v<Field>) {
    const bool left_is_nan = left != left;
    const bool right_is_nan = right != right;
    if (left_is_nan != right_is_nan) return left_is_nan ? 1 : -1;
    if (!left_is_nan && std::signbit(left) != std::signbit(right)) {
      return std::signbit(left) ? -1 : 1;
    }
  }
  return 0;
}

template <class Field>
concept ComparableField = std::totally_ordered<Field> && std::copyable<Field>;

/// Whether the right one of two records that came in this order wins.
template <class Field>
bool rightWins(const ExtremeRule& rule, const Field& left, const Field& right) {
  const int order = compareFields(left, right);
  if (order == 0) return rule.takes_record && !rule.prefers_first;
  return rule.is_max ? order < 0 : order > 0;
}

/// Flink: ComparableAggregator, Comparator (1.20).
template <class T, class Member, class Owner>
struct ExtremeOfMember {
  static_assert(ComparableField<Member>,
                "wiesel: min, max, minBy and maxBy need a field with operator<=>");
  Member Owner::*member;
  ExtremeRule rule;

  T operator()(const T& left, const T& right) const {
    if (!rightWins(rule, left.*member, right.*member)) return left;
    if (rule.takes_record) return right;
    T result = left;
    result.*member = right.*member;
    return result;
  }
};

/// The same for a field that is given by its name.
template <Described T>
class ExtremeOfField {
 public:
  /// `call` is what the user wrote: "minBy".
  ExtremeOfField(std::string_view name, ExtremeRule rule, std::string_view call)
      : index_(fieldIndex<T>(name, call)), rule_(rule) {
    bool is_comparable = false;
    T value{};
    visitField(value, index_, [&is_comparable](const auto& field) {
      is_comparable = ComparableField<std::remove_cvref_t<decltype(field)>>;
    });
    if (!is_comparable) {
      throw InvalidProgramException(std::string(call) + "(\"" + std::string(name) +
                                    "\"): the field's type has no order");
    }
  }

  T operator()(const T& left, const T& right) const {
    T result = left;
    bool takes_right = false;
    visitField(result, index_, [&](auto& mine) {
      using Field = std::remove_cvref_t<decltype(mine)>;
      if constexpr (ComparableField<Field>) {
        visitField(right, index_, [&](const auto& other) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(other)>, Field>) {
            if (!rightWins(rule_, mine, other)) return;
            takes_right = rule_.takes_record;
            mine = other;
          }
        });
      }
    });
    return takes_right ? right : result;
  }

 private:
  size_t index_;
  ExtremeRule rule_;
};

/// The calls sum, min, max, minBy and maxBy of a stream or window, by member or by name; `Self` is
/// its class and has `aggregateField(f)`, which combines with a reduce function.
/// Flink: KeyedStream, WindowedStream, SumAggregator, ComparableAggregator (1.20).
template <class Self, class T>
class FieldAggregations {
 public:
  /// The sum of a member; the other members are those of the first record.
  template <class Member, class Owner>
  auto sum(Member Owner::*member) const {
    WIESEL_REQUIRE_MEMBER(T, Owner, "sum");
    return self().aggregateField(SumOfMember<T, Member, Owner>{member});
  }
  auto sum(const char* field) const {
    WIESEL_REQUIRE_FIELDS(T, "sum");
    return self().aggregateField(SumOfField<T>(field));
  }

  /// The smallest value of a member; the other members are those of the first record.
  template <class Member, class Owner>
  auto min(Member Owner::*member) const {
    WIESEL_REQUIRE_MEMBER(T, Owner, "min");
    return extreme(member, kMin);
  }
  auto min(const char* field) const {
    WIESEL_REQUIRE_FIELDS(T, "min");
    return extreme(field, kMin, "min");
  }

  /// The largest value of a member; the other members are those of the first record.
  template <class Member, class Owner>
  auto max(Member Owner::*member) const {
    WIESEL_REQUIRE_MEMBER(T, Owner, "max");
    return extreme(member, kMax);
  }
  auto max(const char* field) const {
    WIESEL_REQUIRE_FIELDS(T, "max");
    return extreme(field, kMax, "max");
  }

  /// The record with the smallest value of a member: the first of several, or the last.
  template <class Member, class Owner>
  auto minBy(Member Owner::*member, bool first = true) const {
    WIESEL_REQUIRE_MEMBER(T, Owner, "minBy");
    return extreme(member, recordWith(kMin, first));
  }
  auto minBy(const char* field, bool first = true) const {
    WIESEL_REQUIRE_FIELDS(T, "minBy");
    return extreme(field, recordWith(kMin, first), "minBy");
  }

  /// The record with the largest value of a member: the first of several, or the last.
  template <class Member, class Owner>
  auto maxBy(Member Owner::*member, bool first = true) const {
    WIESEL_REQUIRE_MEMBER(T, Owner, "maxBy");
    return extreme(member, recordWith(kMax, first));
  }
  auto maxBy(const char* field, bool first = true) const {
    WIESEL_REQUIRE_FIELDS(T, "maxBy");
    return extreme(field, recordWith(kMax, first), "maxBy");
  }

 private:
  static constexpr ExtremeRule kMin{.is_max = false};
  static constexpr ExtremeRule kMax{.is_max = true};

  static ExtremeRule recordWith(ExtremeRule rule, bool first) {
    rule.takes_record = true;
    rule.prefers_first = first;
    return rule;
  }

  const Self& self() const { return static_cast<const Self&>(*this); }

  template <class Member, class Owner>
  auto extreme(Member Owner::*member, ExtremeRule rule) const {
    return self().aggregateField(ExtremeOfMember<T, Member, Owner>{member, rule});
  }
  auto extreme(const char* field, ExtremeRule rule, const char* call) const {
    return self().aggregateField(ExtremeOfField<T>(field, rule, call));
  }
};

}  // namespace wiesel::internal
