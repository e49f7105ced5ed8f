#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace wiesel {

/// A growing buffer of bytes, written in the formats of Java's DataOutput: big-endian two's
/// complement integers, IEEE floats, modified UTF-8 names. Reusable: clear() keeps the memory.
///
/// Threads: not thread-safe.
/// Errors:  none. A length that its field cannot hold aborts the process: u16 for writeUtf(), i32
///          for writeSizedBytes().
/// Flink:   DataOutputSerializer (1.20).
class DataOutput {
 public:
  DataOutput() = default;
  DataOutput(const DataOutput&) = default;
  DataOutput& operator=(const DataOutput&) = default;
  DataOutput(DataOutput&& other) noexcept
      : buffer_(std::move(other.buffer_)), size_(std::exchange(other.size_, 0)) {
    other.buffer_.clear();
  }
  DataOutput& operator=(DataOutput&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    size_ = std::exchange(other.size_, 0);
    other.buffer_.clear();
    return *this;
  }

  void writeByte(uint8_t value) { *append(1) = static_cast<char>(value); }
  void writeBool(bool value) { writeByte(value ? 1 : 0); }
  void writeShort(int16_t value) { writeBigEndian(static_cast<uint16_t>(value)); }
  void writeInt(int32_t value) { writeBigEndian(static_cast<uint32_t>(value)); }
  void writeLong(int64_t value) { writeBigEndian(static_cast<uint64_t>(value)); }
  void writeFloat(float value) { writeBigEndian(std::bit_cast<uint32_t>(value)); }
  void writeDouble(double value) { writeBigEndian(std::bit_cast<uint64_t>(value)); }

  /// Writes a u16 byte count and modified UTF-8; for names, class names and paths. Values of type
  /// String have another format, see Serializer<std::string>.
  void writeUtf(std::string_view text);

  void writeRaw(const void* bytes, size_t size) {
    if (size != 0) std::memcpy(append(size), bytes, size);
  }
  void writeRaw(std::string_view bytes) { writeRaw(bytes.data(), bytes.size()); }

  /// Writes an i32 length, then the bytes.
  void writeSizedBytes(std::string_view bytes);

  /// Grows by `size` bytes and returns where they start; the caller fills all of them. The pointer
  /// is valid until the next write.
  char* append(size_t size) {
    if (size > buffer_.size() - size_) grow(size);
    char* start = buffer_.data() + size_;
    size_ += size;
    return start;
  }

  /// Overwrites the four bytes at `position`, which must have been written before.
  void patchInt(size_t position, int32_t value) {
    storeBigEndian(buffer_.data() + position, static_cast<uint32_t>(value));
  }

  /// Forgets everything after the first `size` bytes. Requires size <= size().
  void truncate(size_t size) { size_ = size; }

  size_t size() const { return size_; }

  /// The bytes written so far; valid until the next write.
  std::string_view view() const { return {buffer_.data(), size_}; }

  /// Returns the bytes written so far and starts afresh.
  std::string take() {
    buffer_.resize(std::exchange(size_, 0));
    return std::exchange(buffer_, std::string());
  }

  void clear() { size_ = 0; }

 private:
  template <class Unsigned>
  static void storeBigEndian(char* target, Unsigned value) {
    if constexpr (sizeof(Unsigned) == 2) value = __builtin_bswap16(value);
    if constexpr (sizeof(Unsigned) == 4) value = __builtin_bswap32(value);
    if constexpr (sizeof(Unsigned) == 8) value = __builtin_bswap64(value);
    std::memcpy(target, &value, sizeof(value));
  }

  template <class Unsigned>
  void writeBigEndian(Unsigned value) {
    storeBigEndian(append(sizeof(value)), value);
  }

  void grow(size_t needed);

  std::string buffer_;  // Its size is what may be written without growing; size_ is what was.
  size_t size_ = 0;
};

static_assert(std::endian::native == std::endian::little, "Wiesel runs on little-endian machines");

}  // namespace wiesel
