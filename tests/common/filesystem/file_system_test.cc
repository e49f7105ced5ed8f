#include "common/filesystem/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "common/filesystem/in_memory_file_system.h"
#include "common/filesystem/local_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel {
namespace {

using absl::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOkAndHolds;
using testing::StatusIs;

/// What every FileSystem promises, in an empty folder.
template <class Files>
class FileSystemTest : public ::testing::Test {
 protected:
  FileSystemTest() {
    EXPECT_OK(files_.createDirectories(directory_.path()));
    EXPECT_OK(files_.writeAtomically(path("plain"), "content"));
    EXPECT_OK(files_.createDirectories(path("folder/sub")));
  }

  std::string path(const std::string& name) const { return directory_.file(name); }

  std::unique_ptr<OutputFile> open(const std::string& name, OpenMode mode) {
    absl::StatusOr<std::unique_ptr<OutputFile>> file = files_.openForWrite(path(name), mode);
    EXPECT_OK(file);
    return *std::move(file);
  }

  testing::TemporaryDirectory directory_;
  Files files_;
};

using Implementations = ::testing::Types<LocalFileSystem, InMemoryFileSystem>;
TYPED_TEST_SUITE(FileSystemTest, Implementations);

TYPED_TEST(FileSystemTest, ReadsWhatWasWritten) {
  const std::string large(300'000, 'x');
  auto file = this->open("new", OpenMode::kTruncate);
  EXPECT_OK(file->append("head "));
  EXPECT_OK(file->append(large));
  EXPECT_OK(file->append(std::string("\0tail", 5)));
  EXPECT_OK(file->flush());
  const std::string expected = "head " + large + std::string("\0tail", 5);
  EXPECT_THAT(this->files_.readAll(this->path("new")), IsOkAndHolds(expected));
  EXPECT_THAT(this->files_.fileSize(this->path("new")), IsOkAndHolds(expected.size()));
  EXPECT_OK(file->sync());
  EXPECT_OK(file->close());
}

TYPED_TEST(FileSystemTest, TruncatesOrAppendsAsAsked) {
  auto appending = this->open("plain", OpenMode::kAppend);
  EXPECT_OK(appending->append(" and more"));
  EXPECT_OK(appending->close());
  EXPECT_THAT(this->files_.readAll(this->path("plain")), IsOkAndHolds("content and more"));
  auto truncating = this->open("plain", OpenMode::kTruncate);
  EXPECT_OK(truncating->append("new"));
  EXPECT_OK(truncating->close());
  EXPECT_THAT(this->files_.readAll(this->path("plain")), IsOkAndHolds("new"));
}

TYPED_TEST(FileSystemTest, AClosedFileTakesNothing) {
  auto file = this->open("plain", OpenMode::kAppend);
  EXPECT_OK(file->close());
  EXPECT_OK(file->close());
  EXPECT_THAT(file->append("x"), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(file->flush(), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(file->sync(), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(this->files_.readAll(this->path("plain")), IsOkAndHolds("content"));
}

TYPED_TEST(FileSystemTest, ReadsRanges) {
  EXPECT_THAT(this->files_.readRange(this->path("plain"), 3, 2), IsOkAndHolds("te"));
  EXPECT_THAT(this->files_.readRange(this->path("plain"), 7, 0), IsOkAndHolds(""));
  EXPECT_THAT(this->files_.readRange(this->path("plain"), 3, 5),
              StatusIs(StatusCode::kOutOfRange, HasSubstr("file_size=7")));
  EXPECT_THAT(this->files_.readRange(this->path("plain"), 8, 0), StatusIs(StatusCode::kOutOfRange));
}

TYPED_TEST(FileSystemTest, WritesAtomicallyOverAnOldFileAndLeavesNothingElse) {
  EXPECT_OK(this->files_.writeAtomically(this->path("folder/f"), "one"));
  EXPECT_OK(this->files_.writeAtomically(this->path("folder/f"), "two"));
  EXPECT_THAT(this->files_.readAll(this->path("folder/f")), IsOkAndHolds("two"));
  EXPECT_THAT(this->files_.list(this->path("folder")), IsOkAndHolds(ElementsAre("f", "sub")));
  EXPECT_THAT(this->files_.writeAtomically(this->path("folder/sub"), "x"),
              StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(this->files_.list(this->path("folder")), IsOkAndHolds(ElementsAre("f", "sub")));
}

TYPED_TEST(FileSystemTest, ListsNamesSorted) {
  for (const char* name : {"b", "a", "c.d"}) {
    EXPECT_OK(this->files_.writeAtomically(this->path("folder/sub/") + name, ""));
  }
  EXPECT_THAT(this->files_.list(this->path("folder/sub")),
              IsOkAndHolds(ElementsAre("a", "b", "c.d")));
  EXPECT_THAT(this->files_.list(this->path("folder/")), IsOkAndHolds(ElementsAre("sub")));
}

TYPED_TEST(FileSystemTest, TellsWhatExists) {
  EXPECT_TRUE(this->files_.exists(this->path("plain")));
  EXPECT_TRUE(this->files_.exists(this->path("folder")));
  EXPECT_FALSE(this->files_.exists(this->path("missing")));
  EXPECT_FALSE(this->files_.exists(this->path("plain/x")));
  EXPECT_TRUE(this->files_.isDirectory(this->path("folder")));
  EXPECT_TRUE(this->files_.isDirectory("/"));
  EXPECT_FALSE(this->files_.isDirectory(this->path("plain")));
  EXPECT_FALSE(this->files_.isDirectory(this->path("missing")));
}

TYPED_TEST(FileSystemTest, CreatesDirectoriesWithParentsAndTwice) {
  EXPECT_OK(this->files_.createDirectories(this->path("x/y/z")));
  EXPECT_OK(this->files_.createDirectories(this->path("x/y/z/")));
  EXPECT_TRUE(this->files_.isDirectory(this->path("x/y/z")));
  EXPECT_THAT(this->files_.createDirectories(this->path("plain")),
              StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(this->files_.createDirectories(this->path("plain/below")),
              StatusIs(StatusCode::kFailedPrecondition, HasSubstr("plain")));
}

TYPED_TEST(FileSystemTest, RemovesAFileOnce) {
  EXPECT_OK(this->files_.removeFile(this->path("plain")));
  EXPECT_THAT(this->files_.removeFile(this->path("plain")), StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(this->files_.removeFile(this->path("folder")),
              StatusIs(StatusCode::kFailedPrecondition));
}

TYPED_TEST(FileSystemTest, RemovesAllBelowAndOnlyThat) {
  EXPECT_OK(this->files_.writeAtomically(this->path("folder/sub/f"), "x"));
  EXPECT_OK(this->files_.writeAtomically(this->path("folder-too"), "x"));
  EXPECT_OK(this->files_.removeAll(this->path("folder")));
  EXPECT_OK(this->files_.removeAll(this->path("folder")));
  EXPECT_OK(this->files_.removeAll(this->path("plain")));
  EXPECT_THAT(this->files_.list(this->directory_.path()), IsOkAndHolds(ElementsAre("folder-too")));
}

TYPED_TEST(FileSystemTest, RenamesFilesOverOthers) {
  EXPECT_OK(this->files_.writeAtomically(this->path("other"), "old"));
  EXPECT_OK(this->files_.rename(this->path("plain"), this->path("other")));
  EXPECT_THAT(this->files_.readAll(this->path("other")), IsOkAndHolds("content"));
  EXPECT_FALSE(this->files_.exists(this->path("plain")));
  EXPECT_OK(this->files_.rename(this->path("other"), this->path("other")));
  EXPECT_OK(this->files_.rename(this->path("other"), this->path("folder/sub/moved")));
  EXPECT_THAT(this->files_.readAll(this->path("folder/sub/moved")), IsOkAndHolds("content"));
}

TYPED_TEST(FileSystemTest, RenamesDirectoriesWithAllBelow) {
  EXPECT_OK(this->files_.writeAtomically(this->path("folder/sub/f"), "x"));
  EXPECT_OK(this->files_.createDirectories(this->path("empty")));
  EXPECT_OK(this->files_.rename(this->path("folder"), this->path("empty")));
  EXPECT_THAT(this->files_.readAll(this->path("empty/sub/f")), IsOkAndHolds("x"));
  EXPECT_FALSE(this->files_.exists(this->path("folder")));
}

TYPED_TEST(FileSystemTest, AnOpenFileFollowsItsRename) {
  auto file = this->open("plain", OpenMode::kAppend);
  EXPECT_OK(this->files_.rename(this->path("plain"), this->path("renamed")));
  EXPECT_OK(file->append("!"));
  EXPECT_OK(file->close());
  EXPECT_THAT(this->files_.readAll(this->path("renamed")), IsOkAndHolds("content!"));
  EXPECT_FALSE(this->files_.exists(this->path("plain")));
}

TYPED_TEST(FileSystemTest, RefusesImpossibleRenames) {
  EXPECT_OK(this->files_.createDirectories(this->path("empty")));
  const auto rename = [this](const std::string& from, const std::string& to) {
    return this->files_.rename(this->path(from), this->path(to));
  };
  EXPECT_THAT(rename("missing", "x"), StatusIs(StatusCode::kNotFound, HasSubstr("missing")));
  EXPECT_THAT(rename("plain", "no/such"), StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(rename("plain", "folder"), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(rename("folder", "plain"), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(rename("empty", "folder"), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(rename("folder", "folder/sub/x"), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(rename("plain/x", "y"), StatusIs(StatusCode::kFailedPrecondition));
}

TYPED_TEST(FileSystemTest, TruncatesButNeverGrows) {
  EXPECT_OK(this->files_.truncate(this->path("plain"), 4));
  EXPECT_THAT(this->files_.readAll(this->path("plain")), IsOkAndHolds("cont"));
  EXPECT_OK(this->files_.truncate(this->path("plain"), 4));
  EXPECT_THAT(this->files_.truncate(this->path("plain"), 5),
              StatusIs(StatusCode::kOutOfRange, HasSubstr("file_size=4")));
  EXPECT_THAT(this->files_.truncate(this->path("missing"), 0), StatusIs(StatusCode::kNotFound));
}

TYPED_TEST(FileSystemTest, LinksOutliveTheOriginal) {
  EXPECT_OK(this->files_.hardLinkOrCopy(this->path("plain"), this->path("folder/link")));
  EXPECT_OK(this->files_.removeFile(this->path("plain")));
  EXPECT_THAT(this->files_.readAll(this->path("folder/link")), IsOkAndHolds("content"));
  EXPECT_THAT(this->files_.hardLinkOrCopy(this->path("folder/link"), this->path("folder/link")),
              StatusIs(StatusCode::kAlreadyExists));
  EXPECT_THAT(this->files_.hardLinkOrCopy(this->path("missing"), this->path("x")),
              StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(this->files_.hardLinkOrCopy(this->path("folder"), this->path("x")),
              StatusIs(StatusCode::kFailedPrecondition));
}

TYPED_TEST(FileSystemTest, AMissingPathIsNotFound) {
  const std::string missing = this->path("missing");
  const auto not_found = StatusIs(StatusCode::kNotFound, HasSubstr("'" + missing + "': No such"));
  EXPECT_THAT(this->files_.readAll(missing), not_found);
  EXPECT_THAT(this->files_.readRange(missing, 0, 0), not_found);
  EXPECT_THAT(this->files_.fileSize(missing), not_found);
  EXPECT_THAT(this->files_.list(missing), not_found);
  EXPECT_THAT(this->files_.openForWrite(missing + "/x", OpenMode::kTruncate).status(),
              StatusIs(StatusCode::kNotFound, HasSubstr(missing + "/x")));
  EXPECT_THAT(this->files_.writeAtomically(missing + "/x", ""),
              StatusIs(StatusCode::kNotFound, HasSubstr(missing + "/x")));
}

TYPED_TEST(FileSystemTest, AFileIsNoDirectoryAndTheReverse) {
  const auto wrong_kind = StatusIs(StatusCode::kFailedPrecondition);
  EXPECT_THAT(this->files_.readAll(this->path("folder")), wrong_kind);
  EXPECT_THAT(this->files_.readRange(this->path("folder"), 0, 1), wrong_kind);
  EXPECT_THAT(this->files_.fileSize(this->path("folder")), wrong_kind);
  EXPECT_THAT(this->files_.truncate(this->path("folder"), 0), wrong_kind);
  EXPECT_THAT(this->files_.openForWrite(this->path("folder"), OpenMode::kAppend).status(),
              wrong_kind);
  EXPECT_THAT(this->files_.openForWrite(this->path("plain/x"), OpenMode::kAppend).status(),
              wrong_kind);
  EXPECT_THAT(this->files_.writeAtomically(this->path("plain/x"), ""), wrong_kind);
  EXPECT_THAT(this->files_.readAll(this->path("plain/x")), wrong_kind);
  EXPECT_THAT(this->files_.list(this->path("plain")), wrong_kind);
  EXPECT_THAT(this->files_.removeFile(this->path("plain/x")), wrong_kind);
}

TYPED_TEST(FileSystemTest, ANewDirectoryIsEmpty) {
  EXPECT_THAT(this->files_.list(this->path("folder/sub")), IsOkAndHolds(IsEmpty()));
}

}  // namespace
}  // namespace wiesel
