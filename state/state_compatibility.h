#pragma once

#include "common/serialization/serializer_snapshot.h"
#include "state/state_info.h"

namespace wiesel::state {

/// Throws StateError unless keyed state whose keys are of type `stored` may be used by a program
/// with keys of type `declared`. Types must be the same: there is no migration yet.
/// Flink: StateSerializerProvider, StateMigrationException (1.20).
void checkKeyType(const SerializerSnapshot& stored, const SerializerSnapshot& declared);

/// The same for one state: its kind and types.
void checkStateType(const StateInfo& stored, const StateInfo& declared);

/// Throws StateError unless two declarations under one name mean the same state.
void checkDeclaredAgain(const StateInfo& known, const StateInfo& again);

}  // namespace wiesel::state
