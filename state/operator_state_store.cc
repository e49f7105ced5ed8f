#include "state/operator_state_store.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "state/heap/skip_value.h"

namespace wiesel::state {
namespace {

constexpr int32_t kProxyVersion = 6;
constexpr int32_t kOperatorKind = 1;
constexpr int32_t kBroadcastKind = 2;
constexpr std::string_view kModeOption = "OPERATOR_STATE_DISTRIBUTION_MODE";
constexpr std::string_view kKeySerializer = "KEY_SERIALIZER";
constexpr std::string_view kValueSerializer = "VALUE_SERIALIZER";

std::string_view modeName(DistributionMode mode) {
  switch (mode) {
    case DistributionMode::kSplit:
      return "SPLIT_DISTRIBUTE";
    case DistributionMode::kUnion:
      return "UNION";
    case DistributionMode::kBroadcast:
      return "BROADCAST";
  }
  return "";
}

void skipMap(const SerializerSnapshot& key, const SerializerSnapshot& value, DataInput& input) {
  const ValueSkipper key_skipper(key);
  const ValueSkipper value_skipper(value);
  const int32_t count = input.readCount();
  for (int32_t i = 0; i < count && input.ok(); ++i) {
    key_skipper.skip(input);
    value_skipper.skip(input);
  }
}

}  // namespace

std::string OperatorStateStore::Types::toString() const {
  if (key) return "BROADCAST map of " + key->typeName() + " to " + value.typeName();
  return std::string(modeName(mode)) + " list of " + value.typeName();
}

void OperatorStateStore::Types::write(const std::string& name, DataOutput& output) const {
  output.writeUtf(name);
  output.writeInt(key ? kBroadcastKind : kOperatorKind);
  output.writeInt(1);
  output.writeUtf(kModeOption);
  output.writeUtf(modeName(mode));
  output.writeInt(key ? 2 : 1);
  output.writeUtf(kValueSerializer);
  value.writeTopLevel(output);
  if (!key) return;
  output.writeUtf(kKeySerializer);
  key->writeTopLevel(output);
}

/// Reads one state's part of the header; the mode of a list is in the handle.
std::pair<std::string, OperatorStateStore::Types> OperatorStateStore::readTypes(bool is_broadcast,
                                                                                DataInput& header) {
  std::string name = header.readUtf();
  if (header.readInt() != (is_broadcast ? kBroadcastKind : kOperatorKind)) {
    header.fail("'" + name + "' is no " + (is_broadcast ? "broadcast" : "list") + " state");
  }
  const int32_t options = header.readCount(4);
  for (int32_t i = 0; i < options && header.ok(); ++i) {
    header.readUtf();
    header.readUtf();
  }
  Types types;
  const int32_t serializers = header.readCount(4);
  for (int32_t i = 0; i < serializers && header.ok(); ++i) {
    const std::string part = header.readUtf();
    SerializerSnapshot type = SerializerSnapshot::readTopLevel(header);
    if (part == kKeySerializer) {
      types.key = std::move(type);
    } else {
      types.value = std::move(type);
    }
  }
  if (types.key.has_value() != is_broadcast) {
    header.fail("'" + name + "' has the wrong serializers");
  }
  return {std::move(name), std::move(types)};
}

void OperatorStateStore::addRestored(const OperatorStateSnapshot& restored) {
  is_restored_ = true;
  const auto stream = std::make_shared<const std::string>(restored.stream);
  DataInput header(*stream);
  const int32_t version = header.readInt();
  if (version != kProxyVersion) {
    header.fail("operator state of the unknown version " + std::to_string(version));
  }
  if (header.readBool()) header.fail("compressed operator state is not supported");
  for (const bool is_broadcast : {false, true}) {
    const int32_t states = header.readUnsignedShort();
    for (int32_t i = 0; i < states && header.ok(); ++i) {
      auto [name, types] = readTypes(is_broadcast, header);
      const auto state = std::find_if(
          restored.states.begin(), restored.states.end(),
          [&name = name](const OperatorStateSnapshot::State& s) { return s.name == name; });
      if (!header.ok() || state == restored.states.end()) continue;
      types.mode = state->mode;
      Restored found{std::move(types), {}};
      for (int64_t offset : state->offsets) {
        if (offset < 0 || offset > static_cast<int64_t>(stream->size())) {
          throw StateError("restored operator state '" + name +
                           "': an element begins beyond its end");
        }
        found.pieces.push_back({stream, offset});
      }
      addRestoredState(name, std::move(found));
    }
  }
  if (!header.ok()) throw StateError("restored operator state: " + header.error());
}

void OperatorStateStore::addRestoredState(const std::string& name, Restored state) {
  const auto [known, is_new] = unclaimed_.try_emplace(name, state);
  if (is_new) return;
  Restored& target = known->second;
  if (!(target.types == state.types)) {
    throw StateError("two parts of the restored operator state '" + name + "' differ in type: " +
                     target.types.toString() + " and " + state.types.toString());
  }
  std::move(state.pieces.begin(), state.pieces.end(), std::back_inserter(target.pieces));
}

void OperatorStateStore::claim(const std::string& name, State& state) {
  const auto entry = unclaimed_.find(name);
  if (entry == unclaimed_.end()) return;
  const Restored& stored = entry->second;
  if (!(stored.types == state.types())) {
    throw StateError("operator state '" + name + "' was stored as " + stored.types.toString() +
                     ", the program declares " + state.types().toString());
  }
  for (const Piece& piece : stored.pieces) {
    DataInput input(std::string_view(*piece.stream).substr(piece.offset));
    state.read(input);
    if (!input.ok()) throw StateError("operator state '" + name + "': " + input.error());
  }
  unclaimed_.erase(entry);
}

OperatorStateSnapshot::State OperatorStateStore::writeUnclaimed(const std::string& name,
                                                                const Restored& restored,
                                                                DataOutput& output) {
  OperatorStateSnapshot::State state{name, restored.types.mode, {}};
  for (const Piece& piece : restored.pieces) {
    const std::string_view rest = std::string_view(*piece.stream).substr(piece.offset);
    DataInput input(rest);
    if (restored.types.key) {
      skipMap(*restored.types.key, restored.types.value, input);
    } else {
      skipValue(restored.types.value, input);
    }
    if (!input.ok()) throw StateError("operator state '" + name + "': " + input.error());
    state.offsets.push_back(static_cast<int64_t>(output.size()));
    output.writeRaw(rest.substr(0, input.position()));
  }
  return state;
}

OperatorStateSnapshot OperatorStateStore::snapshot() const {
  OperatorStateSnapshot snapshot;
  if (states_.empty() && unclaimed_.empty()) return snapshot;
  DataOutput output;
  output.writeInt(kProxyVersion);
  output.writeBool(false);  // Not compressed.
  for (const bool is_broadcast : {false, true}) {
    DataOutput infos;
    int16_t count = 0;
    const auto add = [&](const std::string& name, const Types& types) {
      if (types.key.has_value() != is_broadcast) return;
      types.write(name, infos);
      ++count;
    };
    for (const auto& [name, state] : states_) add(name, state->types());
    for (const auto& [name, state] : unclaimed_) add(name, state.types);
    output.writeShort(count);
    output.writeRaw(infos.view());
  }
  for (const auto& [name, state] : states_) {
    OperatorStateSnapshot::State written{name, state->types().mode, {}};
    for (size_t i = 0; i < state->pieces(); ++i) {
      written.offsets.push_back(static_cast<int64_t>(output.size()));
      state->write(i, output);
    }
    snapshot.states.push_back(std::move(written));
  }
  for (const auto& [name, state] : unclaimed_) {
    snapshot.states.push_back(writeUnclaimed(name, state, output));
  }
  snapshot.stream = output.take();
  return snapshot;
}

}  // namespace wiesel::state
