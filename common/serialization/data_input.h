#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace wiesel {

/// Reads what DataOutput writes. Never throws and never reads past the end: the first failure is
/// kept, and from then on every read returns zero, false or empty. So a reader may decode a whole
/// structure and ask ok() once, as long as its loops end on failure.
///
/// Borrows: the bytes, which must outlive this object and every string_view read from it.
/// Threads: not thread-safe.
/// Flink:   DataInputDeserializer (1.20).
class DataInput {
 public:
  explicit DataInput(std::string_view bytes)
      : begin_(bytes.data()), cursor_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  uint8_t readByte() { return readBigEndian<uint8_t>(); }
  /// As in Java, every byte but 0 is true.
  bool readBool() { return readByte() != 0; }
  int16_t readShort() { return static_cast<int16_t>(readBigEndian<uint16_t>()); }
  uint16_t readUnsignedShort() { return readBigEndian<uint16_t>(); }
  int32_t readInt() { return static_cast<int32_t>(readBigEndian<uint32_t>()); }
  int64_t readLong() { return static_cast<int64_t>(readBigEndian<uint64_t>()); }
  float readFloat() { return std::bit_cast<float>(readBigEndian<uint32_t>()); }
  double readDouble() { return std::bit_cast<double>(readBigEndian<uint64_t>()); }

  /// Reads what writeUtf() wrote and returns it as UTF-8.
  std::string readUtf();

  /// Returns the next `size` bytes without copying them.
  std::string_view readRaw(size_t size) {
    if (size > remaining()) [[unlikely]] {
      failShort(size);
      return {};
    }
    const char* start = cursor_;
    cursor_ += size;
    return {start, size};
  }

  /// Reads an i32 length and returns that many bytes without copying them.
  std::string_view readSizedBytes();

  /// Reads an i32 number of elements that each take `min_bytes_each` bytes or more. A negative
  /// number, or one that the remaining bytes cannot hold, is a failure and reads as 0: memory
  /// reserved for a count stays in proportion to the input. Requires min_bytes_each >= 1.
  int32_t readCount(size_t min_bytes_each = 1);

  void skip(size_t size) { readRaw(size); }

  /// Fails with `message` unless a failure came before; the position is added to the message.
  void fail(std::string_view message);

  bool ok() const { return !failed_; }
  /// Empty while ok().
  const std::string& error() const { return error_; }

  /// Bytes read so far; after a failure, where it happened.
  size_t position() const { return failed_ ? failed_at_ : static_cast<size_t>(cursor_ - begin_); }
  /// Bytes left; 0 after a failure.
  size_t remaining() const { return static_cast<size_t>(end_ - cursor_); }
  bool atEnd() const { return cursor_ == end_; }

  /// The next byte to be read; remaining() bytes may be read from here. For serializers.
  const char* cursor() const { return cursor_; }

 private:
  template <class Unsigned>
  Unsigned readBigEndian() {
    if (sizeof(Unsigned) > remaining()) [[unlikely]] {
      failShort(sizeof(Unsigned));
      return 0;
    }
    Unsigned value;
    std::memcpy(&value, cursor_, sizeof(value));
    cursor_ += sizeof(value);
    if constexpr (sizeof(Unsigned) == 2) value = __builtin_bswap16(value);
    if constexpr (sizeof(Unsigned) == 4) value = __builtin_bswap32(value);
    if constexpr (sizeof(Unsigned) == 8) value = __builtin_bswap64(value);
    return value;
  }

  void failShort(size_t needed);

  const char* begin_;
  const char* cursor_;
  const char* end_;
  size_t failed_at_ = 0;
  bool failed_ = false;
  std::string error_;
};

}  // namespace wiesel
