#include "connectors/socket/line_splitter.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace wiesel::connectors {
namespace {

constexpr size_t kNoBound = 1000;

struct Rule {
  std::string name;
  std::string text;
  std::vector<std::string> lines;
  std::string rest;
  char delimiter = '\n';
};

std::vector<Rule> rules() {
  return {
      {"CutsAtNewlines", "a\nb\n", {"a", "b"}, ""},
      {"KeepsEmptyLines", "\n\na\n", {"", "", "a"}, ""},
      {"DropsOneCarriageReturn", "a\r\nb\r\r\n\r\n", {"a", "b\r", ""}, ""},
      {"KeepsACarriageReturnInside", "a\rb\n", {"a\rb"}, ""},
      {"KeepsTheRest", "a\nb\r", {"a"}, "b\r"},
      {"CutsAtAnotherDelimiter", "a;b\r;c\n;d", {"a", "b\r", "c\n"}, "d", ';'},
      {"PassesAllBytes", std::string("\0\xff\n", 3), {std::string("\0\xff", 2)}, ""},
  };
}

class LineSplitterTest : public ::testing::TestWithParam<Rule> {};

TEST_P(LineSplitterTest, CutsWhereverThePiecesEnd) {
  const Rule& rule = GetParam();
  for (size_t piece = 1; piece <= rule.text.size(); ++piece) {
    LineSplitter splitter(rule.delimiter, kNoBound);
    std::vector<std::string> lines;
    for (size_t at = 0; at < rule.text.size(); at += piece) {
      splitter.add(std::string_view(rule.text).substr(at, piece), lines);
    }
    EXPECT_EQ(lines, rule.lines) << "in pieces of " << piece;
    EXPECT_EQ(splitter.takeRest().value_or(""), rule.rest) << "in pieces of " << piece;
    EXPECT_EQ(splitter.takeRest(), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(Flink, LineSplitterTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(LineSplitterBoundTest, RefusesALineThatIsTooLong) {
  LineSplitter splitter('\n', 4);
  std::vector<std::string> lines;
  splitter.add("abcd\nab", lines);
  EXPECT_EQ(lines, std::vector<std::string>{"abcd"});
  EXPECT_THROW(splitter.add("cde", lines), std::runtime_error);
}

}  // namespace
}  // namespace wiesel::connectors
