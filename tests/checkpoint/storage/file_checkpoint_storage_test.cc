#include "checkpoint/storage/file_checkpoint_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "checkpoint/storage/checkpoint_loader.h"
#include "checkpoint/storage/file_snapshot_store.h"
#include "checkpoint/storage/memory_checkpoint_storage.h"
#include "common/filesystem/in_memory_file_system.h"
#include "common/filesystem/local_file_system.h"
#include "common/random.h"
#include "tests/checkpoint/sample_job.h"
#include "tests/checkpoint/storage/failing_file_system.h"
#include "tests/conformance/data_directory.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StatusIs;

const std::string kJob = "/ck/" + idOf(9).toHex();

class FileCheckpointStorageTest : public ::testing::Test {
 protected:
  FileCheckpointStorageTest() { EXPECT_OK(storage_.initialize()); }

  /// Has the tasks write state, inline and in two files, and returns what they would hand in.
  CheckpointMetadata writeState(int64_t id) {
    FileSnapshotStore store(memory_, random_, checkpointDirectory(kJob, id), 10);
    CheckpointMetadata metadata;
    metadata.checkpoint_id = id;
    OperatorSnapshot window;
    window.id = idOf(2);
    window.parallelism = 2;
    for (int subtask = 0; subtask < 2; ++subtask) {
      state::KeyGroupsHandle keyed = heapState(subtask * 64, subtask * 64 + 63, "h");
      keyed.stream = store.writeStream("keyed state " + std::to_string(subtask)).value();
      window.subtasks[subtask].keyed_state = keyed;
    }
    window.subtasks[0].operator_state = listState("list", {0}, "x");
    window.subtasks[0].operator_state->stream = store.writeStream("inline").value();
    metadata.operators = {window};
    return metadata;
  }

  absl::StatusOr<StoredCheckpoint> take(int64_t id) {
    if (absl::Status status = storage_.begin(id); !status.ok()) return status;
    return storage_.complete(writeState(id), {{idOf(2), {"uid-window", "window"}}});
  }

  std::vector<std::string> list(const std::string& directory) {
    return memory_.list(directory).value();
  }

  /// The only two state files of a checkpoint, by name.
  std::vector<std::string> stateFiles(int64_t id) {
    std::vector<std::string> names;
    for (const std::string& name : list(checkpointDirectory(kJob, id))) {
      if (name.rfind("wiesel-", 0) == 0) names.push_back(name);
    }
    return names;
  }

  InMemoryFileSystem memory_;
  FailingFileSystem files_{memory_};
  SeededRandom random_{1};
  FileCheckpointStorage storage_{files_, "file:///ck", idOf(9)};
};

TEST_F(FileCheckpointStorageTest, HasFlinksLayout) {
  EXPECT_EQ(storage_.jobDirectory(), kJob);
  EXPECT_THAT(list(kJob), ElementsAre("shared", "taskowned"));
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint stored, take(3));
  EXPECT_EQ(stored.path, "file:" + kJob + "/chk-3");
  EXPECT_EQ(stored.directory, kJob + "/chk-3");
  EXPECT_THAT(list(kJob), ElementsAre("chk-3", "shared", "taskowned"));
  EXPECT_THAT(list(kJob + "/chk-3"),
              ElementsAre("_metadata", "_wiesel.json", stateFiles(3)[0], stateFiles(3)[1]));
}

TEST_F(FileCheckpointStorageTest, LoadsWhatItCompleted) {
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint stored, take(3));
  for (const std::string& path :
       {stored.path, kJob + "/chk-3", kJob + "/chk-3/", kJob + "/chk-3/_metadata"}) {
    ASSERT_OK_AND_ASSIGN(const StoredCheckpoint loaded, storage_.load(path));
    EXPECT_EQ(loaded.metadata, stored.metadata) << path;  // Checksums of the files included.
    EXPECT_EQ(loaded.names, stored.names);
    EXPECT_EQ(loaded.directory, stored.directory);
    EXPECT_EQ(loaded.size_bytes, stored.size_bytes);
  }
}

TEST_F(FileCheckpointStorageTest, LoadsACopyThatWasMoved) {
  ASSERT_OK(take(3));
  EXPECT_OK(memory_.createDirectories("/moved"));
  EXPECT_OK(memory_.rename(kJob + "/chk-3", "/moved/here"));
  EXPECT_OK(storage_.load("/moved/here"));
}

TEST_F(FileCheckpointStorageTest, DiscardsCompletedAndUnfinishedOnes) {
  ASSERT_OK(take(3));
  ASSERT_OK(storage_.begin(4));
  writeState(4);
  EXPECT_OK(storage_.discard(3));
  EXPECT_OK(storage_.discard(4));
  EXPECT_OK(storage_.discard(5));
  EXPECT_THAT(list(kJob), ElementsAre("shared", "taskowned"));
}

