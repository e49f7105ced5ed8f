#include "state/heap/heap_state_set.h"

#include <utility>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "state/state_compatibility.h"
#include "state/state_error.h"

namespace wiesel::state {
namespace {

void skipEntries(const std::vector<ValueSkipper>& skippers, int32_t count, DataInput& input) {
  for (int32_t i = 0; i < count && input.ok(); ++i) {
    for (const ValueSkipper& skipper : skippers) skipper.skip(input);
  }
}

}  // namespace

HeapStateSet::HeapStateSet(const HeapKeyStore& keys, SerializerSnapshot key_serializer,
                           KeyGroupRange range)
    : keys_(keys), key_serializer_(std::move(key_serializer)), range_(range) {}

void HeapStateSet::addRestored(const KeyedRestore& restored) {
  const std::string& stream = *restored.stream;
  DataInput header_input(stream);
  const KeyedStateHeader header = KeyedStateHeader::read(header_input);
  if (!header_input.ok()) throw StateError("restored keyed state: " + header_input.error());
  checkKeyType(header.key_serializer, key_serializer_);
  if (static_cast<int>(restored.offsets.size()) != restored.range.size()) {
    throw StateError("restored keyed state: " + std::to_string(restored.range.size()) +
                     " key groups, but " + std::to_string(restored.offsets.size()) + " offsets");
  }
  std::vector<EntrySkipper> skippers;
  for (const StateInfo& info : header.states) {
    EntrySkipper& skipper = skippers.emplace_back();
    if (info.kind != StateKind::kTimers) {
      skipper.emplace_back(info.namespace_serializer);
      skipper.emplace_back(header.key_serializer);
    }
    skipper.emplace_back(info.value_serializer);
  }
  restored_streams_.push_back(restored.stream);
  const KeyGroupRange ours = range_.intersect(restored.range);
  for (int key_group = ours.start; key_group <= ours.end; ++key_group) {
    const int64_t offset = restored.offsets[key_group - restored.range.start];
    if (offset == 0) continue;
    if (offset < 0 || offset > static_cast<int64_t>(stream.size())) {
      throw StateError("restored keyed state: a key group begins beyond its end");
    }
    addKeyGroup(header, skippers, key_group, std::string_view(stream).substr(offset));
  }
}

void HeapStateSet::addKeyGroup(const KeyedStateHeader& header,
                               const std::vector<EntrySkipper>& skippers, int key_group,
                               std::string_view bytes) {
  DataInput input(bytes);
  if (input.readInt() != key_group) input.fail("another key group than expected");
  for (size_t i = 0; i < header.states.size() && input.ok(); ++i) {
    const uint16_t number = input.readUnsignedShort();
    if (number >= header.states.size()) {
      input.fail("a state number beyond the header");
      break;
    }
    const StateInfo& info = header.states[number];
    const int32_t count = input.readCount();
    const char* begin = input.cursor();
    const size_t before = input.position();
    skipEntries(skippers[number], count, input);
    if (!input.ok()) break;
    addBlock(info, key_group, {count, std::string_view(begin, input.position() - before)});
  }
  if (!input.ok()) throw StateError("restored keyed state: " + input.error());
}

void HeapStateSet::addBlock(const StateInfo& info, int key_group, Block block) {
  const auto [entry, is_new] = unclaimed_.try_emplace(info.name, Unclaimed{info, {}});
  if (!is_new) checkStateType(entry->second.info, info);
  if (block.count > 0) entry->second.blocks.emplace(key_group, block);
}

void HeapStateSet::attach(std::unique_ptr<HeapStateTable> table) {
  attachBorrowed(*table);
  owned_.push_back(std::move(table));
}

void HeapStateSet::attachBorrowed(HeapStateTable& table) {
  checkNewName(table.info());
  claim(table);
  tables_.push_back(&table);
}

void HeapStateSet::checkNewName(const StateInfo& info) const {
  for (const HeapStateTable* table : tables_) {
    if (table->info().name == info.name) {
      throw StateError("state '" + info.name + "' is declared twice");
    }
  }
}

/// Gives a table what was restored under its name.
void HeapStateSet::claim(HeapStateTable& table) {
  const StateInfo& declared = table.info();
  const auto entry = unclaimed_.find(declared.name);
  if (entry == unclaimed_.end()) return;
  checkStateType(entry->second.info, declared);
  for (const auto& [key_group, block] : entry->second.blocks) {
    DataInput input(block.entries);
    table.readEntries(block.count, input);
    if (!input.ok()) throw StateError("state '" + declared.name + "': " + input.error());
  }
  unclaimed_.erase(entry);
  if (unclaimed_.empty()) restored_streams_.clear();
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
    const auto [first, last] = state.blocks.equal_range(key_group);
    int32_t count = 0;
    for (auto block = first; block != last; ++block) count += block->second.count;
    output.writeInt(count);
    for (auto block = first; block != last; ++block) output.writeRaw(block->second.entries);
  }
}

void HeapStateSet::forEachKey(const std::string& name,
                              const std::function<void(uint32_t)>& visit) const {
  for (const HeapStateTable* table : tables_) {
    if (table->info().name == name) table->forEachKey(visit);
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
