#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpoint/metadata/state_types.h"
#include "common/ids.h"

namespace wiesel::checkpoint {

/// How people call an operator of a checkpoint.
struct OperatorName {
  std::string uid;
  std::string name;

  bool operator==(const OperatorName&) const = default;
};

/// One file of a checkpoint, as it was when the checkpoint was completed.
struct CheckedFile {
  std::string name;  // Relative to the checkpoint's directory, or a path or URI.
  int64_t size = 0;
  uint64_t checksum = 0;  // checksum64 of its bytes.

  bool operator==(const CheckedFile&) const = default;
};

/// The content of _wiesel.json: what Flink's _metadata has no place for. Ours;
/// docs/formats/checkpoint_sidecar.md is its grammar.
struct Sidecar {
  int64_t checkpoint_id = 0;
  JobId job;
  std::string version;             // Of the Wiesel that wrote it.
  std::vector<CheckedFile> files;  // _metadata first.
  std::map<OperatorId, OperatorName> operators;
  std::map<OperatorId, StateTypes> types;

  bool operator==(const Sidecar&) const = default;
};

/// JSON, one object a line, with a checksum over itself.
std::string encodeSidecar(const Sidecar& sidecar);

/// DataLoss when one bit differs from what encodeSidecar() gave, or a byte is missing or too many.
absl::StatusOr<Sidecar> decodeSidecar(std::string_view bytes);

}  // namespace wiesel::checkpoint
