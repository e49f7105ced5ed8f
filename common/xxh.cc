#include "common/xxh.h"

#include <xxhash.h>

namespace wiesel {
namespace {

std::string toHex(const XXH128_hash_t& hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : canonical.digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};
using StatePointer = std::unique_ptr<XXH3_state_t, FreeState>;

}  // namespace

uint64_t checksum64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string contentHash(std::string_view bytes) {
  return toHex(XXH3_128bits(bytes.data(), bytes.size()));
}

struct StreamingHash::State {
  StatePointer narrow{XXH3_createState()};
  StatePointer wide{XXH3_createState()};
};

StreamingHash::StreamingHash() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(state_->narrow.get());
  XXH3_128bits_reset(state_->wide.get());
}

StreamingHash::StreamingHash(StreamingHash&&) noexcept = default;
StreamingHash& StreamingHash::operator=(StreamingHash&&) noexcept = default;
StreamingHash::~StreamingHash() = default;

void StreamingHash::update(std::string_view bytes) {
  XXH3_64bits_update(state_->narrow.get(), bytes.data(), bytes.size());
  XXH3_128bits_update(state_->wide.get(), bytes.data(), bytes.size());
}

uint64_t StreamingHash::checksum64() const { return XXH3_64bits_digest(state_->narrow.get()); }

std::string StreamingHash::contentHash() const {
  return toHex(XXH3_128bits_digest(state_->wide.get()));
}

}  // namespace wiesel
