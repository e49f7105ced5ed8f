#include "checkpoint/storage/file_snapshot_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "checkpoint/storage/memory_snapshot_store.h"
#include "common/filesystem/in_memory_file_system.h"
#include "common/random.h"
#include "tests/checkpoint/storage/failing_file_system.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using state::FileUse;
using state::StreamHandle;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOkAndHolds;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::StatusIs;

constexpr int64_t kThreshold = 10;

class FileSnapshotStoreTest : public ::testing::Test {
 protected:
  FileSnapshotStoreTest() {
    EXPECT_OK(memory_.createDirectories("/ck/chk-1"));
    EXPECT_OK(memory_.createDirectories("/local"));
  }

  void write(const std::string& path, const std::string& bytes) {
    EXPECT_OK(memory_.writeAtomically(path, bytes));
  }

  std::vector<std::string> filesOfCheckpoint() { return memory_.list("/ck/chk-1").value(); }

  InMemoryFileSystem memory_;
  FailingFileSystem files_{memory_};
  SeededRandom random_{1};
  FileSnapshotStore store_{files_, random_, "file:/ck/chk-1", kThreshold};
};

TEST_F(FileSnapshotStoreTest, KeepsSmallStreamsInTheHandle) {
  ASSERT_OK_AND_ASSIGN(const StreamHandle handle, store_.writeStream("0123456789"));
  EXPECT_EQ(handle.kind, StreamHandle::Kind::kInline);
  EXPECT_THAT(handle.name, StartsWith("wiesel-"));
  EXPECT_EQ(handle.size, 10);
  EXPECT_THAT(filesOfCheckpoint(), IsEmpty());
  EXPECT_THAT(store_.read(handle), IsOkAndHolds("0123456789"));
}

TEST_F(FileSnapshotStoreTest, WritesLargerStreamsToAFileOfTheirOwn) {
  ASSERT_OK_AND_ASSIGN(const StreamHandle handle, store_.writeStream("0123456789x"));
  ASSERT_OK_AND_ASSIGN(const StreamHandle other, store_.writeStream("0123456789x"));
  EXPECT_EQ(handle.kind, StreamHandle::Kind::kRelative);
  EXPECT_EQ(handle.size, 11);
  EXPECT_NE(handle.checksum, 0);
  EXPECT_NE(handle.name, other.name);
  EXPECT_THAT(filesOfCheckpoint(), SizeIs(2));
  EXPECT_THAT(store_.read(handle), IsOkAndHolds("0123456789x"));
}

TEST_F(FileSnapshotStoreTest, ReadsNothingFromNoHandle) {
  EXPECT_THAT(store_.read(StreamHandle{}), IsOkAndHolds(""));
}

TEST_F(FileSnapshotStoreTest, ReadsAFileByItsPath) {
  write("/elsewhere", "0123456789abc");
  StreamHandle handle;
  handle.kind = StreamHandle::Kind::kFile;
  handle.name = "file:/elsewhere";
  handle.size = 13;
  EXPECT_THAT(store_.read(handle), IsOkAndHolds("0123456789abc"));
}

TEST_F(FileSnapshotStoreTest, DetectsADamagedFile) {
  ASSERT_OK_AND_ASSIGN(const StreamHandle handle, store_.writeStream("0123456789x"));
  const std::string path = "/ck/chk-1/" + handle.name;
  write(path, "0123456789y");
  EXPECT_THAT(store_.read(handle),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(path), HasSubstr("expected checksum"))));
  EXPECT_THAT(store_.fetchFile(handle, "/local/x", FileUse::kReadOnly),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
  write(path, "0123456789");
  EXPECT_THAT(store_.read(handle),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("expected size_bytes=11"), HasSubstr("size_bytes=10"))));
  EXPECT_OK(memory_.removeFile(path));
  EXPECT_THAT(store_.read(handle), StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
}

TEST_F(FileSnapshotStoreTest, StoresAndFetchesFiles) {
  write("/local/000012.sst", "a large enough file");
  write("/local/CURRENT", "small");
  ASSERT_OK_AND_ASSIGN(const StreamHandle large, store_.storeFile("/local/000012.sst"));
  ASSERT_OK_AND_ASSIGN(const StreamHandle small, store_.storeFile("/local/CURRENT"));
  EXPECT_EQ(large.kind, StreamHandle::Kind::kRelative);
  EXPECT_EQ(small.kind, StreamHandle::Kind::kInline);

  EXPECT_OK(store_.fetchFile(large, "/local/linked", FileUse::kReadOnly));
  EXPECT_OK(store_.fetchFile(large, "/local/copied", FileUse::kMayChange));
  EXPECT_OK(store_.fetchFile(small, "/local/current", FileUse::kReadOnly));
  EXPECT_THAT(memory_.readAll("/local/linked"), IsOkAndHolds("a large enough file"));
  EXPECT_THAT(memory_.readAll("/local/current"), IsOkAndHolds("small"));
  ASSERT_OK_AND_ASSIGN(auto copy, memory_.openForWrite("/local/copied", OpenMode::kTruncate));
  EXPECT_OK(copy->append("changed"));
  EXPECT_OK(copy->close());
  EXPECT_THAT(store_.read(large), IsOkAndHolds("a large enough file"));
}

TEST_F(FileSnapshotStoreTest, LeavesNoHalfFileWhenTheDiskIsFull) {
  files_.failAfter(0);
  EXPECT_THAT(store_.writeStream("0123456789x"),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("/ck/chk-1/")));
  EXPECT_THAT(filesOfCheckpoint(), IsEmpty());
}

TEST_F(FileSnapshotStoreTest, DoesNotBringADiscardedCheckpointBack) {
  EXPECT_OK(memory_.removeAll("/ck/chk-1"));
  EXPECT_THAT(store_.writeStream("0123456789x"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_FALSE(memory_.exists("/ck/chk-1"));
}

TEST_F(FileSnapshotStoreTest, MemoryStoreKeepsEveryStreamInTheHandle) {
  MemorySnapshotStore store(files_, random_, "/ck/chk-1");
  ASSERT_OK_AND_ASSIGN(const StreamHandle handle, store.writeStream(std::string(100'000, 'x')));
  EXPECT_EQ(handle.kind, StreamHandle::Kind::kInline);
  EXPECT_THAT(
      store.writeStream(std::string(MemorySnapshotStore::kMaxStreamBytes + 1, 'x')),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("set execution.checkpointing.dir")));
  ASSERT_OK_AND_ASSIGN(const StreamHandle on_disk, store_.writeStream("0123456789x"));
  EXPECT_THAT(store.read(on_disk), IsOkAndHolds("0123456789x"));
}

}  // namespace
}  // namespace wiesel::checkpoint
