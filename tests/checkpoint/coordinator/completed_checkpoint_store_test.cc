#include "checkpoint/coordinator/completed_checkpoint_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wiesel::checkpoint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

StoredCheckpoint checkpoint(int64_t id) {
  StoredCheckpoint stored;
  stored.metadata.checkpoint_id = id;
  return stored;
}

int64_t idOfLatest(const CompletedCheckpointStore& store) {
  return store.latest() == nullptr ? 0 : store.latest()->metadata.checkpoint_id;
}

TEST(CompletedCheckpointStoreTest, KeepsAsManyAsConfigured) {
  CompletedCheckpointStore store(2);
  EXPECT_EQ(idOfLatest(store), 0);
  EXPECT_THAT(store.add(checkpoint(1)), IsEmpty());
  EXPECT_THAT(store.add(checkpoint(2)), IsEmpty());
  EXPECT_THAT(store.add(checkpoint(5)), ElementsAre(1));
  EXPECT_THAT(store.add(checkpoint(6)), ElementsAre(2));
  EXPECT_EQ(idOfLatest(store), 6);
}

TEST(CompletedCheckpointStoreTest, NeverDeletesTheOneThatTheJobStartedFrom) {
  CompletedCheckpointStore store(1);
  store.addRestored(checkpoint(7));
  EXPECT_EQ(idOfLatest(store), 7);
  EXPECT_EQ(store.latestOwn(), nullptr);
  EXPECT_THAT(store.add(checkpoint(8)), IsEmpty());
  EXPECT_EQ(idOfLatest(store), 8);
  EXPECT_EQ(store.latestOwn()->metadata.checkpoint_id, 8);
  EXPECT_THAT(store.add(checkpoint(9)), ElementsAre(8));
}

TEST(CompletedCheckpointStoreTest, ShutsDownWithoutDeletingTheRestoredOne) {
  CompletedCheckpointStore store(3);
  store.addRestored(checkpoint(7));
  store.add(checkpoint(8));
  store.add(checkpoint(9));
  EXPECT_THAT(store.shutDown(Retention::kRetainOnCancellation, JobEnd::kFinished),
              ElementsAre(8, 9));
  EXPECT_EQ(store.latest(), nullptr);
}

TEST(CompletedCheckpointStoreTest, KeepsWhatTheRetentionKeeps) {
  CompletedCheckpointStore store(3);
  store.add(checkpoint(8));
  EXPECT_THAT(store.shutDown(Retention::kRetainOnCancellation, JobEnd::kCanceled), IsEmpty());
}

}  // namespace
}  // namespace wiesel::checkpoint