TEST_F(FileCheckpointStorageTest, NeverLooksCompleteBeforeItIs) {
  bool completed = false;
  for (int changes = 0; !completed; ++changes) {
    ASSERT_LT(changes, 10);
    ASSERT_OK(storage_.begin(3));
    const CheckpointMetadata metadata = writeState(3);
    files_.failAfter(changes);
    completed = storage_.complete(metadata, {}).ok();
    files_.repair();
    EXPECT_EQ(storage_.load(kJob + "/chk-3").ok(), completed) << changes;
    EXPECT_OK(storage_.discard(3));
  }
}

TEST_F(FileCheckpointStorageTest, NeverLooksCompleteWhenHalfDeleted) {
  for (int changes = 1;; ++changes) {
    ASSERT_LT(changes, 10);
    ASSERT_OK(take(3));
    files_.failAfter(changes);
    const bool deleted = storage_.discard(3).ok();
    files_.repair();
    EXPECT_FALSE(storage_.load(kJob + "/chk-3").ok()) << changes;
    if (deleted) break;
    EXPECT_OK(storage_.discard(3));
  }
}

TEST_F(FileCheckpointStorageTest, RefusesToCompleteWithAStateFileThatIsNotWhole) {
  ASSERT_OK(storage_.begin(3));
  const CheckpointMetadata metadata = writeState(3);
  EXPECT_OK(memory_.truncate(kJob + "/chk-3/" + stateFiles(3)[0], 3));
  EXPECT_THAT(storage_.complete(metadata, {}),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(stateFiles(3)[0])));
  EXPECT_FALSE(memory_.exists(kJob + "/chk-3/_metadata"));
}

TEST_F(FileCheckpointStorageTest, DetectsEveryFlippedBitOfEveryFile) {
  ASSERT_OK(take(3));
  const std::string directory = kJob + "/chk-3";
  for (const std::string& name : list(directory)) {
    const std::string path = directory + "/" + name;
    std::string bytes = memory_.readAll(path).value();
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
      ASSERT_OK(memory_.writeAtomically(path, bytes));
      EXPECT_THAT(storage_.load(directory),
                  StatusIs(absl::StatusCode::kDataLoss, AllOf(HasSubstr("'" + path + "'"))))
          << "bit " << bit;
      bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    }
    ASSERT_OK(memory_.writeAtomically(path, bytes));
  }
  EXPECT_OK(storage_.load(directory));
}

TEST_F(FileCheckpointStorageTest, DetectsEveryCutOfEveryFile) {
  ASSERT_OK(take(3));
  const std::string directory = kJob + "/chk-3";
  for (const std::string& name : list(directory)) {
    const std::string path = directory + "/" + name;
    const std::string bytes = memory_.readAll(path).value();
    for (size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_OK(memory_.writeAtomically(path, bytes.substr(0, size)));
      EXPECT_THAT(storage_.load(directory),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr("'" + path + "'")))
          << "cut to " << size;
    }
    ASSERT_OK(memory_.writeAtomically(path, bytes));
  }
}

TEST_F(FileCheckpointStorageTest, DetectsEveryMissingFile) {
  ASSERT_OK(take(3));
  const std::string directory = kJob + "/chk-3";
  for (const std::string& name : list(directory)) {
    const std::string path = directory + "/" + name;
    const std::string bytes = memory_.readAll(path).value();
    ASSERT_OK(memory_.removeFile(path));
    EXPECT_THAT(storage_.load(directory),
                AnyOf(StatusIs(absl::StatusCode::kDataLoss, HasSubstr("'" + path + "' is missing")),
                      StatusIs(absl::StatusCode::kNotFound, HasSubstr("no _metadata file"))));
    ASSERT_OK(memory_.writeAtomically(path, bytes));
  }
}

TEST_F(FileCheckpointStorageTest, NamesExpectedAndActualChecksum) {
  ASSERT_OK(take(3));
  const std::string path = kJob + "/chk-3/" + stateFiles(3)[0];
  ASSERT_OK(memory_.writeAtomically(path, "keyed state X"));
  EXPECT_THAT(storage_.load(kJob + "/chk-3"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("cannot restore from '" + kJob + "/chk-3'"), HasSubstr(path),
                             HasSubstr("expected checksum "), HasSubstr("actual checksum "))));
}

struct WrongPath {
  std::string name;
  std::string path;
  std::string message;
  absl::StatusCode code = absl::StatusCode::kNotFound;
};

class WrongPathTest : public FileCheckpointStorageTest,
                      public ::testing::WithParamInterface<WrongPath> {};

TEST_P(WrongPathTest, IsExplained) {
  ASSERT_OK(take(9));
  ASSERT_OK(take(10));
  ASSERT_OK(storage_.begin(11));
  ASSERT_OK(memory_.writeAtomically("/ck/file", "x"));
  EXPECT_THAT(storage_.load(GetParam().path),
              StatusIs(GetParam().code, AllOf(HasSubstr("'" + GetParam().path + "'"),
                                              HasSubstr(GetParam().message))));
}

