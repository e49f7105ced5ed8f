#include "common/xxh.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel {
namespace {

// From `xxhsum -H3` and `xxhsum -H2`.
struct Vector {
  std::string bytes;
  uint64_t checksum;
  std::string hash;
};

std::vector<Vector> vectors() {
  return {
      {"", 0x2d06800538d394c2, "99aa06d3014798d86001c324468d497f"},
      {"abc", 0x78af5f94892f3950, "06b05ab6733a618578af5f94892f3950"},
  };
}

TEST(XxhTest, GivesTheKnownValues) {
  for (const Vector& vector : vectors()) {
    EXPECT_EQ(checksum64(vector.bytes), vector.checksum) << vector.bytes;
    EXPECT_EQ(contentHash(vector.bytes), vector.hash) << vector.bytes;
  }
}

TEST(XxhTest, PartsGiveTheSameAsTheWhole) {
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) bytes += static_cast<char>(i * 31);
  for (const size_t part_size : {1u, 7u, 240u, 4096u}) {
    StreamingHash hash;
    for (size_t i = 0; i < bytes.size(); i += part_size) hash.update(bytes.substr(i, part_size));
    EXPECT_EQ(hash.checksum64(), checksum64(bytes)) << part_size;
    EXPECT_EQ(hash.contentHash(), contentHash(bytes)) << part_size;
  }
}

TEST(XxhTest, AnEmptyStreamIsAnEmptyText) {
  EXPECT_EQ(StreamingHash().checksum64(), checksum64(""));
  EXPECT_EQ(StreamingHash().contentHash(), contentHash(""));
}

}  // namespace
}  // namespace wiesel
