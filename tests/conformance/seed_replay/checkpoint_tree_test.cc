#include "tests/conformance/seed_replay/checkpoint_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_directory.h"

namespace wiesel::conformance {
namespace {

constexpr char kListing[] =
    "d 5b60 4096\n"
    "d 5b60/chk-6 4096\n"
    "f 5b60/chk-6/_metadata 7440\n"
    "d 5b60/shared 4096\n"
    "d 5b60/taskowned 4096\n";

void makeFile(const std::string& path) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << "x";
}

class CheckpointTreeTest : public ::testing::Test {
 protected:
  CheckpointTreeTest() {
    makeFile(directory_.file("aaaa/chk-12/_metadata"));
    makeFile(directory_.file("aaaa/chk-12/_wiesel.json"));
    std::filesystem::create_directories(directory_.file("aaaa/shared"));
    std::filesystem::create_directories(directory_.file("aaaa/taskowned"));
  }

  std::optional<std::string> difference() {
    return compareTrees(parseTree(kListing), scanTree(directory_.path()));
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(CheckpointTreeTest, IsTheSameWhateverTheNumbers) { EXPECT_EQ(difference(), std::nullopt); }

TEST_F(CheckpointTreeTest, MissesACheckpoint) {
  std::filesystem::remove_all(directory_.file("aaaa/chk-12"));
  EXPECT_EQ(difference(),
            "checkpoint directory: expected 1 complete and 0 incomplete checkpoints beside shared "
            "taskowned, got 0 complete and 0 incomplete checkpoints beside shared taskowned");
}

TEST_F(CheckpointTreeTest, SeesOneWithoutMetadata) {
  std::filesystem::create_directories(directory_.file("aaaa/chk-13"));
  EXPECT_EQ(scanTree(directory_.path()).at("aaaa").incomplete, std::set<int>{13});
  EXPECT_NE(difference(), std::nullopt);
}

TEST_F(CheckpointTreeTest, SeesAnotherJob) {
  std::filesystem::create_directories(directory_.file("bbbb/shared"));
  EXPECT_NE(difference(), std::nullopt);
}

TEST_F(CheckpointTreeTest, SeesAMissingFolder) {
  std::filesystem::remove_all(directory_.file("aaaa/taskowned"));
  EXPECT_NE(difference(), std::nullopt);
}

TEST_F(CheckpointTreeTest, IsEmptyWithoutADirectory) {
  EXPECT_EQ(scanTree(directory_.file("nowhere")), CheckpointTree());
}

}  // namespace
}  // namespace wiesel::conformance
