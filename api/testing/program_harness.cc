#include "api/testing/program_harness.h"

#include "api/testing/harness_state.h"
#include "api/testing/program_subtask.h"

namespace wiesel::testing {

struct ProgramHarness::Subtask {
  std::vector<std::unique_ptr<runtime::OutputBase>> entries;  // By input.
  std::vector<std::unique_ptr<runtime::OperatorInput>> ears;
  std::unique_ptr<ProgramSubtask> program;  // Gone before what it writes to.
};

ProgramHarness::ProgramHarness(HarnessSettings settings)
    : settings_(settings),
      program_(std::make_shared<internal::Program>()),
      scratch_(std::make_unique<ScratchDirectory>()) {}

ProgramHarness::~ProgramHarness() = default;

int ProgramHarness::parallelism() const { return static_cast<int>(subtasks_.size()); }

void ProgramHarness::open(int parallelism, const HarnessSnapshot* restored) {
  subtasks_.clear();
  for (int subtask = 0; subtask < parallelism; ++subtask) {
    subtasks_.push_back(makeSubtask(subtask, parallelism, restored));
  }
  for (const auto& subtask : subtasks_) {
    subtask->program->open();
    subtask->program->drain();
  }
}

void ProgramHarness::restore(const HarnessSnapshot& snapshot, int parallelism) {
  open(parallelism, &snapshot);
}

std::unique_ptr<ProgramHarness::Subtask> ProgramHarness::makeSubtask(
    int subtask, int parallelism, const HarnessSnapshot* restored) {
  const size_t nodes = program_->graph().nodes.size();
  auto made = std::make_unique<Subtask>();
  std::vector<runtime::OutputBase*> entries(nodes);
  for (const Input& input : inputs_) {
    entries[input.node] = made->entries.emplace_back(input.make_entry()).get();
  }

  SubtaskSetup setup;
  setup.subtask = subtask;
  setup.parallelism = parallelism;
  setup.max_parallelism = settings_.max_parallelism;
  setup.now_ms = settings_.now_ms;
  setup.auto_watermark_interval_ms = settings_.auto_watermark_interval_ms;
  if (settings_.backend == HarnessBackend::kRocksdb) {
    setup.open_byte_store = [this](state::ByteStoreRequest request) {
      return openScratchStore(std::move(request), *scratch_);
    };
  }
  if (restored != nullptr) {
    restoreFrom(restored->checkpoint_id, *restored->subtasks, setup, *scratch_);
  }
  made->program = std::make_unique<ProgramSubtask>(program_->graph(), entries, std::move(setup));
  for (size_t i = 0; i < listeners_.size(); ++i) {
    made->ears.push_back(listeners_[i](made->program->output(listened_nodes_[i]), subtask));
  }
  return made;
}

runtime::OutputBase& ProgramHarness::entry(int subtask, int input) {
  return *subtasks_.at(subtask)->entries.at(input);
}

void ProgramHarness::drain(int subtask) { subtasks_.at(subtask)->program->drain(); }

void ProgramHarness::drain() {
  for (int subtask = 0; subtask < parallelism(); ++subtask) drain(subtask);
}

void ProgramHarness::watermark(int input, int64_t watermark_ms) {
  for (int subtask = 0; subtask < parallelism(); ++subtask) {
    entry(subtask, input).emitWatermark(watermark_ms);
    drain(subtask);
  }
}

void ProgramHarness::status(int input, bool idle) {
  for (int subtask = 0; subtask < parallelism(); ++subtask) {
    entry(subtask, input).emitWatermarkStatus(idle);
    drain(subtask);
  }
}

void ProgramHarness::setProcessingTime(int64_t now_ms) {
  settings_.now_ms = now_ms;
  for (const auto& subtask : subtasks_) {
    subtask->program->clock().advanceTo(now_ms);
    subtask->program->drain();
  }
}

HarnessSnapshot ProgramHarness::snapshot(int64_t checkpoint_id) {
  WIESEL_CHECK(checkpoint_id > last_checkpoint_) << "checkpoints are numbered upwards";
  last_checkpoint_ = checkpoint_id;
  HarnessSnapshot snapshot{checkpoint_id, nullptr};
  auto states = std::make_shared<std::vector<std::vector<OperatorState>>>();
  for (const auto& subtask : subtasks_) {
    states->push_back(subtask->program->snapshot(snapshot.checkpoint_id));
  }
  snapshot.subtasks = std::move(states);
  return snapshot;
}

void ProgramHarness::notifyCheckpointComplete(int64_t checkpoint_id) {
  for (const auto& subtask : subtasks_) subtask->program->notifyCheckpointComplete(checkpoint_id);
}

void ProgramHarness::notifyCheckpointAborted(int64_t checkpoint_id) {
  for (const auto& subtask : subtasks_) subtask->program->notifyCheckpointAborted(checkpoint_id);
}

void ProgramHarness::finish() {
  for (const auto& subtask : subtasks_) {
    subtask->program->finish();
    subtask->program->drain();
  }
}

void ProgramHarness::close() {
  for (const auto& subtask : subtasks_) subtask->program->close();
}

void ProgramHarness::crash() {
  for (const auto& subtask : subtasks_) subtask->program->crash();
  subtasks_.clear();
}

}  // namespace wiesel::testing
