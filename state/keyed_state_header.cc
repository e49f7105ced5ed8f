#include "state/keyed_state_header.h"

#include <string>
#include <utility>

namespace wiesel::state {
namespace {

constexpr int32_t kProxyVersion = 6;
constexpr int32_t kKeyValueKind = 0;
constexpr int32_t kPriorityQueueKind = 3;
constexpr std::string_view kStateTypeOption = "KEYED_STATE_TYPE";
constexpr std::string_view kNamespaceSerializer = "NAMESPACE_SERIALIZER";
constexpr std::string_view kValueSerializer = "VALUE_SERIALIZER";

void writeInfo(const StateInfo& info, DataOutput& output) {
  const bool timers = info.kind == StateKind::kTimers;
  output.writeUtf(info.name);
  output.writeInt(timers ? kPriorityQueueKind : kKeyValueKind);
  output.writeInt(timers ? 0 : 1);
  if (!timers) {
    output.writeUtf(kStateTypeOption);
    output.writeUtf(stateTypeName(info.kind));
  }
  output.writeInt(timers ? 1 : 2);
  if (!timers) {
    output.writeUtf(kNamespaceSerializer);
    info.namespace_serializer.writeTopLevel(output);
  }
  output.writeUtf(kValueSerializer);
  info.value_serializer.writeTopLevel(output);
}

bool parseStateType(std::string_view name, StateKind* kind) {
  for (StateKind candidate : {StateKind::kValue, StateKind::kList, StateKind::kMap,
                              StateKind::kReducing, StateKind::kAggregating}) {
    if (stateTypeName(candidate) == name) {
      *kind = candidate;
      return true;
    }
  }
  return false;
}

StateInfo readInfo(DataInput& input) {
  StateInfo info;
  info.name = input.readUtf();
  const int32_t kind = input.readInt();
  if (kind != kKeyValueKind && kind != kPriorityQueueKind) {
    input.fail("state '" + info.name + "' is of the unknown kind " + std::to_string(kind));
  }
  if (kind == kPriorityQueueKind) info.kind = StateKind::kTimers;
  const int32_t options = input.readCount(4);
  for (int32_t i = 0; i < options && input.ok(); ++i) {
    const std::string key = input.readUtf();
    const std::string value = input.readUtf();
    if (key == kStateTypeOption && !parseStateType(value, &info.kind)) {
      input.fail("state '" + info.name + "' is of the unknown type " + value);
    }
  }
  const int32_t serializers = input.readCount(4);
  for (int32_t i = 0; i < serializers && input.ok(); ++i) {
    const std::string key = input.readUtf();
    SerializerSnapshot snapshot = SerializerSnapshot::readTopLevel(input);
    if (key == kNamespaceSerializer) info.namespace_serializer = std::move(snapshot);
    if (key == kValueSerializer) info.value_serializer = std::move(snapshot);
  }
  return info;
}

}  // namespace

void KeyedStateHeader::write(DataOutput& output) const {
  output.writeInt(kProxyVersion);
  output.writeBool(false);  // Not compressed.
  key_serializer.writeTopLevel(output);
  output.writeShort(static_cast<int16_t>(states.size()));
  for (const StateInfo& info : states) writeInfo(info, output);
}

KeyedStateHeader KeyedStateHeader::read(DataInput& input) {
  KeyedStateHeader header;
  const int32_t version = input.readInt();
  if (version != kProxyVersion) {
    input.fail("keyed state of the unknown version " + std::to_string(version));
  }
  if (input.readBool()) input.fail("compressed keyed state is not supported");
  header.key_serializer = SerializerSnapshot::readTopLevel(input);
  const int32_t count = input.readUnsignedShort();
  for (int32_t i = 0; i < count && input.ok(); ++i) header.states.push_back(readInfo(input));
  return header;
}

}  // namespace wiesel::state
