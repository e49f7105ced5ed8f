#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "rocksdb/slice.h"

namespace wiesel::state {

inline rocksdb::Slice asSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view asView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

/// Walks over the entries of a column whose keys are in [begin, end), in the order of their bytes.
/// An empty `end` is no bound. Sees the column as it is when the scan is made.
class RangeScan {
 public:
  RangeScan(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* column, std::string_view begin,
            std::string end);
  RangeScan(const RangeScan&) = delete;
  RangeScan& operator=(const RangeScan&) = delete;

  bool valid() const { return iterator_->Valid(); }
  void next() { iterator_->Next(); }
  rocksdb::Slice key() const { return iterator_->key(); }
  rocksdb::Slice value() const { return iterator_->value(); }
  /// Once it is no longer valid: whether it has seen everything.
  rocksdb::Status status() const { return iterator_->status(); }

 private:
  const std::string end_;
  const rocksdb::Slice bound_;  // Points into end_.
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

/// The least key that is greater than all that begin with `prefix`; empty when there is none.
std::string endOfPrefix(std::string_view prefix);

}  // namespace wiesel::state
