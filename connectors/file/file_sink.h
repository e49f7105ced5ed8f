#pragma once

#include <memory>
#include <string>

#include "runtime/connector_api/sink.h"

namespace wiesel {

/// Lines of text in files of a directory, each line exactly once. What a subtask writes between two
/// barriers is one file: `part-...inprogress` while it is written, `part-...pending` from the
/// barrier on, and without an ending when the checkpoint is complete. Readers take the files of the
/// last kind. A subtask that has nothing to write makes no file.
///
/// Names are `part-<job><sink>-<subtask>of<parallelism>-<attempt>-<number>`, with the first eight
/// digits of the job's id and four of the operator's. Several jobs, also one that goes on from
/// another's checkpoint, and several sinks of a job can share a directory; after a failure each
/// removes what itself has left unfinished.
///
/// Errors: std::runtime_error with path and cause, which fails the task. A directory that cannot be
///         made or written to is found before the first record, and in the job's first attempt ends
///         the job (SuppressRestartsException) unless it may pass by itself. It is not looked for
///         when the job is submitted: the TaskManagers may be on other machines.
/// Flink:  FileSink.forRowFormat with OnCheckpointRollingPolicy (1.20); the names differ, and so
///         does that leftovers are removed.
class TextFileSink final : public Sink<std::string> {
 public:
  /// `directory` may be a file: URI; it is made when missing.
  explicit TextFileSink(std::string directory);

  std::unique_ptr<SinkWriter<std::string>> createWriter(const SinkContext& context) const override;
  std::unique_ptr<Committer> createCommitter(const SinkContext& context) const override;

 private:
  std::string directory_;  // A plain path.
};

}  // namespace wiesel