INSTANTIATE_TEST_SUITE_P(
    Paths, WrongPathTest,
    ::testing::Values(WrongPath{"Missing", "/nowhere", "no such directory"},
                      WrongPath{"Empty", "", "no such directory"},
                      WrongPath{"Parent", kJob, "such as '" + kJob + "/chk-10'"},
                      WrongPath{"Unfinished", kJob + "/chk-11", "no _metadata file"},
                      WrongPath{"OtherFile", "/ck/file", "a file other than _metadata"},
                      WrongPath{"OtherScheme", "s3://bucket/chk-1", "local files only",
                                absl::StatusCode::kUnimplemented}),
    [](const auto& info) { return info.param.name; });

TEST_F(FileCheckpointStorageTest, RefusesADirectoryBelowAPlainFile) {
  ASSERT_OK(memory_.writeAtomically("/plain", "x"));
  FileCheckpointStorage storage(memory_, "/plain/ck", idOf(9));
  const absl::Status status = storage.initialize();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("execution.checkpointing.dir"), HasSubstr("'/plain/ck'")));
}

TEST_F(FileCheckpointStorageTest, RefusesADirectoryThatCannotBeWritten) {
  FileCheckpointStorage storage(files_, "/other", idOf(9));
  files_.failAfter(2);  // The directories can be made, a file cannot.
  EXPECT_THAT(storage.initialize(), StatusIs(absl::StatusCode::kResourceExhausted,
                                             HasSubstr("execution.checkpointing.dir")));
  FileCheckpointStorage remote(memory_, "s3://bucket/ck", idOf(9));
  EXPECT_THAT(remote.initialize(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(FileCheckpointStorageTest, LoadsAndChecksTheSizesOfFlinksOwn) {
  const LocalFileSystem local;
  const std::string fixture = conformance::dataDirectory("savepoints") +
                              "/keyed-string-canonical-rocksdb-p2-files/savepoint";
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint loaded, loadCheckpoint(local, fixture));
  EXPECT_TRUE(loaded.names.empty());
  EXPECT_EQ(loaded.metadata.checkpoint_id, 1);

  // The same in memory, where it can be damaged.
  ASSERT_OK(memory_.createDirectories("/savepoint"));
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> names, local.list(fixture));
  for (const std::string& name : names) {
    ASSERT_OK(
        memory_.writeAtomically("/savepoint/" + name, local.readAll(fixture + "/" + name).value()));
  }
  ASSERT_OK(loadCheckpoint(memory_, "/savepoint"));
  const std::string state_file = list("/savepoint")[0];
  ASSERT_OK(memory_.truncate("/savepoint/" + state_file, 100));
  EXPECT_THAT(loadCheckpoint(memory_, "/savepoint"),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(state_file)));
  ASSERT_OK(memory_.removeFile("/savepoint/" + state_file));
  EXPECT_THAT(loadCheckpoint(memory_, "/savepoint"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(state_file)));
}

TEST_F(FileCheckpointStorageTest, WritesTheTypesOfTheStatesBesideThem) {
  const LocalFileSystem local;
  for (const std::string fixture : {"keyed-string-canonical-rocksdb-p2-files/savepoint",
                                    "oplist-canonical-p2-files/savepoint"}) {
    const std::string directory = conformance::dataDirectory("savepoints") + "/" + fixture;
    ASSERT_OK_AND_ASSIGN(StoredCheckpoint loaded, loadCheckpoint(local, directory));
    forEachStream(loaded.metadata, [&](state::StreamHandle& handle) {
      handle.bytes = local.readAll(directory + "/" + handle.name).value_or("");
      handle.kind = state::StreamHandle::Kind::kInline;
    });
    ASSERT_OK(storage_.begin(1));
    ASSERT_OK(storage_.complete(loaded.metadata, {{loaded.metadata.operators.at(1).id, {}},
                                                  {loaded.metadata.operators.at(0).id, {}}}));
    ASSERT_OK_AND_ASSIGN(const std::string json, memory_.readAll(kJob + "/chk-1/_wiesel.json"));
    if (fixture.rfind("keyed", 0) == 0) {
      EXPECT_THAT(json, AllOf(HasSubstr("\"keyType\": \"String\""), HasSubstr("Map<String,Long>"),
                              HasSubstr("_timer_state/event_user-timers")));
    } else {
      EXPECT_THAT(json, AllOf(HasSubstr("\"keyType\": \"\""), HasSubstr("\"String\"")));
    }
  }
}

TEST_F(FileCheckpointStorageTest, MemoryStorageTakesNoFiles) {
  MemoryCheckpointStorage storage(memory_);
  ASSERT_OK(storage_.begin(3));
  EXPECT_THAT(storage.complete(writeState(3), {}), StatusIs(absl::StatusCode::kInternal));
  CheckpointMetadata inline_only;
  inline_only.checkpoint_id = 3;
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint stored, storage.complete(inline_only, {}));
  EXPECT_EQ(stored.metadata, inline_only);
  EXPECT_EQ(stored.path, "");
}

}  // namespace
}  // namespace wiesel::checkpoint
