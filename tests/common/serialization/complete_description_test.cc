#include "common/serialization/complete_description.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "common/serialization/describe.h"

namespace wiesel::examples {
namespace {

// Each struct once with all of its fields described and, below another name, without some.

struct Tag {};
template <class T>
struct Counted {};

// What is hard to initialize: no default constructor, or an explicit one.
struct Price {
  explicit Price(int value) : cents(value) {}
  int cents;
};
struct Money {
  explicit Money(int value = 0) : cents(value) {}
  int cents;
};

struct Plain {
  int a;
  std::string b;
};
struct PlainA : Plain {};
struct TwoFields {
  int a;
  std::string b;
};
WIESEL_DESCRIBE_PARTIAL(Plain, a, b)
WIESEL_DESCRIBE_PARTIAL(PlainA, a)
WIESEL_DESCRIBE_PARTIAL(TwoFields, a)

struct Nested {
  Plain plain;
  std::array<int, 3> numbers;
  std::vector<Plain> plains;
};
struct NestedToo : Nested {};
WIESEL_DESCRIBE_PARTIAL(Nested, plain, numbers, plains)
WIESEL_DESCRIBE_PARTIAL(NestedToo, plain, numbers)

struct Arrays {
  int rows[2][2];
  Plain plains[2];
  int last;
};
struct ArraysToo : Arrays {};
WIESEL_DESCRIBE_PARTIAL(Arrays, rows, plains, last)
WIESEL_DESCRIBE_PARTIAL(ArraysToo, rows, last)

struct Wrappers {
  std::optional<int> maybe;
  std::variant<int, std::string> either;
  std::unique_ptr<int> only_moved;
  std::tuple<int, std::string> both;
};
struct WrappersToo : Wrappers {};
WIESEL_DESCRIBE_PARTIAL(Wrappers, maybe, either, only_moved, both)
WIESEL_DESCRIBE_PARTIAL(WrappersToo, maybe, either, both)

struct Child : Tag, Plain, Counted<Child> {
  Money own;
};
struct OtherChild : Tag, Plain, Counted<OtherChild> {
  Money own;
};
struct Grandchild : Child {
  int third = 0;
};
struct OtherGrandchild : Child {
  int third = 0;
};
WIESEL_DESCRIBE_PARTIAL(Child, a, b, own)
WIESEL_DESCRIBE_PARTIAL(OtherChild, a, b)
WIESEL_DESCRIBE_PARTIAL(Grandchild, third, own, b, a)
WIESEL_DESCRIBE_PARTIAL(OtherGrandchild, third, own, a)

struct WithDefaults {
  int a = 0;
  Price price = Price(1);
  int b = 2;
  Money money;
};
struct NoPrice : WithDefaults {};
struct OnlyA {
  int a = 0;
  Price price = Price(1);
  int b = 2;
  Money money;
};
WIESEL_DESCRIBE_PARTIAL(WithDefaults, a, price, b, money)
WIESEL_DESCRIBE_PARTIAL(NoPrice, a, b, money)
WIESEL_DESCRIBE_PARTIAL(OnlyA, a)

struct Constructed {
  Constructed() : a(0), b(0) {}
  int a, b;
};
struct OfConstructed : Constructed {
  int c;
};
WIESEL_DESCRIBE_PARTIAL(Constructed, a)
WIESEL_DESCRIBE_PARTIAL(OfConstructed, c)

template <class T>
constexpr bool complete() {
  return wieselDescribe(static_cast<const T*>(nullptr)).isComplete();
}

TEST(CompleteDescriptionTest, FindsAFieldThatIsLeftOut) {
  EXPECT_TRUE(complete<Plain>());
  EXPECT_FALSE(complete<TwoFields>());
}

TEST(CompleteDescriptionTest, CountsNestedStructsAsOneFieldAndArraysByTheirElements) {
  EXPECT_TRUE(complete<Nested>());
  EXPECT_FALSE(complete<NestedToo>());
  EXPECT_TRUE(complete<Arrays>());
  EXPECT_FALSE(complete<ArraysToo>());
}

TEST(CompleteDescriptionTest, CountsFieldsThatAreMadeOfAnything) {
  EXPECT_TRUE(complete<Wrappers>());
  EXPECT_FALSE(complete<WrappersToo>());
}

TEST(CompleteDescriptionTest, LooksIntoBases) {
  EXPECT_FALSE(complete<PlainA>());
  EXPECT_TRUE(complete<Child>());
  EXPECT_FALSE(complete<OtherChild>());
  EXPECT_TRUE(complete<Grandchild>());
  EXPECT_FALSE(complete<OtherGrandchild>());
}

TEST(CompleteDescriptionTest, CountsFieldsWithoutAnImplicitDefault) {
  EXPECT_TRUE(complete<WithDefaults>());
  EXPECT_FALSE(complete<NoPrice>());
  EXPECT_FALSE(complete<OnlyA>());
}

TEST(CompleteDescriptionTest, DoesNotCountTypesWithConstructors) {
  EXPECT_TRUE(complete<Constructed>());
  EXPECT_TRUE(complete<OfConstructed>());
}

}  // namespace
}  // namespace wiesel::examples
