#include "runtime/process/process_directories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::runtime {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using wiesel::testing::StatusIs;

class WorkingDirectoryTest : public ::testing::Test {
 protected:
  /// What a killed process leaves: nobody holds its lock.
  std::string abandoned(const std::string& name) {
    const std::string path = parent_.file(name);
    fs::create_directories(path + "/blobs");
    std::ofstream(path + "/.lock");
    std::ofstream(path + "/blobs/binary") << "bytes";
    return path;
  }

  testing::TemporaryDirectory parent_;
  SeededRandom random_{1};
};

TEST_F(WorkingDirectoryTest, GoesAwayWithItsProcess) {
  std::string path;
  {
    ASSERT_OK_AND_ASSIGN(const WorkingDirectory directory,
                         WorkingDirectory::create(parent_.file("new/tmp"), "taskmanager", random_));
    path = directory.path();
    EXPECT_THAT(path, StartsWith(parent_.file("new/tmp/wiesel-taskmanager-")));
    std::ofstream(path + "/file") << "bytes";
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(WorkingDirectoryTest, RemovesWhatKilledProcessesLeft) {
  ASSERT_OK_AND_ASSIGN(const WorkingDirectory other,
                       WorkingDirectory::create(parent_.path(), "jobmanager", random_));
  ASSERT_OK_AND_ASSIGN(const WorkingDirectory own,
                       WorkingDirectory::create(parent_.path(), "taskmanager", random_));
  const std::string left = abandoned("wiesel-taskmanager-4711-00000001");
  // Killed before it had its lock, or when all else was removed.
  const std::string empty = parent_.file("wiesel-taskmanager-4712-00000002");
  fs::create_directories(empty);
  const std::string foreign = abandoned("somebody-else");
  const std::string logs = parent_.file("wiesel-log-0");
  fs::create_directories(logs);

  own.removeAbandonedSiblings();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(empty));
  EXPECT_TRUE(fs::exists(own.path()));
  EXPECT_TRUE(fs::exists(other.path()));
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_TRUE(fs::exists(logs));
}

TEST_F(WorkingDirectoryTest, SaysWhyItCannotBeMade) {
  std::ofstream(parent_.file("file"));
  EXPECT_THAT(WorkingDirectory::create(parent_.file("file/below"), "taskmanager", random_),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       AllOf(HasSubstr(parent_.file("file/below")), HasSubstr("Not a directory"))));
}

TEST(LogDirectoryTest, StandsBelowTheConfiguredOne) {
  const testing::TemporaryDirectory parent;
  Configuration configuration;
  configuration.setString("env.log.dir", parent.file("log"));
  ASSERT_OK_AND_ASSIGN(const std::string path, createLogDirectory(configuration, "taskmanager-1"));
  EXPECT_EQ(path, parent.file("log/taskmanager-1"));
  EXPECT_TRUE(fs::is_directory(path));
}

TEST(TemporaryDirectoryTest, IsTheFirstOfSeveral) {
  Configuration configuration;
  EXPECT_EQ(temporaryDirectoryOf(configuration), "/tmp");
  configuration.setString("io.tmp.dirs", "/a,/b");
  EXPECT_EQ(temporaryDirectoryOf(configuration), "/a");
  configuration.setString("io.tmp.dirs", "/c:/d");
  EXPECT_EQ(temporaryDirectoryOf(configuration), "/c");
}

}  // namespace
}  // namespace wiesel::runtime
