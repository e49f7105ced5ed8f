#include "connectors/file/file_sink.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/filesystem/in_memory_file_system.h"
#include "runtime/functions/suppress_restarts_exception.h"

namespace wiesel {
namespace {

using Names = std::vector<std::string>;
constexpr char kDirectory[] = "/out";

class FileSinkTest : public ::testing::Test {
 protected:
  /// One subtask's part of the sink in one attempt, as its operator makes it.
  struct Subtask {
    std::unique_ptr<Committer> committer;
    std::unique_ptr<SinkWriter<std::string>> writer;

    std::vector<std::string> transaction(const std::vector<std::string>& lines) {
      for (const std::string& line : lines) writer->write(line, std::nullopt);
      return writer->prepareCommit();
    }
  };

  struct Place {
    int subtask = 0;
    int parallelism = 1;
    int attempt = 0;
    char job = 'a';
    char sink = '1';
  };

  Subtask start(Place place, const std::vector<std::string>& restored = {}) {
    SinkContext context{place.subtask,
                        place.parallelism,
                        place.attempt,
                        std::string(32, place.job),
                        !restored.empty(),
                        &files_,
                        std::string(32, place.sink)};
    Subtask subtask;
    subtask.committer = sink_.createCommitter(context);
    for (const std::string& committable : restored) subtask.committer->commit(committable);
    subtask.writer = sink_.createWriter(context);
    return subtask;
  }

  Names names() { return *files_.list(kDirectory); }

  std::string textOf(const std::string& name) {
    return *files_.readAll(std::string(kDirectory) + "/" + name);
  }

