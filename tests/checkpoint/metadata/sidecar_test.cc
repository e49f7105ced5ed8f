#include "checkpoint/metadata/sidecar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/checkpoint/sample_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;

Sidecar sample() {
  Sidecar sidecar;
  sidecar.checkpoint_id = 3;
  sidecar.job = idOf(9);
  sidecar.version = "0.1.0";
  sidecar.files = {{"_metadata", 100, 1}, {"wiesel-x", 20481, 0xFEDCBA9876543210}};
  sidecar.operators[idOf(1)] = {"uid \"1\"", "Source: caf\xc3\xa9"};
  sidecar.operators[idOf(2)] = {"", "window"};
  sidecar.types[idOf(2)] = {"String", {{"window-contents", "List<Order>"}}};
  return sidecar;
}

TEST(SidecarTest, ReadsWhatItWrote) {
  ASSERT_OK_AND_ASSIGN(const Sidecar read, decodeSidecar(encodeSidecar(sample())));
  EXPECT_EQ(read, sample());
}

TEST(SidecarTest, IsJson) {
  const auto json = nlohmann::json::parse(encodeSidecar(sample()));
  EXPECT_EQ(json.at("format"), 1);
  EXPECT_EQ(json.at("content").at("files").at(1).at("size"), 20481);
  EXPECT_EQ(json.at("content").at("files").at(1).at("checksum"), "fedcba9876543210");
  EXPECT_EQ(json.at("content").at("operators").at(0).at("uid"), "uid \"1\"");
}

TEST(SidecarTest, DetectsEveryFlippedBit) {
  std::string bytes = encodeSidecar(sample());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT_THAT(decodeSidecar(bytes), StatusIs(absl::StatusCode::kDataLoss)) << "bit " << bit;
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
  }
}

TEST(SidecarTest, DetectsEveryCut) {
  const std::string bytes = encodeSidecar(sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(decodeSidecar(bytes.substr(0, size)), StatusIs(absl::StatusCode::kDataLoss))
        << size;
  }
  EXPECT_THAT(decodeSidecar(bytes + "\n"), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(SidecarTest, NamesBothChecksums) {
  std::string bytes = encodeSidecar(sample());
  bytes[bytes.find("20481")] = '3';
  EXPECT_THAT(decodeSidecar(bytes),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("expected checksum ")));
}

}  // namespace
}  // namespace wiesel::checkpoint
