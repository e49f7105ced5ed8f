#include "api/properties_text.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace wiesel::internal {
namespace {

using Properties = std::map<std::string, std::string>;

struct Rule {
  std::string name;
  std::string text;
  Properties properties;
};

class PropertiesTextTest : public ::testing::TestWithParam<Rule> {};

TEST_P(PropertiesTextTest, ReadsAsJavaDoes) {
  EXPECT_EQ(parsePropertiesText(GetParam().text), GetParam().properties);
}

INSTANTIATE_TEST_SUITE_P(
    Properties, PropertiesTextTest,
    ::testing::ValuesIn(std::vector<Rule>{
        {"Nothing", "", {}},
        {"ThreeSeparators", "a=1\nb:2\nc 3\n", {{"a", "1"}, {"b", "2"}, {"c", "3"}}},
        {"BlanksAroundTheSeparator", "  a \t=\t 1\n", {{"a", "1"}}},
        {"BlanksAfterTheValueStay", "a=1 \n", {{"a", "1 "}}},
        {"Comments", "# a=1\n  ! b=2\nc=3 # not one\n", {{"c", "3 # not one"}}},
        {"NoValue", "a\nb=\n", {{"a", ""}, {"b", ""}}},
        {"TheLastWins", "a=1\na=2\n", {{"a", "2"}}},
        {"NoEndOfLine", "a=1", {{"a", "1"}}},
        {"LinesOfWindows", "a=1\r\nb=2\r\n", {{"a", "1"}, {"b", "2"}}},
        {"AContinuedLine", "a=one,\\\n    two\n", {{"a", "one,two"}}},
        {"AnEscapedBackslashDoesNotContinue", "a=1\\\\\nb=2\n", {{"a", "1\\"}, {"b", "2"}}},
        {"EscapedSeparatorsInTheKey", "a\\=b\\:c\\ d=1\n", {{"a=b:c d", "1"}}},
        {"EscapedCharacters", "a=x\\ty\\nz\\q\n", {{"a", "x\ty\nzq"}}},
        {"Unicode", "a=\\u00e4\\u20AC\\u0041\n", {{"a", "ä€A"}}},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::internal
