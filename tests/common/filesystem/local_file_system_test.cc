#include "common/filesystem/local_file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <thread>

#include "common/filesystem/file_error.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel {
namespace {

using absl::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOkAndHolds;
using ::testing::MatchesRegex;
using testing::StatusIs;

TEST(LocalFileSystemTest, AReaderSeesTheOldOrTheNewContentOnly) {
  testing::TemporaryDirectory directory;
  LocalFileSystem files;
  const std::string path = directory.file("f");
  const std::string old_content(100'000, 'a');
  const std::string new_content(150'000, 'b');
  ASSERT_OK(files.writeAtomically(path, old_content));
  std::atomic<bool> done = false;
  std::atomic<int> mixed = 0;
  std::thread reader([&] {
    while (!done) {
      const std::string seen = files.readAll(path).value_or("");
      if (seen != old_content && seen != new_content) ++mixed;
    }
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_OK(files.writeAtomically(path, i % 2 == 0 ? new_content : old_content));
  }
  done = true;
  reader.join();
  EXPECT_EQ(mixed, 0);
  EXPECT_THAT(files.list(directory.path()), IsOkAndHolds(ElementsAre("f")));
}

TEST(LocalFileSystemTest, ReadsFilesThatSayTheyAreEmpty) {
  EXPECT_THAT(LocalFileSystem().readAll("/proc/self/stat"),
              IsOkAndHolds(HasSubstr(std::to_string(getpid()))));
}

TEST(LocalFileSystemTest, AFullDiskIsReportedWithTheFreeBytes) {
  // The device answers every write with "no space".
  LocalFileSystem files;
  absl::StatusOr<std::unique_ptr<OutputFile>> file =
      files.openForWrite("/dev/full", OpenMode::kAppend);
  if (!file.ok()) GTEST_SKIP() << "no /dev/full here: " << file.status();
  EXPECT_OK((*file)->append("x"));
  EXPECT_THAT((*file)->flush(),
              StatusIs(StatusCode::kResourceExhausted,
                       MatchesRegex("cannot write '/dev/full': No space left on device "
                                    "\\(free_bytes=[0-9]+\\)")));
}

TEST(FileErrorTest, NamesPathAndReason) {
  EXPECT_THAT(
      fileError("open", "/a", ENOENT),
      StatusIs(StatusCode::kNotFound, std::string("cannot open '/a': No such file or directory")));
  EXPECT_THAT(fileError("open", "/a", EACCES), StatusIs(StatusCode::kPermissionDenied));
  EXPECT_THAT(fileError("write", "/a", ENOSPC, 12),
              StatusIs(StatusCode::kResourceExhausted, HasSubstr("(free_bytes=12)")));
  EXPECT_THAT(
      fileError("write", "/a", EIO, 12),
      StatusIs(StatusCode::kUnavailable, std::string("cannot write '/a': Input/output error")));
}

}  // namespace
}  // namespace wiesel
