#include "checkpoint/restore/operator_state_repartitioner.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "common/check.h"

namespace wiesel::checkpoint {
namespace {

using state::DistributionMode;
using state::OperatorStateHandle;
using Handles = std::vector<std::vector<OperatorStateHandle>>;

/// One named state of one old handle.
struct Source {
  const OperatorStateHandle* handle = nullptr;
  const OperatorStateHandle::State* state = nullptr;
};

using SourcesByName = std::map<std::string, std::vector<Source>>;

SourcesByName sourcesOf(const Handles& old_subtasks, DistributionMode mode) {
  SourcesByName sources;
  for (const auto& handles : old_subtasks) {
    for (const OperatorStateHandle& handle : handles) {
      for (const OperatorStateHandle::State& state : handle.states) {
        if (state.mode == mode) sources[state.name].push_back({&handle, &state});
      }
    }
  }
  return sources;
}

/// Gathers what each new subtask gets, with one handle per old stream.
class Assignment {
 public:
  explicit Assignment(int parallelism) : subtasks_(parallelism) {}

  int parallelism() const { return static_cast<int>(subtasks_.size()); }

  void add(int subtask, const Source& source, std::vector<int64_t> offsets) {
    OperatorStateHandle::State state{source.state->name, source.state->mode, std::move(offsets)};
    auto& taken = subtasks_[subtask];
    const auto same_stream = std::find_if(taken.begin(), taken.end(), [&](const auto& entry) {
      return entry.first == source.handle;
    });
    if (same_stream != taken.end()) {
      same_stream->second.push_back(std::move(state));
      return;
    }
    taken.emplace_back(source.handle, std::vector<OperatorStateHandle::State>{std::move(state)});
  }

  Handles build() const {
    Handles result(subtasks_.size());
    for (size_t i = 0; i < subtasks_.size(); ++i) {
      for (const auto& [handle, states] : subtasks_[i]) {
        result[i].push_back({states, handle->stream});
      }
    }
    return result;
  }

 private:
  using Taken =
      std::vector<std::pair<const OperatorStateHandle*, std::vector<OperatorStateHandle::State>>>;
  std::vector<Taken> subtasks_;
};

/// Reads the elements of one named state one after the other, over all old subtasks.
class ElementCursor {
 public:
  explicit ElementCursor(const std::vector<Source>& sources) : sources_(sources) {}

  /// Gives the next `count` elements to `subtask`.
  void deal(size_t count, int subtask, Assignment& assignment) {
    while (count > 0) {
      const Source& source = sources_[source_];
      const std::vector<int64_t>& offsets = source.state->offsets;
      const size_t taken = std::min(count, offsets.size() - element_);
      if (taken > 0) {
        const auto first = offsets.begin() + static_cast<std::ptrdiff_t>(element_);
        assignment.add(subtask, source, {first, first + static_cast<std::ptrdiff_t>(taken)});
      }
      count -= taken;
      element_ += taken;
      if (element_ < offsets.size()) continue;
      element_ = 0;
      ++source_;
    }
  }

 private:
  const std::vector<Source>& sources_;
  size_t source_ = 0;
  size_t element_ = 0;
};

void dealOutSplitState(const Handles& old_subtasks, Assignment& assignment) {
  const int parallelism = assignment.parallelism();
  int first = 0;  // The next state goes on where this one's odd elements ended, to balance them.
  for (const auto& [name, sources] : sourcesOf(old_subtasks, DistributionMode::kSplit)) {
    size_t total = 0;
    for (const Source& source : sources) total += source.state->offsets.size();
    const size_t each = total / parallelism;
    const int odd = static_cast<int>(total % parallelism);
    ElementCursor cursor(sources);
    for (int i = 0; i < parallelism; ++i) {
      cursor.deal(each + (i < odd ? 1 : 0), (first + i) % parallelism, assignment);
    }
    first = (first + odd) % parallelism;
  }
}

void giveUnionStateToAll(const Handles& old_subtasks, Assignment& assignment) {
  for (const auto& [name, sources] : sourcesOf(old_subtasks, DistributionMode::kUnion)) {
    for (int subtask = 0; subtask < assignment.parallelism(); ++subtask) {
      for (const Source& source : sources) {
        assignment.add(subtask, source, source.state->offsets);
      }
    }
  }
}

void giveOneBroadcastCopyToEach(const Handles& old_subtasks, Assignment& assignment) {
  for (const auto& [name, sources] : sourcesOf(old_subtasks, DistributionMode::kBroadcast)) {
    for (int subtask = 0; subtask < assignment.parallelism(); ++subtask) {
      const Source& source = sources[subtask % sources.size()];
      assignment.add(subtask, source, source.state->offsets);
    }
  }
}

void keepAllButUnionState(const Handles& old_subtasks, Assignment& assignment) {
  for (size_t subtask = 0; subtask < old_subtasks.size(); ++subtask) {
    for (const OperatorStateHandle& handle : old_subtasks[subtask]) {
      for (const OperatorStateHandle::State& state : handle.states) {
        if (state.mode == DistributionMode::kUnion) continue;
        assignment.add(static_cast<int>(subtask), {&handle, &state}, state.offsets);
      }
    }
  }
}

}  // namespace

Handles repartitionOperatorState(const Handles& old_subtasks, int new_parallelism) {
  WIESEL_CHECK(new_parallelism >= 1) << new_parallelism;
  Assignment assignment(new_parallelism);
  if (static_cast<int>(old_subtasks.size()) == new_parallelism) {
    keepAllButUnionState(old_subtasks, assignment);
  } else {
    dealOutSplitState(old_subtasks, assignment);
    giveOneBroadcastCopyToEach(old_subtasks, assignment);
  }
  giveUnionStateToAll(old_subtasks, assignment);
  return assignment.build();
}

}  // namespace wiesel::checkpoint
