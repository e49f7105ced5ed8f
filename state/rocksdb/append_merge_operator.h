#pragma once

#include <deque>
#include <string>

#include "rocksdb/merge_operator.h"

namespace wiesel::state {

/// How lists grow without being read: elements are joined by a comma byte, in the order in which
/// they were added.
///
/// Threads: thread-safe, RocksDB's compactions call it too.
/// Flink:   "stringappendtest", the merge operator of RocksDBListState (1.20).
class AppendMergeOperator final : public rocksdb::MergeOperator {
 public:
  const char* Name() const override { return "StringAppendTESTOperator"; }

  bool FullMergeV2(const MergeOperationInput& input, MergeOperationOutput* output) const override;

  bool PartialMergeMulti(const rocksdb::Slice& key, const std::deque<rocksdb::Slice>& operands,
                         std::string* merged, rocksdb::Logger* logger) const override;
};

}  // namespace wiesel::state
