#include "tests/conformance/replayer.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/conformance/data_directory.h"

namespace wiesel::conformance {
namespace {

constexpr std::string_view kRow =
    R"({"id":"key_groups/x","family":"key_groups","table":"hash","keyHash":1,"murmur":68075478,)"
    R"("maxParallelism":2930,"keyGroup":2788})";

class ReplayerTest : public ::testing::Test {
 protected:
  std::ostringstream report_;
  Replayer replayer_{allFamilies(), {Backend::kHashmap, Backend::kRocksdb}, report_};
};

TEST_F(ReplayerTest, ReplaysTheProjectsOwnCopy) {
  ASSERT_EQ(replayer_.replayDirectory(dataDirectory("operators")), std::nullopt);
  const Counts counts = replayer_.finish();
  EXPECT_GE(counts.passed, 250);
  EXPECT_EQ(counts.failed, 0) << report_.str();
}

TEST_F(ReplayerTest, ReportsTheFirstDifferenceInOneLine) {
  std::string row(kRow);
  row.replace(row.find("2788"), 4, "2789");
  replayer_.replayFile("f", std::string(kRow) + "\n" + row + "\n");
  replayer_.finish();
  EXPECT_EQ(report_.str(),
            "FAILED key_groups/x: keyGroup: expected 2789, got 2788\n"
            "1 passed, 1 failed, 0 skipped\n");
}

TEST_F(ReplayerTest, SkipsFamiliesThatItDoesNotKnowWithAReason) {
  replayer_.replayFile("f", R"({"id":"a","family":"other"})");
  replayer_.finish();
  EXPECT_EQ(report_.str(),
            "skipped 1 of other: not in this version\n"
            "0 passed, 0 failed, 1 skipped\n");
}

TEST_F(ReplayerTest, FailsARowThatIsNotOfTheDescribedForm) {
  replayer_.replayFile("f", R"({"id":"a","family":"key_groups","table":"hash"})");
  EXPECT_EQ(replayer_.finish().failed, 1);
}

TEST_F(ReplayerTest, FailsALineThatWasTornOff) {
  replayer_.replayFile("f", std::string(kRow) + "\n" + std::string(kRow.substr(0, 50)));
  const Counts counts = replayer_.finish();
  EXPECT_EQ(counts.passed, 1);
  EXPECT_EQ(counts.failed, 1);
}

TEST_F(ReplayerTest, LeavesFilesOfOtherKindsAlone) {
  replayer_.replayFile("f", "{\"t\":1}\n{\"t\":2}\n");
  const Counts counts = replayer_.finish();
  EXPECT_EQ(counts.passed + counts.failed + counts.skipped, 0);
}

TEST_F(ReplayerTest, ReplaysAStatefulFamilyInEachBackend) {
  std::vector<Backend> seen;
  const Replay replay = [&seen](const nlohmann::json&, Backend backend) {
    seen.push_back(backend);
    return backend == Backend::kRocksdb ? std::optional<std::string>("odd") : std::nullopt;
  };
  Replayer replayer({{"stateful", replay, true}}, {Backend::kHashmap, Backend::kRocksdb}, report_);
  replayer.replayFile("f", R"({"id":"a","family":"stateful"})");
  replayer.finish();
  EXPECT_EQ(seen, (std::vector{Backend::kHashmap, Backend::kRocksdb}));
  EXPECT_EQ(report_.str(), "FAILED a (rocksdb): odd\n1 passed, 1 failed, 0 skipped\n");
}

TEST_F(ReplayerTest, TakesASingleFile) {
  const std::string file = dataDirectory("operators") + "/key_groups.jsonl";
  ASSERT_EQ(replayer_.replayDirectory(file), std::nullopt);
  EXPECT_GE(replayer_.finish().passed, 250);
}

TEST_F(ReplayerTest, ComplainsAboutADirectoryThatIsNotThere) {
  EXPECT_NE(replayer_.replayDirectory("/nowhere/at/all"), std::nullopt);
}

}  // namespace
}  // namespace wiesel::conformance