  InMemoryFileSystem files_;
  TextFileSink sink_{std::string("file://") + kDirectory};
};

TEST_F(FileSinkTest, ShowsATransactionOnlyWhenItIsCommitted) {
  Subtask subtask = start({});
  const auto committables = subtask.transaction({"a", "b"});
  ASSERT_EQ(committables.size(), 1u);
  EXPECT_EQ(names(), Names{"part-aaaaaaaa1111-0of1-0-0.pending"});
  subtask.committer->commit(committables[0]);
  EXPECT_EQ(names(), Names{"part-aaaaaaaa1111-0of1-0-0"});
  EXPECT_EQ(textOf("part-aaaaaaaa1111-0of1-0-0"), "a\nb\n");
}

TEST_F(FileSinkTest, WritesOneFileATransaction) {
  Subtask subtask = start({});
  for (const char* line : {"a", "b"}) {
    for (const std::string& committable : subtask.transaction({line})) {
      subtask.committer->commit(committable);
    }
  }
  EXPECT_EQ(names(), (Names{"part-aaaaaaaa1111-0of1-0-0", "part-aaaaaaaa1111-0of1-0-1"}));
  EXPECT_EQ(textOf("part-aaaaaaaa1111-0of1-0-1"), "b\n");
}

TEST_F(FileSinkTest, MakesNoFileOfAnEmptyTransaction) {
  Subtask subtask = start({});
  EXPECT_EQ(subtask.transaction({}), std::vector<std::string>());
  EXPECT_EQ(names(), Names());
}

TEST_F(FileSinkTest, PreparesWhatAProcessStartedElsewhereCanCommit) {
  const TextFileSink relative("out");
  const SinkContext context{0, 1, 0, std::string(32, 'a'), false, &files_, ""};
  const auto writer = relative.createWriter(context);
  writer->write("a", std::nullopt);
  EXPECT_TRUE(writer->prepareCommit().at(0).starts_with("/"));
}

TEST_F(FileSinkTest, KeepsTheOrderOfManyLines) {
  Subtask subtask = start({});
  std::vector<std::string> lines;
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    lines.push_back(std::to_string(i));
    text += lines.back() + "\n";
  }
  subtask.committer->commit(subtask.transaction(lines).at(0));
  EXPECT_EQ(textOf(names().at(0)), text);
}

TEST_F(FileSinkTest, HidesTheFileThatIsBeingWritten) {
  Subtask subtask = start({});
  subtask.writer->write(std::string(100'000, 'x'), std::nullopt);
  EXPECT_EQ(names(), Names{"part-aaaaaaaa1111-0of1-0-0.inprogress"});
}

TEST_F(FileSinkTest, RemovesTheFileAtHandWhenItIsClosed) {
  Subtask subtask = start({});
  subtask.writer->write(std::string(100'000, 'x'), std::nullopt);
  subtask.writer->close();
  EXPECT_EQ(names(), Names());
}

TEST_F(FileSinkTest, CommitsTwiceWithoutHarm) {
  Subtask subtask = start({});
  const std::string committable = subtask.transaction({"a"}).at(0);
  subtask.committer->commit(committable);
  subtask.committer->commit(committable);
  EXPECT_EQ(textOf("part-aaaaaaaa1111-0of1-0-0"), "a\n");
}

TEST_F(FileSinkTest, NamesTheFileThatIsGone) {
  Subtask subtask = start({});
  const std::string committable = subtask.transaction({"a"}).at(0);
  ASSERT_TRUE(files_.removeFile(committable + ".pending").ok());
  try {
    subtask.committer->commit(committable);
    FAIL() << "committed a file that does not exist";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("/out/part-aaaaaaaa1111-0of1-0-0"), std::string::npos)
        << error.what();
  }
}

TEST_F(FileSinkTest, FailsWithPathAndCause) {
  Subtask subtask = start({});
  subtask.writer->write(std::string(100'000, 'x'), std::nullopt);
  ASSERT_TRUE(files_.removeAll(kDirectory).ok());
  try {
    subtask.transaction({"a"});
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("/out/part-aaaaaaaa1111-0of1-0-0.inprogress"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(FileSinkTest, NextAttemptCommitsWhatItsCheckpointHoldsAndRemovesTheRest) {
  const std::string held = [&] {
    Subtask killed = start({});
    const std::string in_checkpoint = killed.transaction({"held"}).at(0);
    killed.transaction({"not held"});
    killed.writer->write(std::string(100'000, 'x'), std::nullopt);
    return in_checkpoint;
  }();
  ASSERT_EQ(names().size(), 3u);
  Subtask next = start({.attempt = 1}, {held});
  EXPECT_EQ(names(), Names{"part-aaaaaaaa1111-0of1-0-0"});
  next.committer->commit(next.transaction({"not held"}).at(0));
  EXPECT_EQ(names(), (Names{"part-aaaaaaaa1111-0of1-0-0", "part-aaaaaaaa1111-0of1-1-0"}));
}

TEST_F(FileSinkTest, LeavesTheFilesOfOtherSubtasksAndJobsAlone) {
  Subtask other_subtask = start({.subtask = 1, .parallelism = 2});
  other_subtask.transaction({"a"});
  Subtask other_job = start({.parallelism = 2, .job = 'b'});
  other_job.transaction({"b"});
  start({.parallelism = 2, .attempt = 1});
  EXPECT_EQ(names(),
            (Names{"part-aaaaaaaa1111-1of2-0-0.pending", "part-bbbbbbbb1111-0of2-0-0.pending"}));
}

TEST_F(FileSinkTest, LeavesTheFilesOfAnotherSinkOfItsJobAlone) {
  Subtask one = start({.sink = '1'});
  one.transaction({"a"});
  start({.attempt = 1, .sink = '2'});
  EXPECT_EQ(names(), Names{"part-aaaaaaaa1111-0of1-0-0.pending"});
}

TEST_F(FileSinkTest, NeverWritesACommittedFileAgain) {
  Subtask first = start({});
  first.committer->commit(first.transaction({"a"}).at(0));
  // An attempt's number can come again when the JobManager has forgotten it.
  Subtask again = start({});
  again.committer->commit(again.transaction({"b"}).at(0));
  EXPECT_EQ(textOf("part-aaaaaaaa1111-0of1-0-0"), "a\n");
  EXPECT_EQ(textOf("part-aaaaaaaa1111-0of1-0-1"), "b\n");
}

/// A directory that is not to be had, since a file is in its way.
class BlockedFileSinkTest : public FileSinkTest {
 protected:
  BlockedFileSinkTest() {
    EXPECT_TRUE(files_.createDirectories("/").ok());
    EXPECT_TRUE(files_.writeAtomically("/plain", "").ok());
    context_.job_id = std::string(32, 'a');
    context_.files = &files_;
  }

  const TextFileSink below_a_file_{"/plain/out"};
  SinkContext context_;
};

TEST_F(BlockedFileSinkTest, EndsTheJobInItsFirstAttemptAndSaysWhatToDo) {
  try {
    below_a_file_.createWriter(context_);
    FAIL() << "nothing was thrown";
  } catch (const SuppressRestartsException& error) {
    EXPECT_STREQ(
        error.what(),
        "cannot write to the directory '/plain/out' of a TextFileSink: give one that every "
        "TaskManager can write to: cannot create the directory '/plain': Not a directory");
  }
}

TEST_F(BlockedFileSinkTest, LetsAJobThatHasRunBeforeTryAgain) {
  context_.attempt = 1;
  try {
    below_a_file_.createWriter(context_);
    FAIL() << "nothing was thrown";
  } catch (const SuppressRestartsException&) {
    FAIL() << "the job must not end";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("'/plain/out'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace wiesel
