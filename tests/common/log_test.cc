#include "common/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/filesystem/local_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class LogTest : public ::testing::Test {
 protected:
  ~LogTest() override {
    setMinLogSeverity(LogSeverity::kINFO);
    initLogging("", "");
  }

  std::string logged() { return LocalFileSystem().readAll(path_).value_or("no file"); }

  testing::TemporaryDirectory directory_;
  const std::string path_ = directory_.file("jobmanager.log");
};

TEST_F(LogTest, ALineHasSeverityProcessPlaceAndText) {
  ASSERT_TRUE(initLogging(path_, "jobmanager"));
  WIESEL_LOG(WARN) << "Lost task manager " << 7 << " {}";
  EXPECT_THAT(logged(), AllOf(HasSubstr("warn"), HasSubstr("jobmanager"),
                              ContainsRegex("log_test.cc:[0-9]+ Lost task manager 7 \\{\\}\n")));
}

TEST_F(LogTest, AppendsToTheFile) {
  ASSERT_TRUE(initLogging(path_, "a"));
  WIESEL_LOG(INFO) << "first";
  ASSERT_TRUE(initLogging(path_, "b"));
  WIESEL_LOG(ERROR) << "second";
  EXPECT_THAT(logged(), AllOf(HasSubstr("first"), HasSubstr("second")));
}

TEST_F(LogTest, DropsLinesBelowTheLeastSeverity) {
  ASSERT_TRUE(initLogging(path_, "a"));
  setMinLogSeverity(LogSeverity::kWARN);
  WIESEL_LOG(INFO) << "quiet";
  WIESEL_LOG(WARN) << "loud";
  EXPECT_THAT(logged(), AllOf(Not(HasSubstr("quiet")), HasSubstr("loud")));
}

TEST_F(LogTest, SaysWhenTheFileCannotBeOpened) {
  EXPECT_FALSE(initLogging("/proc/no/such/folder/x.log", "a"));
}

}  // namespace
}  // namespace wiesel
