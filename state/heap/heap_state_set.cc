#include "state/heap/heap_state_set.h"

#include <algorithm>
#include <utility>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "state/heap/skip_value.h"
#include "state/state_error.h"

namespace wiesel::state {

HeapStateSet::HeapStateSet(const HeapKeyStore& keys, SerializerSnapshot key_serializer,
                           KeyGroupRange range)
    : keys_(keys), key_serializer_(std::move(key_serializer)), range_(range) {}

void HeapStateSet::skipBlock(const KeyedStateHeader& header, const StateInfo& info, int32_t count,
                             DataInput& input) const {
  for (int32_t i = 0; i < count && input.ok(); ++i) {
    if (info.kind != StateKind::kTimers) {
      skipValue(info.namespace_serializer, input);
      skipValue(header.key_serializer, input);
    }
    skipValue(info.value_serializer, input);
  }
}

void HeapStateSet::addRestored(const KeyedRestore& restored) {
  const std::string& stream = *restored.stream;
  DataInput header_input(stream);
  const KeyedStateHeader header = KeyedStateHeader::read(header_input);
  if (!header_input.ok()) throw StateError("restored keyed state: " + header_input.error());
  if (!(header.key_serializer == key_serializer_)) {
    throw StateError("the restored state has keys of type " + header.key_serializer.typeName() +
                     ", the program's keys are of type " + key_serializer_.typeName());
  }
  restored_streams_.push_back(restored.stream);
  const int first = std::max(range_.start, restored.range.start);
  const int last = std::min(range_.end, restored.range.end);
  for (int key_group = first; key_group <= last; ++key_group) {
    const int64_t offset = restored.offsets[key_group - restored.range.start];
    if (offset == 0) continue;
    if (offset < 0 || offset > static_cast<int64_t>(stream.size())) {
      throw StateError("restored keyed state: a key group begins beyond its end");
    }
    DataInput input(std::string_view(stream).substr(offset));
    if (input.readInt() != key_group) input.fail("another key group than expected");
    for (size_t i = 0; i < header.states.size() && input.ok(); ++i) {
      const uint16_t number = input.readUnsignedShort();
      if (number >= header.states.size()) {
        input.fail("a state number beyond the header");
        break;
      }
      const StateInfo& info = header.states[number];
      const int32_t count = input.readInt();
      const char* begin = input.cursor();
      const size_t before = input.position();
      skipBlock(header, info, count, input);
      if (!input.ok()) break;
      Unclaimed& state = unclaimed_[info.name];
      state.info = info;
      if (count > 0) {
        state.blocks.push_back(
            {key_group, count, std::string_view(begin, input.position() - before)});
      }
    }
    if (!input.ok()) throw StateError("restored keyed state: " + input.error());
  }
}

HeapStateTable* HeapStateSet::find(const std::string& name) const {
  const auto table = std::find_if(tables_.begin(), tables_.end(), [&name](const HeapStateTable* t) {
    return t->info().name == name;
  });
  return table == tables_.end() ? nullptr : *table;
}

void HeapStateSet::attach(std::unique_ptr<HeapStateTable> table) {
  attachBorrowed(*table);
  owned_.push_back(std::move(table));
}

void HeapStateSet::attachBorrowed(HeapStateTable& table) {
  tables_.push_back(&table);
  const auto entry = unclaimed_.find(table.info().name);
  if (entry == unclaimed_.end()) return;
  const StateInfo& stored = entry->second.info;
  const StateInfo& declared = table.info();
  if (stored.kind != declared.kind || !(stored.value_serializer == declared.value_serializer) ||
      (declared.kind != StateKind::kTimers &&
       !(stored.namespace_serializer == declared.namespace_serializer))) {
    throw StateError(
        "state '" + declared.name + "' was stored as " + std::string(stateTypeName(stored.kind)) +
        " of " + stored.value_serializer.typeName() + ", the program declares " +
        std::string(stateTypeName(declared.kind)) + " of " + declared.value_serializer.typeName());
  }
  for (const Block& block : entry->second.blocks) {
    DataInput input(block.entries);
    table.readEntries(block.count, input);
    if (!input.ok()) throw StateError("state '" + declared.name + "': " + input.error());
  }
  unclaimed_.erase(entry);
}

void HeapStateSet::writeKeyGroup(int key_group, DataOutput& output) const {
  output.writeInt(key_group);
  int16_t number = 0;
  for (const HeapStateTable* table : tables_) {
    output.writeShort(number++);
    output.writeInt(table->entryCount(key_group));
    table->writeEntries(key_group, output);
  }
  for (const auto& [name, state] : unclaimed_) {
    output.writeShort(number++);
    int32_t count = 0;
    for (const Block& block : state.blocks) {
      if (block.key_group == key_group) count += block.count;
    }
    output.writeInt(count);
    for (const Block& block : state.blocks) {
      if (block.key_group == key_group) output.writeRaw(block.entries);
    }
  }
}

KeyedSnapshot HeapStateSet::snapshot() const {
  KeyedStateHeader header;
  header.key_serializer = key_serializer_;
  for (const HeapStateTable* table : tables_) header.states.push_back(table->info());
  for (const auto& [name, state] : unclaimed_) header.states.push_back(state.info);
  const int key_groups = range_.end - range_.start + 1;
  for (HeapStateTable* table : tables_) table->prepareSnapshot(range_.start, key_groups);

  DataOutput output;
  header.write(output);
  KeyedSnapshot snapshot;
  snapshot.range = range_;
  for (int key_group = range_.start; key_group <= range_.end; ++key_group) {
    snapshot.offsets.push_back(static_cast<int64_t>(output.size()));
    writeKeyGroup(key_group, output);
  }
  for (HeapStateTable* table : tables_) table->finishSnapshot();
  snapshot.stream = output.take();
  return snapshot;
}

}  // namespace wiesel::state
