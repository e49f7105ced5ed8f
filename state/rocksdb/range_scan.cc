#include "state/rocksdb/range_scan.h"

#include <utility>

#include "rocksdb/options.h"

namespace wiesel::state {

RangeScan::RangeScan(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* column, std::string_view begin,
                     std::string end)
    : end_(std::move(end)), bound_(end_) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  if (!end_.empty()) options.iterate_upper_bound = &bound_;
  iterator_.reset(db.NewIterator(options, column));
  iterator_->Seek(asSlice(begin));
}

std::string endOfPrefix(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xFF') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

}  // namespace wiesel::state
