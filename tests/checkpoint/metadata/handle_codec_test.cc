#include "checkpoint/metadata/handle_codec.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/checkpoint/sample_metadata.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using testing::StatusIs;

state::SubtaskState richState() {
  state::SubtaskState state;
  state.operator_state = {listState("a", {1, 2}, "x"), listState("b", {}, "y")};
  state.operator_state[1].stream = relativeStream("wiesel-y", 1, 0xFEDCBA9876543210);
  state::KeyGroupsHandle heap = heapState(0, 3, "z");
  heap.stream = relativeStream("wiesel-z", 20481, 5);
  state::IncrementalHandle incremental;
  incremental.key_groups = {4, 5};
  incremental.metadata = relativeStream("wiesel-m", 9, 6);
  incremental.shared_files = {{"1.sst", relativeStream("wiesel-s", 9, 7)}};
  incremental.private_files = {{"CURRENT", relativeStream("wiesel-c", 9, 8)}};
  state.keyed_state = {heap, incremental};
  return state;
}

TEST(HandleCodecTest, CarriesHandlesWithTheirChecksums) {
  ASSERT_OK_AND_ASSIGN(const auto read, decodeSubtaskState(encodeSubtaskState(richState())));
  EXPECT_EQ(read, richState());
}

TEST(HandleCodecTest, CarriesNothing) {
  ASSERT_OK_AND_ASSIGN(const auto read, decodeSubtaskState(encodeSubtaskState({})));
  EXPECT_TRUE(read.isEmpty());
}

TEST(HandleCodecTest, RefusesACutAtEveryOffset) {
  const std::string bytes = encodeSubtaskState(richState());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(decodeSubtaskState(std::string_view(bytes).substr(0, size)),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << size;
  }
  EXPECT_FALSE(decodeSubtaskState(bytes + "x").ok());
}

}  // namespace
}  // namespace wiesel::checkpoint
