#include "runtime/process/last_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/temporary_directory.h"

namespace wiesel::runtime {
namespace {

class LastLinesTest : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }

  testing::TemporaryDirectory directory_;
  const std::string file_ = directory_.file("text");
};

TEST_F(LastLinesTest, GivesTheEndInOneLine) {
  EXPECT_EQ(lastLines(write("one\ntwo\n  three\n\n \r\nfour\r\n"), 0), "two | three | four");
  EXPECT_EQ(lastLines(write("one\ntwo, half a line"), 0), "one | two, half a line");
}

TEST_F(LastLinesTest, LeavesOutWhatWasThereBefore) {
  write("before\nafter\n");
  EXPECT_EQ(lastLines(file_, 7), "after");
  EXPECT_EQ(lastLines(file_, fileSize(file_)), "");
}

TEST_F(LastLinesTest, CutsALongLineAtItsBegin) {
  write(std::string(10 * kMaxLastBytes, 'a') + "bcd\n");
  const std::string last = lastLines(file_, 0);
  EXPECT_TRUE(last.starts_with("...a") && last.ends_with("abcd")) << last;
  EXPECT_EQ(last.size(), kMaxLastBytes + 2);  // With the dots, without the line break.
}

TEST_F(LastLinesTest, GivesNothingWithoutAFile) {
  EXPECT_EQ(lastLines(directory_.file("none"), 0), "");
  EXPECT_EQ(lastLines(write(""), 0), "");
}

}  // namespace
}  // namespace wiesel::runtime
