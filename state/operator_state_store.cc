#include "state/operator_state_store.h"

#include <algorithm>
#include <string_view>

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
    if (state == restored.states.end()) continue;
    Restored& target = unclaimed_[name];
    target.element_serializer = std::move(element);
    target.mode = state->mode;
    for (int64_t offset : state->offsets) {
      if (offset < 0 || offset > static_cast<int64_t>(stream->size())) {
        throw StateError("restored operator state '" + name +
                         "': an element begins beyond its end");
      }
      target.elements.emplace_back(stream, offset);
    }
  }
  if (header.ok() && header.readUnsignedShort() != 0) {
    header.fail("restored broadcast state is not supported in this version");
  }
  if (!header.ok()) throw StateError("restored operator state: " + header.error());
}

void OperatorStateStore::claim(const std::string& name, List& list) {
  const auto entry = unclaimed_.find(name);
  if (entry == unclaimed_.end()) return;
  if (!(entry->second.element_serializer == list.elementSerializer())) {
    throw StateError("operator state '" + name + "' was stored with elements of type " +
                     entry->second.element_serializer.typeName() + ", the program declares " +
                     list.elementSerializer().typeName());
  }
  for (const auto& [stream, offset] : entry->second.elements) {
    DataInput input(std::string_view(*stream).substr(offset));
    list.read(input);
    if (!input.ok()) throw StateError("operator state '" + name + "': " + input.error());
  }
  unclaimed_.erase(entry);
}

OperatorStateSnapshot OperatorStateStore::snapshot() const {
  OperatorStateSnapshot snapshot;
  if (lists_.empty()) return snapshot;
  DataOutput output;
  output.writeInt(kProxyVersion);
  output.writeBool(false);  // Not compressed.
  output.writeShort(static_cast<int16_t>(lists_.size()));
  for (const auto& [name, list] : lists_) {
    writeInfo(name, DistributionMode::kSplit, list->elementSerializer(), output);
  }
  output.writeShort(0);  // Broadcast states.
  for (const auto& [name, list] : lists_) {
    OperatorStateSnapshot::State state{name, DistributionMode::kSplit, {}};
    for (size_t i = 0; i < list->size(); ++i) {
      state.offsets.push_back(static_cast<int64_t>(output.size()));
      list->write(i, output);
    }
    snapshot.states.push_back(std::move(state));
  }
  snapshot.stream = output.take();
  return snapshot;
}

}  // namespace wiesel::state
