#include "common/serialization/data_input.h"

#include "common/serialization/string_codec.h"

namespace wiesel {

std::string DataInput::readUtf() {
  const std::string_view bytes = readRaw(readUnsignedShort());
  if (internal::isAscii(bytes.data(), bytes.size())) return std::string(bytes);
  return internal::readModifiedUtf8(bytes, *this);
}

std::string_view DataInput::readSizedBytes() { return readRaw(static_cast<size_t>(readCount())); }

int32_t DataInput::readCount(size_t min_bytes_each) {
  const int32_t count = readInt();
  if (count >= 0 && static_cast<size_t>(count) <= remaining() / min_bytes_each) return count;
  fail("a count of " + std::to_string(count) + " does not fit into the " +
       std::to_string(remaining()) + " bytes after it");
  return 0;
}

void DataInput::fail(std::string_view message) {
  if (failed_) return;
  failed_at_ = position();
  failed_ = true;
  error_ = std::string(message) + " (at byte " + std::to_string(failed_at_) + " of " +
           std::to_string(end_ - begin_) + ")";
  cursor_ = end_;
}

void DataInput::failShort(size_t needed) {
  fail("the input ends too early: " + std::to_string(needed) + " bytes are needed and " +
       std::to_string(remaining()) + " are left");
}

}  // namespace wiesel
