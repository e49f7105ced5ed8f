#include "common/config/structured_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace wiesel {
namespace {

using Parts = std::vector<std::string>;

struct Rule {
  std::string text;
  std::optional<Parts> parts;
};

TEST(StructuredTextTest, SplitsAsFlinkDoes) {
  const std::vector<Rule> rules = {
      {"", Parts{}},
      {"a", Parts{"a"}},
      {"a;b", Parts{"a", "b"}},
      {" a ; b ", Parts{"a", "b"}},
      {"a;;b;", Parts{"a", "b"}},
      {"'a;b';c", Parts{"a;b", "c"}},
      {"\"a;b\" ; c", Parts{"a;b", "c"}},
      {"'it''s'", Parts{"it's"}},
      {"it's;b", Parts{"it's", "b"}},
      {"''", Parts{""}},
      {"'open", std::nullopt},
      {"'a'b;c", std::nullopt},
  };
  for (const Rule& rule : rules)
    EXPECT_EQ(splitStructuredText(rule.text, ';'), rule.parts) << rule.text;
}

TEST(StructuredTextTest, SplitsWhatItJoins) {
  const std::vector<Parts> lists = {
      {}, {"a"}, {"a", "b"}, {"", "a"}, {"x;y", "it's", "\"q\""}, {" blank ", "\t"}};
  for (const Parts& parts : lists) {
    const std::string joined = joinStructuredText(parts, ';');
    EXPECT_EQ(splitStructuredText(joined, ';'), parts) << joined;
  }
}

}  // namespace
}  // namespace wiesel
