#include "common/serialization/describe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/common/serialization/example_types.h"

namespace wiesel::examples {
namespace {

struct Hidden {
  int b = 1, a = 2, c = 3, B = 4;
};
WIESEL_DESCRIBE(Hidden, b, a, c, B)

struct Base {
  int inherited = 1;
};
struct Child : Base {
  int own = 2;
};
WIESEL_DESCRIBE(Child, inherited, own)
struct Grandchild : Child {};

struct Nothing {};
WIESEL_DESCRIBE(Nothing)

template <class T>
struct Box {
  T value;
};
WIESEL_DESCRIBE(Box<Address>, value)

struct Outer {
  struct Inner {
    int x = 0;
  };
};
WIESEL_DESCRIBE(Outer::Inner, x)

struct Many {
  int f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
      f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39,
      f40, f41, f42, f43, f44, f45, f46, f47, f48, f49, f50, f51, f52, f53, f54, f55, f56, f57, f58,
      f59, f60, f61, f62, f63, f64;
};
WIESEL_DESCRIBE(Many, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17,
                f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34,
                f35, f36, f37, f38, f39, f40, f41, f42, f43, f44, f45, f46, f47, f48, f49, f50, f51,
                f52, f53, f54, f55, f56, f57, f58, f59, f60, f61, f62, f63, f64)

using Names = std::vector<std::string>;

template <class T>
Names namesOf() {
  const auto names = fieldNames<T>();
  return Names(names.begin(), names.end());
}

TEST(DescribeTest, KeepsTheOrderOfDeclaration) {
  EXPECT_EQ(namesOf<Hidden>(), (Names{"b", "a", "c", "B"}));
  Hidden value;
  Names visited;
  std::vector<int> values;
  forEachField(value, [&](std::string_view name, int& field) {
    visited.emplace_back(name);
    values.push_back(field++);
  });
  EXPECT_EQ(visited, (Names{"b", "a", "c", "B"}));
  EXPECT_EQ(values, (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(value.c, 4);
}

TEST(DescribeTest, SortsAsJavaSortsNames) {
  const Hidden value;
  Names visited;
  std::vector<int> values;
  forEachFieldSorted(value, [&](std::string_view name, const int& field) {
    visited.emplace_back(name);
    values.push_back(field);
  });
  EXPECT_EQ(visited, (Names{"B", "a", "b", "c"}));
  EXPECT_EQ(values, (std::vector{4, 2, 1, 3}));
}

TEST(DescribeTest, FindsFieldsByName) {
  static_assert(fieldByName<Hidden>("c") == 2);
  EXPECT_EQ(fieldByName<Hidden>("B"), 3u);
  EXPECT_EQ(fieldByName<Hidden>("x"), std::nullopt);
  EXPECT_EQ(fieldByName<Hidden>(""), std::nullopt);
}

TEST(DescribeTest, VisitsOneField) {
  Hidden value;
  EXPECT_TRUE(visitField(value, 2, [](int& field) { field = 30; }));
  EXPECT_EQ(value.c, 30);
  EXPECT_FALSE(visitField(value, 4, [](int& field) { field = 40; }));
  EXPECT_EQ(value.a + value.b + value.B, 7);
}

TEST(DescribeTest, TakesInheritedNestedAndNoFields) {
  EXPECT_EQ(namesOf<Child>(), (Names{"inherited", "own"}));
  EXPECT_EQ(namesOf<Outer::Inner>(), Names{"x"});
  EXPECT_EQ(namesOf<Nothing>(), Names{});
  EXPECT_EQ(namesOf<Box<Address>>(), Names{"value"});
}

TEST(DescribeTest, TakesSixtyFourFields) {
  EXPECT_EQ(namesOf<Many>().size(), 64u);
  EXPECT_EQ(namesOf<Many>().back(), "f64");
}

TEST(DescribeTest, HoldsForTheTypeItselfOnly) {
  EXPECT_TRUE(Described<Child>);
  EXPECT_FALSE(Described<Grandchild>);
  EXPECT_FALSE(Described<Base>);
  EXPECT_FALSE(Described<Box<int>>);
  EXPECT_FALSE(Described<int>);
  EXPECT_FALSE(Described<std::string>);
}

TEST(DescribeTest, NamesTypes) {
  EXPECT_EQ(javaClassName<Person>(), "org.wiesel.oracle.SavepointCheck$Person");
  EXPECT_EQ(javaClassName<Address>(), "wiesel.examples.Address");
  EXPECT_EQ(javaClassName<Outer::Inner>(), "wiesel.examples.Outer.Inner");
  EXPECT_EQ(javaClassName<Box<Address>>(), "wiesel.examples.Box<wiesel.examples.Address>");
  EXPECT_EQ(shortTypeName<Person>(), "Person");
  EXPECT_EQ(shortTypeName<Outer::Inner>(), "Inner");
  EXPECT_EQ(shortTypeName<Box<Address>>(), "Box<wiesel::examples::Address>");
}

}  // namespace
}  // namespace wiesel::examples
