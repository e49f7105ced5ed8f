#include "common/config/dynamic_properties.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel {
namespace {

using Arguments = std::vector<std::string>;

struct Rule {
  std::string name;
  Arguments arguments;
  Configuration::Entries entries;
  Arguments remaining;
};

std::vector<Rule> rules() {
  return {
      {"Nothing", {"run", "job"}, {}, {"run", "job"}},
      {"Joined", {"-Drest.port=0", "x"}, {{"rest.port", "0"}}, {"x"}},
      {"Separate", {"-D", "rest.port=0", "x"}, {{"rest.port", "0"}}, {"x"}},
      {"TheLaterWins", {"-Da=1", "-D", "a=2"}, {{"a", "2"}}, {}},
      {"WithoutValueMeansTrue", {"-Da", "-D", "b"}, {{"a", "true"}, {"b", "true"}}, {}},
      {"EmptyValue", {"-Da="}, {{"a", ""}}, {}},
      {"ValueWithEquals", {"-Da=b=c"}, {{"a", "b=c"}}, {}},
      {"EndsAtTwoDashes", {"-Da=1", "--", "-Db=2"}, {{"a", "1"}}, {"--", "-Db=2"}},
      {"LeavesOtherFlags", {"-d", "--Dx"}, {}, {"-d", "--Dx"}},
  };
}

class DynamicPropertiesTest : public ::testing::TestWithParam<Rule> {};

TEST_P(DynamicPropertiesTest, TakesProperties) {
  const DynamicProperties found = takeDynamicProperties(GetParam().arguments);
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.configuration.entries(), GetParam().entries);
  EXPECT_EQ(found.remaining, GetParam().remaining);
}

INSTANTIATE_TEST_SUITE_P(Rules, DynamicPropertiesTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(DynamicPropertiesErrorTest, SaysWhatIsWrong) {
  EXPECT_EQ(takeDynamicProperties({"-D"}).error, "-D is the last argument; expected -D key=value");
  EXPECT_EQ(takeDynamicProperties({"-D=1"}).error, "-D=1 names no key; expected -Dkey=value");
}

}  // namespace
}  // namespace wiesel
