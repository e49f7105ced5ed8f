#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "checkpoint/metadata/metadata_reader.h"
#include "checkpoint/metadata/metadata_writer.h"
#include "tests/checkpoint/sample_metadata.h"
#include "tests/conformance/data_directory.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;

std::string fixture(const std::string& name) {
  std::ifstream file(conformance::dataDirectory("savepoints") + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(MetadataCodecTest, ReadsWhatItWrote) {
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata read,
                       decodeMetadata(encodeMetadata(richMetadata())));
  EXPECT_EQ(read, richMetadata());
}

TEST(MetadataCodecTest, ReadsAnEmptyOne) {
  CheckpointMetadata empty;
  empty.checkpoint_id = 1;
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata read, decodeMetadata(encodeMetadata(empty)));
  EXPECT_EQ(read, empty);
}

TEST(MetadataCodecTest, RefusesACutAtEveryOffset) {
  const std::string bytes = encodeMetadata(richMetadata());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(decodeMetadata(std::string_view(bytes).substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss))
        << "cut to " << size << " of " << bytes.size() << " bytes";
  }
}

TEST(MetadataCodecTest, RefusesBytesAfterTheEnd) {
  EXPECT_THAT(decodeMetadata(encodeMetadata(richMetadata()) + "x"),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("after its end")));
}

TEST(MetadataCodecTest, SurvivesEveryFlippedBit) {
  std::string bytes = encodeMetadata(richMetadata());
  int read_differently = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    const auto read = decodeMetadata(bytes);
    if (read.ok()) {
      EXPECT_NE(*read, richMetadata()) << "bit " << bit;
      ++read_differently;
    }
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
  }
  // The format has no checksum of its own: that is what _wiesel.json is for.
  EXPECT_GT(read_differently, 0);
}

TEST(MetadataCodecTest, RefusesAnotherVersion) {
  std::string bytes = encodeMetadata(richMetadata());
  bytes[7] = 5;
  EXPECT_THAT(decodeMetadata(bytes), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("5")));
}

TEST(MetadataCodecTest, RefusesNumbersOutOfBounds) {
  CheckpointMetadata metadata;
  OperatorSnapshot one;
  one.id = idOf(1);
  one.parallelism = 1;
  one.max_parallelism = 8;
  one.subtasks[0].keyed_state = heapState(0, 7, "fits");
  metadata.operators = {one};
  EXPECT_OK(decodeMetadata(encodeMetadata(metadata)));

  metadata.operators[0].subtasks[0].keyed_state = heapState(0, 8, "too wide");
  EXPECT_THAT(decodeMetadata(encodeMetadata(metadata)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("max parallelism")));

  metadata.operators[0].subtasks.clear();
  metadata.operators[0].subtasks[1].finished = true;
  EXPECT_THAT(decodeMetadata(encodeMetadata(metadata)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("parallelism")));

  metadata.operators = {OperatorSnapshot{}, OperatorSnapshot{}};
  EXPECT_THAT(decodeMetadata(encodeMetadata(metadata)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("an operator twice")));

  metadata.operators.clear();
  metadata.checkpoint_id = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(decodeMetadata(encodeMetadata(metadata)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("a checkpoint id")));
}

struct Fixture {
  std::string name;
  std::string path;
  int64_t checkpoint_id;
  int64_t files_bytes;  // Of all state files.
};

class FlinkMetadataTest : public ::testing::TestWithParam<Fixture> {};

TEST_P(FlinkMetadataTest, IsRead) {
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata metadata, decodeMetadata(fixture(GetParam().path)));
  EXPECT_EQ(metadata.checkpoint_id, GetParam().checkpoint_id);
  EXPECT_EQ(sizeOfFiles(metadata), GetParam().files_bytes);
  EXPECT_FALSE(metadata.properties.empty());
}

TEST_P(FlinkMetadataTest, IsTheSameWhenWrittenAgain) {
  const std::string bytes = fixture(GetParam().path);
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata metadata, decodeMetadata(bytes));
  std::string expected = bytes.substr(0, bytes.size() - metadata.properties.size());
  expected[7] = 3;  // The version without properties.
  EXPECT_EQ(encodeMetadata(metadata), expected);
}

TEST_P(FlinkMetadataTest, IsRefusedWhenCutAtAnyOffset) {
  const std::string bytes = fixture(GetParam().path);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decodeMetadata(std::string_view(bytes).substr(0, size)).ok()) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fixtures, FlinkMetadataTest,
    ::testing::Values(
        Fixture{"Canonical", "keyed-string-canonical-rocksdb-p2-files/savepoint/_metadata", 1,
                7985},
        Fixture{"OperatorState", "oplist-canonical-p2-files/savepoint/_metadata", 1, 751},
        Fixture{"Native", "broadcast-native-p2/savepoint/_metadata", 1, 0},
        Fixture{"HashMapCheckpoint",
                "keyed-string-retained-hashmap-p2-files/checkpoints/"
                "6aac9f6a5ef5853eb1b264ca62c43e51/chk-6/_metadata",
                6, 14116},
        Fixture{"IncrementalCheckpoint",
                "keyed-string-retained-rocksdb-incremental-p1-files/checkpoints/"
                "c4dcc5bd206c127e2f896f80a6611f1a/chk-5/_metadata",
                5, 48320}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::checkpoint
