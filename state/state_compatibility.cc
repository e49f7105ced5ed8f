#include "state/state_compatibility.h"

#include <string>

#include "state/state_error.h"

namespace wiesel::state {
namespace {

std::string kindAndType(const StateInfo& info) {
  return std::string(stateTypeName(info.kind)) + " of " + info.value_serializer.typeName();
}

bool sameNamespaces(const StateInfo& left, const StateInfo& right) {
  return left.kind == StateKind::kTimers || left.namespace_serializer == right.namespace_serializer;
}

}  // namespace

void checkKeyType(const SerializerSnapshot& stored, const SerializerSnapshot& declared) {
  if (stored == declared) return;
  throw StateError("the restored state has keys of type " + stored.typeName() +
                   ", the program's keys are of type " + declared.typeName());
}

void checkStateType(const StateInfo& stored, const StateInfo& declared) {
  if (stored.kind != declared.kind || !(stored.value_serializer == declared.value_serializer)) {
    throw StateError("state '" + declared.name + "' was stored as " + kindAndType(stored) +
                     ", the program declares " + kindAndType(declared));
  }
  if (sameNamespaces(stored, declared)) return;
  throw StateError("state '" + declared.name + "' was stored with namespaces of type " +
                   stored.namespace_serializer.typeName() + ", the program declares " +
                   declared.namespace_serializer.typeName());
}

void checkDeclaredAgain(const StateInfo& known, const StateInfo& again) {
  if (known.kind == again.kind && known.value_serializer == again.value_serializer &&
      sameNamespaces(known, again)) {
    return;
  }
  throw StateError("state '" + known.name + "' is declared twice with different types, as " +
                   kindAndType(known) + " and as " + kindAndType(again));
}

}  // namespace wiesel::state
