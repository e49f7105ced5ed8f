#include "state/operator_state_store.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "state/heap/skip_value.h"

namespace wiesel::state {
namespace {

constexpr int32_t kProxyVersion = 6;
constexpr int32_t kOperatorKind = 1;
constexpr std::string_view kModeOption = "OPERATOR_STATE_DISTRIBUTION_MODE";
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

/// For errors: "SPLIT_DISTRIBUTE list of Long".
std::string typeOf(DistributionMode mode, const SerializerSnapshot& element) {
  return std::string(modeName(mode)) + " list of " + element.typeName();
}

void writeInfo(const std::string& name, DistributionMode mode, const SerializerSnapshot& element,
               DataOutput& output) {
  output.writeUtf(name);
  output.writeInt(kOperatorKind);
  output.writeInt(1);
  output.writeUtf(kModeOption);
  output.writeUtf(modeName(mode));
  output.writeInt(1);
  output.writeUtf(kValueSerializer);
  element.writeTopLevel(output);
}

/// Reads the description of one list state; returns its name and element type.
std::pair<std::string, SerializerSnapshot> readInfo(DataInput& input) {
  std::string name = input.readUtf();
  if (input.readInt() != kOperatorKind) input.fail("'" + name + "' is no list state");
  const int32_t options = input.readCount(4);
  for (int32_t i = 0; i < options && input.ok(); ++i) {
    input.readUtf();
    input.readUtf();
  }
  SerializerSnapshot element;
  const int32_t serializers = input.readCount(4);
  for (int32_t i = 0; i < serializers && input.ok(); ++i) {
    input.readUtf();
    element = SerializerSnapshot::readTopLevel(input);
  }
  return {std::move(name), std::move(element)};
}

}  // namespace

void OperatorStateStore::addRestored(const OperatorStateSnapshot& restored) {
  is_restored_ = true;
  const auto stream = std::make_shared<const std::string>(restored.stream);
  DataInput header(*stream);
  const int32_t version = header.readInt();
  if (version != kProxyVersion) {
    header.fail("operator state of the unknown version " + std::to_string(version));
  }
  if (header.readBool()) header.fail("compressed operator state is not supported");
  const int32_t lists = header.readUnsignedShort();
  for (int32_t i = 0; i < lists && header.ok(); ++i) {
    auto [name, element] = readInfo(header);
    const auto state = std::find_if(
        restored.states.begin(), restored.states.end(),
        [&name = name](const OperatorStateSnapshot::State& s) { return s.name == name; });
    if (!header.ok() || state == restored.states.end()) continue;
    Restored list{std::move(element), state->mode, {}};
    for (int64_t offset : state->offsets) {
      if (offset < 0 || offset > static_cast<int64_t>(stream->size())) {
        throw StateError("restored operator state '" + name +
                         "': an element begins beyond its end");
      }
      list.elements.push_back({stream, offset});
    }
    addRestoredList(name, std::move(list));
  }
  if (header.ok() && header.readUnsignedShort() != 0) {
    header.fail("restored broadcast state is not supported in this version");
  }
  if (!header.ok()) throw StateError("restored operator state: " + header.error());
}

void OperatorStateStore::addRestoredList(const std::string& name, Restored list) {
  const auto [known, is_new] = unclaimed_.try_emplace(name, list);
  if (is_new) return;
  Restored& target = known->second;
  if (!(target.element_serializer == list.element_serializer) || target.mode != list.mode) {
    throw StateError("two parts of the restored operator state '" + name +
                     "' differ in type: " + typeOf(target.mode, target.element_serializer) +
                     " and " + typeOf(list.mode, list.element_serializer));
  }
  std::move(list.elements.begin(), list.elements.end(), std::back_inserter(target.elements));
}

void OperatorStateStore::claim(const std::string& name, List& list) {
  const auto entry = unclaimed_.find(name);
  if (entry == unclaimed_.end()) return;
  const Restored& stored = entry->second;
  if (!(stored.element_serializer == list.elementSerializer()) || stored.mode != list.mode) {
    throw StateError("operator state '" + name + "' was stored as " +
                     typeOf(stored.mode, stored.element_serializer) + ", the program declares " +
                     typeOf(list.mode, list.elementSerializer()));
  }
  for (const Element& element : stored.elements) {
    DataInput input(std::string_view(*element.stream).substr(element.offset));
    list.read(input);
    if (!input.ok()) throw StateError("operator state '" + name + "': " + input.error());
  }
  unclaimed_.erase(entry);
}

OperatorStateSnapshot::State OperatorStateStore::writeUnclaimed(const std::string& name,
                                                                const Restored& list,
                                                                DataOutput& output) const {
  OperatorStateSnapshot::State state{name, list.mode, {}};
  for (const Element& element : list.elements) {
    const std::string_view rest = std::string_view(*element.stream).substr(element.offset);
    DataInput input(rest);
    skipValue(list.element_serializer, input);
    if (!input.ok()) throw StateError("operator state '" + name + "': " + input.error());
    state.offsets.push_back(static_cast<int64_t>(output.size()));
    output.writeRaw(rest.substr(0, input.position()));
  }
  return state;
}

OperatorStateSnapshot OperatorStateStore::snapshot() const {
  OperatorStateSnapshot snapshot;
  if (lists_.empty() && unclaimed_.empty()) return snapshot;
  DataOutput output;
  output.writeInt(kProxyVersion);
  output.writeBool(false);  // Not compressed.
  output.writeShort(static_cast<int16_t>(lists_.size() + unclaimed_.size()));
  for (const auto& [name, list] : lists_) {
    writeInfo(name, list->mode, list->elementSerializer(), output);
  }
  for (const auto& [name, list] : unclaimed_) {
    writeInfo(name, list.mode, list.element_serializer, output);
  }
  output.writeShort(0);  // Broadcast states.
  for (const auto& [name, list] : lists_) {
    OperatorStateSnapshot::State state{name, list->mode, {}};
    for (size_t i = 0; i < list->size(); ++i) {
      state.offsets.push_back(static_cast<int64_t>(output.size()));
      list->write(i, output);
    }
    snapshot.states.push_back(std::move(state));
  }
  for (const auto& [name, list] : unclaimed_) {
    snapshot.states.push_back(writeUnclaimed(name, list, output));
  }
  snapshot.stream = output.take();
  return snapshot;
}

}  // namespace wiesel::state
