#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace wiesel {

/// Detects damage of stored and sent bytes: XXH3, 64 bits, seed 0. Not against an attacker.
uint64_t checksum64(std::string_view bytes);

/// Names content: XXH3, 128 bits, seed 0, as 32 hex digits in the canonical (big-endian) order.
std::string contentHash(std::string_view bytes);

/// The same two over bytes that come in parts.
class StreamingHash {
 public:
  StreamingHash();
  StreamingHash(StreamingHash&&) noexcept;
  StreamingHash& operator=(StreamingHash&&) noexcept;
  ~StreamingHash();

  void update(std::string_view bytes);

  /// Of all bytes so far; more may follow.
  uint64_t checksum64() const;
  std::string contentHash() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wiesel
