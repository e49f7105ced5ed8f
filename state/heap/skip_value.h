#pragma once

#include "common/serialization/data_input.h"
#include "common/serialization/serializer_snapshot.h"

namespace wiesel::state {

/// Passes over one value of the type that `type` describes, so that a stream can be cut into its
/// parts before the program has declared what they are. Marks `input` as failed for damaged bytes.
void skipValue(const SerializerSnapshot& type, DataInput& input);

}  // namespace wiesel::state
