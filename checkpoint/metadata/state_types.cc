#include "checkpoint/metadata/state_types.h"

#include <cstdint>

#include "common/serialization/data_input.h"
#include "common/serialization/serializer_snapshot.h"

namespace wiesel::checkpoint {
namespace {

constexpr int32_t kProxyVersion = 6;
constexpr std::string_view kValueSerializer = "VALUE_SERIALIZER";

bool readStart(DataInput& input) {
  const bool known = input.readInt() == kProxyVersion;
  const bool compressed = input.readBool();
  return input.ok() && known && !compressed;
}

void readStates(DataInput& input, StateTypes& types) {
  const uint16_t num_states = input.readUnsignedShort();
  for (uint16_t i = 0; i < num_states && input.ok(); ++i) {
    const std::string name = input.readUtf();
    input.skip(4);  // Kind.
    const int32_t num_options = input.readCount(4);
    for (int32_t j = 0; j < num_options && input.ok(); ++j) {
      input.readUtf();
      input.readUtf();
    }
    const int32_t num_serializers = input.readCount(4);
    for (int32_t j = 0; j < num_serializers && input.ok(); ++j) {
      const std::string role = input.readUtf();
      const SerializerSnapshot serializer = SerializerSnapshot::readTopLevel(input);
      if (input.ok() && role == kValueSerializer) types.states[name] = serializer.typeName();
    }
  }
}

}  // namespace

void addKeyedStateTypes(std::string_view stream, StateTypes& types) {
  DataInput input(stream);
  if (!readStart(input)) return;
  const SerializerSnapshot key = SerializerSnapshot::readTopLevel(input);
  if (input.ok()) types.key = key.typeName();
  readStates(input, types);
}

void addOperatorStateTypes(std::string_view stream, StateTypes& types) {
  DataInput input(stream);
  if (!readStart(input)) return;
  readStates(input, types);  // Lists.
  readStates(input, types);  // Broadcast maps.
}

}  // namespace wiesel::checkpoint
