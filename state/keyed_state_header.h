#pragma once

#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer_snapshot.h"
#include "state/state_info.h"

namespace wiesel::state {

/// The beginning of every stream of keyed state: the key's type and the states in it. A state's
/// place in the list is its number in the stream. Flink: KeyedBackendSerializationProxy version 6
/// (1.20).
struct KeyedStateHeader {
  SerializerSnapshot key_serializer;
  std::vector<StateInfo> states;

  void write(DataOutput& output) const;

  /// Marks `input` as failed when the bytes are of another version, compressed or damaged.
  static KeyedStateHeader read(DataInput& input);
};

}  // namespace wiesel::state
