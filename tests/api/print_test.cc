// What jobs print goes to the process's own outputs, as it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

using Lines = std::vector<std::string>;

/// The lines of `text` that a print with `identifier` has made, sorted; logs may be among it.
Lines linesOf(const std::string& text, const std::string& identifier) {
  Lines lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with(identifier)) lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(PrintTest, PrintsWithAnIdentifierToEitherOutput) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(2);
  const auto numbers = env.fromSequence(1, 2);
  numbers.print("good");
  numbers.printToErr("bad");
  env.fromElements(3).printToErr("alone").setParallelism(1);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  env.execute();
  const std::string output = ::testing::internal::GetCapturedStdout();
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(linesOf(output, ""), (Lines{"good:1> 1", "good:2> 2"}));
  EXPECT_EQ(linesOf(errors, "bad"), (Lines{"bad:1> 1", "bad:2> 2"}));
  EXPECT_EQ(linesOf(errors, "alone"), Lines{"alone> 3"});
}

}  // namespace
}  // namespace wiesel
