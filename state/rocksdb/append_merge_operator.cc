#include "state/rocksdb/append_merge_operator.h"

namespace wiesel::state {
namespace {

constexpr char kDelimiter = ',';

/// Appends `operands`, with a delimiter before each but the first if `has_predecessor` is false.
template <class Operands>
void appendAll(const Operands& operands, bool has_predecessor, std::string* joined) {
  size_t size = joined->size();
  for (const rocksdb::Slice& operand : operands) size += operand.size() + 1;
  joined->reserve(size);
  for (const rocksdb::Slice& operand : operands) {
    if (has_predecessor) joined->push_back(kDelimiter);
    joined->append(operand.data(), operand.size());
    has_predecessor = true;
  }
}

}  // namespace

bool AppendMergeOperator::FullMergeV2(const MergeOperationInput& input,
                                      MergeOperationOutput* output) const {
  const rocksdb::Slice* existing = input.existing_value;
  output->new_value.clear();
  if (existing != nullptr) output->new_value.assign(existing->data(), existing->size());
  appendAll(input.operand_list, existing != nullptr, &output->new_value);
  return true;
}

bool AppendMergeOperator::PartialMergeMulti(const rocksdb::Slice&,
                                            const std::deque<rocksdb::Slice>& operands,
                                            std::string* merged, rocksdb::Logger*) const {
  merged->clear();
  appendAll(operands, false, merged);
  return true;
}

}  // namespace wiesel::state
