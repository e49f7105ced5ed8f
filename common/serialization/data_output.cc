#include "common/serialization/data_output.h"

#include <algorithm>
#include <limits>

#include "common/check.h"
#include "common/serialization/string_codec.h"

namespace wiesel {

void DataOutput::writeUtf(std::string_view text) {
  const size_t start = size_;
  writeShort(0);
  internal::writeModifiedUtf8(text, *this);
  const size_t length = size_ - start - sizeof(uint16_t);
  WIESEL_CHECK(length <= std::numeric_limits<uint16_t>::max())
      << "a name of " << length
      << " bytes is longer than its format allows: " << text.substr(0, 100) << "...";
  storeBigEndian(buffer_.data() + start, static_cast<uint16_t>(length));
}

void DataOutput::writeSizedBytes(std::string_view bytes) {
  WIESEL_CHECK(bytes.size() <= size_t{std::numeric_limits<int32_t>::max()})
      << bytes.size() << " bytes are more than their format allows";
  writeInt(static_cast<int32_t>(bytes.size()));
  writeRaw(bytes);
}

void DataOutput::grow(size_t needed) {
  constexpr size_t kFirstSize = 64;
  buffer_.resize(std::max({kFirstSize, 2 * buffer_.size(), size_ + needed}));
}

}  // namespace wiesel
