#include "tests/conformance/seed_replay/child_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "tests/support/temporary_directory.h"

namespace wiesel::conformance {
namespace {

constexpr std::chrono::seconds kPatience{20};

class ChildProcessTest : public ::testing::Test {
 protected:
  Command shell(const std::string& script) {
    return {{"/bin/sh", "-c", script},
            {{"COLOUR", "blue"}},
            directory_.path(),
            directory_.file("out"),
            directory_.file("err")};
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(ChildProcessTest, GivesStatusAndOutput) {
  ChildProcess process(shell("cat; echo $COLOUR; pwd; echo bad >&2; exit 3"));
  EXPECT_EQ(process.waitFor(kPatience), 3);
  EXPECT_EQ(process.waitFor(kPatience), 3);
  EXPECT_EQ(readFile(directory_.file("out")), "blue\n" + directory_.path() + "\n");
  EXPECT_EQ(readFile(directory_.file("err")), "bad\n");
}

TEST_F(ChildProcessTest, GetsSignals) {
  ChildProcess process(shell("exec sleep 1000"));
  EXPECT_EQ(process.waitFor(std::chrono::milliseconds(0)), std::nullopt);
  process.signal(SIGTERM);
  EXPECT_EQ(process.waitFor(kPatience), 128 + SIGTERM);
}

TEST_F(ChildProcessTest, SaysWhichProgramIsMissing) {
  Command command = shell("");
  command.arguments = {"/nowhere/program"};
  try {
    ChildProcess process(command);
    FAIL() << "started";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot start /nowhere/program: No such file or directory");
  }
}

TEST(LastLineTest, LeavesEmptyLinesAtTheEndOut) {
  EXPECT_EQ(lastLine("a\nb\n\n"), "b");
  EXPECT_EQ(lastLine("a"), "a");
  EXPECT_EQ(lastLine("\n"), "");
  EXPECT_EQ(lastLine(""), "");
}

}  // namespace
}  // namespace wiesel::conformance
