#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/java_text.h"
#include "common/serialization/to_text.h"
#include "tests/common/serialization/example_types.h"
#include "tests/common/serialization/random_values.h"

namespace wiesel {
namespace {

TEST(JavaTextTest, PrintsDoublesAsJavaDoes) {
  const std::vector<std::pair<double, std::string>> rows = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {100, "100.0"},
      {1, "1.0"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1e-3, "0.001"},
      {0.0012, "0.0012"},
      {9.999e-4, "9.999E-4"},
      {9999999, "9999999.0"},
      {9999999.5, "9999999.5"},
      {1e7, "1.0E7"},
      {12345678.9, "1.23456789E7"},
      {1e21, "1.0E21"},
      {1e23, "1.0E23"},
      {2e23, "2.0E23"},
      {1e300, "1.0E300"},
      {1.0 / 3, "0.3333333333333333"},
      {4.9e-324, "4.9E-324"},
      {9.9e-324, "9.9E-324"},
      {2.2250738585072014e-308, "2.2250738585072014E-308"},
      {std::numeric_limits<double>::max(), "1.7976931348623157E308"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
      {482.63, "482.63"},
      {72.5, "72.5"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(javaDoubleText(value), text);
}

TEST(JavaTextTest, PrintsFloatsAsJavaDoes) {
  const std::vector<std::pair<float, std::string>> rows = {
      {0.1f, "0.1"},
      {100.0f, "100.0"},
      {1e10f, "1.0E10"},
      {1.4e-45f, "1.4E-45"},
      {16777216.0f, "1.6777216E7"},
      {3.4028235e38f, "3.4028235E38"},
      {1.0f / 3, "0.33333334"},
  };
  for (const auto& [value, text] : rows) EXPECT_EQ(javaFloatText(value), text);
}

TEST(JavaTextTest, ReadsBackAsTheSameNumber) {
  const uint64_t seed = testSeed();
  SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
  RandomValues random(seed);
  for (int round = 0; round < 10'000; ++round) {
    const double value = random.any<double>() / 7;
    const std::string text = javaDoubleText(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

template <class T>
std::string textOf(const T& value) {
  std::ostringstream out;
  toText(out, value);
  return out.str();
}

struct Spoken {
  int number = 0;
};
WIESEL_DESCRIBE(Spoken, number)
std::ostream& operator<<(std::ostream& out, const Spoken& value) {
  return out << "number " << value.number;
}

TEST(ToTextTest, PrintsPlainValues) {
  EXPECT_EQ(textOf(true), "true");
  EXPECT_EQ(textOf(7), "7");
  EXPECT_EQ(textOf(int8_t{65}), "65");
  EXPECT_EQ(textOf(uint8_t{200}), "200");
  EXPECT_EQ(textOf('c'), "c");
  EXPECT_EQ(textOf(1e7), "1.0E7");
  EXPECT_EQ(textOf(100.0f), "100.0");
  EXPECT_EQ(textOf(std::string("text")), "text");
  EXPECT_EQ(textOf("text"), "text");
  EXPECT_EQ(textOf(examples::Level::kHigh), "200");
}

TEST(ToTextTest, PrintsContainersAsJavaDoes) {
  EXPECT_EQ(textOf(std::pair("a", 1)), "(a,1)");
  EXPECT_EQ(textOf(std::tuple(std::string("a"), 1.0, false)), "(a,1.0,false)");
  EXPECT_EQ(textOf(std::vector{1.5, 2.0}), "[1.5, 2.0]");
  EXPECT_EQ(textOf(std::vector<bool>{true, false}), "[true, false]");
  EXPECT_EQ(textOf(std::vector<int>()), "[]");
  EXPECT_EQ(textOf(std::map<std::string, double>{{"a", 1}, {"b", 2}}), "{a=1.0, b=2.0}");
  EXPECT_EQ(textOf(std::optional<int>()), "null");
  EXPECT_EQ(textOf(std::optional<double>(2)), "2.0");
  EXPECT_EQ(textOf(std::variant<std::monostate, double>(2.0)), "2.0");
  EXPECT_EQ(textOf(std::variant<std::monostate, double>()), "null");
}

TEST(ToTextTest, PrintsDescribedStructsWithTheirName) {
  EXPECT_EQ(textOf(examples::Address{"Main", 7}), "Address(Main,7)");
  EXPECT_EQ(textOf(std::vector{examples::Person{"Ann", {}, 1.5, true, {}}}),
            "[Person(Ann,null,1.5,true,null)]");
}

TEST(ToTextTest, PrefersATypesOwnOperator) {
  EXPECT_EQ(textOf(Spoken{7}), "number 7");
  EXPECT_EQ(textOf(std::pair(Spoken{7}, 1)), "(number 7,1)");
}

struct Silent {};

TEST(PrintableTest, HoldsForTypesThatCanBePrinted) {
  EXPECT_TRUE(Printable<int>);
  EXPECT_TRUE(Printable<examples::Order>);
  EXPECT_TRUE(Printable<examples::Level>);
  EXPECT_FALSE(Printable<Silent>);
}

}  // namespace
}  // namespace wiesel
