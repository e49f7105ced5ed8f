#include "runtime/jobcode/blob_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/xxh.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using wiesel::testing::IsOkAndHolds;
using wiesel::testing::StatusIs;

class BlobStoreTest : public ::testing::Test {
 protected:
  BlobStoreTest() : store_(BlobStore::open(directory_.file("blobs")).value()) {}

  std::string writeFile(const std::string& name, const std::string& bytes, mode_t mode = 0755) {
    const std::string path = directory_.file(name);
    std::ofstream(path, std::ios::trunc) << bytes;
    ::chmod(path.c_str(), mode);
    return path;
  }

  static std::string contentOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  size_t filesInStore() const {
    return std::distance(std::filesystem::directory_iterator(store_->directory()), {});
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<BlobStore> store_;
};

TEST_F(BlobStoreTest, KeepsABinaryThatIsRemovedAfterwards) {
  const std::string path = writeFile("job", "#!/bin/true");
  ASSERT_OK_AND_ASSIGN(const std::string hash, store_->addFile(path));
  EXPECT_EQ(hash, contentHash("#!/bin/true"));
  std::filesystem::remove(path);
  ASSERT_OK_AND_ASSIGN(const std::string blob, store_->pathOf(hash));
  EXPECT_EQ(contentOf(blob), "#!/bin/true");
  EXPECT_EQ(::access(blob.c_str(), X_OK), 0);
}

// A limit of this process stands for a full disk, and a file of another file system for one that
// has to be copied.
TEST_F(BlobStoreTest, LeavesNoHalfOfABinaryThatDoesNotFit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = store_->addFile("/proc/self/exe").status();
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, ignored);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("cannot copy to"), HasSubstr("File too large")));
  EXPECT_EQ(filesInStore(), 0);
}

TEST_F(BlobStoreTest, StoresOneBinaryOnce) {
  ASSERT_OK_AND_ASSIGN(const std::string first, store_->addFile(writeFile("job", "program")));
  ASSERT_OK_AND_ASSIGN(const std::string again, store_->addFile(directory_.file("job")));
  ASSERT_OK_AND_ASSIGN(const std::string copy, store_->addFile(writeFile("other", "program")));
  EXPECT_EQ(first, again);
  EXPECT_EQ(first, copy);
  EXPECT_EQ(filesInStore(), 1);
}

TEST_F(BlobStoreTest, TakesAReplacedBinaryAsAnother) {
  const std::string path = writeFile("job", "version 1");
  ASSERT_OK_AND_ASSIGN(const std::string first, store_->addFile(path));
  std::filesystem::remove(path);
  writeFile("job", "version 2");
  ASSERT_OK_AND_ASSIGN(const std::string second, store_->addFile(path));
  EXPECT_NE(first, second);
  ASSERT_OK_AND_ASSIGN(const std::string blob, store_->pathOf(first));
  EXPECT_EQ(contentOf(blob), "version 1");
}

TEST_F(BlobStoreTest, RefusesABinaryThatWasOverwrittenInPlace) {
  const std::string path = writeFile("job", "version 1");
  ASSERT_OK_AND_ASSIGN(const std::string hash, store_->addFile(path));
  writeFile("job", "version 2, longer");
  EXPECT_THAT(store_->pathOf(hash), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("in place")));
  EXPECT_THAT(store_->pathOf(hash), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(BlobStoreTest, RefusesWhatCannotBeExecuted) {
  EXPECT_THAT(store_->addFile(directory_.file("nothing")), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(store_->addFile(directory_.path()), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(store_->addFile(writeFile("text", "hello", 0644)),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("cannot be executed")));
}

TEST_F(BlobStoreTest, AcceptsAnUploadInParts) {
  const std::string hash = contentHash("first second");
  ASSERT_OK_AND_ASSIGN(auto upload, store_->beginUpload(hash));
  EXPECT_OK(upload->append("first "));
  EXPECT_FALSE(store_->contains(hash));
  EXPECT_OK(upload->append("second"));
  EXPECT_OK(upload->finish());
  ASSERT_OK_AND_ASSIGN(const std::string blob, store_->pathOf(hash));
  EXPECT_EQ(contentOf(blob), "first second");
}

TEST_F(BlobStoreTest, RefusesADamagedUploadAndLeavesNothing) {
  {
    ASSERT_OK_AND_ASSIGN(auto upload, store_->beginUpload(contentHash("what was promised")));
    EXPECT_OK(upload->append("something else"));
    EXPECT_THAT(upload->finish(), StatusIs(absl::StatusCode::kDataLoss));
  }
  EXPECT_EQ(filesInStore(), 0);
}

TEST_F(BlobStoreTest, RefusesAHashThatIsAPath) {
  EXPECT_THAT(store_->beginUpload("../../etc/passwd"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_FALSE(store_->contains("../job"));
  EXPECT_THAT(store_->pathOf("../job"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(BlobStoreTest, ForgetsUnfinishedUploadsOfAnEarlierProcess) {
  std::ofstream(store_->directory() + "/.incoming-1-0") << "half";
  store_ = BlobStore::open(store_->directory()).value();
  EXPECT_EQ(filesInStore(), 0);
}

}  // namespace
}  // namespace wiesel::runtime
