#include "runtime/network/data_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

namespace {

using ::testing::HasSubstr;

std::string fromHex(std::string digits) {
  std::erase(digits, ' ');
  return absl::HexStringToBytes(digits);
}

/// One frame of each type, in one message.
std::string messageOfAllFrames() {
  DataOutput message;
  writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
  writeFrame(SubscribeFrame{7, 8, {"v", 1, 2, 3, 4}}, message);
  writeFrame(CreditFrame{7, 5}, message);
  writeFrame(CancelFrame{7}, message);
  EXPECT_TRUE(writeBatchFrame(7, *batchOf({-1}), message).ok());
  writeFrame(ControlFrame{7, StreamElement::Kind::kBarrier, 9, 10}, message);
  writeFrame(LostFrame{7, "why"}, message);
  return message.take();
}

TEST(DataFrameTest, ReadsWhatItWrites) {
  const std::string message = messageOfAllFrames();
  FrameReader reader(message);
  const auto hello = std::get<HelloFrame>(reader.next().value());
  EXPECT_EQ(hello.version, kDataPlaneVersion);
  EXPECT_EQ(hello.scope, "job");
  const auto subscribe = std::get<SubscribeFrame>(reader.next().value());
  EXPECT_EQ(subscribe.channel, 7);
  EXPECT_EQ(subscribe.credit, 8);
  EXPECT_EQ(subscribe.address, (ChannelAddress{"v", 1, 2, 3, 4}));
  const auto credit = std::get<CreditFrame>(reader.next().value());
  EXPECT_EQ(credit.channel, 7);
  EXPECT_EQ(credit.credit, 5);
  EXPECT_EQ(std::get<CancelFrame>(reader.next().value()).channel, 7);
  const auto batch = std::get<BatchFrame>(reader.next().value());
  EXPECT_EQ(batch.channel, 7);
  EXPECT_EQ(batch.bytes.size(), 4u + 1u + 8u);
  const auto control = std::get<ControlFrame>(reader.next().value());
  EXPECT_EQ(control.channel, 7);
  EXPECT_EQ(control.kind, StreamElement::Kind::kBarrier);
  EXPECT_EQ(control.value, 9);
  EXPECT_EQ(control.timestamp_ms, 10);
  const auto lost = std::get<LostFrame>(reader.next().value());
  EXPECT_EQ(lost.channel, 7);
  EXPECT_EQ(lost.reason, "why");
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_TRUE(reader.ok());
}

// The bytes of version 2, as in docs/formats/data_plane.md. When this fails, either the change was
// not meant, or kDataPlaneVersion and the document change with it.
TEST(DataFrameTest, VersionTwoHasTheseBytes) {
  ASSERT_EQ(kDataPlaneVersion, 2);
  const std::vector<std::string> frames = {
      "01 57444154 00000002 00000003 6a6f62",
      "02 00000007 00000008 00000001 76 00000001 00000002 00000003 00000004",
      "03 00000007 00000005",
      "04 00000007",
      "05 00000007 0000000d 00000001 00 ffffffffffffffff",
      "06 00000007 03 0000000000000009 000000000000000a",
      "07 00000007 00000003 776879",
  };
  std::string expected;
  for (const std::string& frame : frames) expected += fromHex(frame);
  EXPECT_EQ(absl::BytesToHexString(messageOfAllFrames()), absl::BytesToHexString(expected));
}

TEST(DataFrameTest, EveryCutIsNoticed) {
  const std::string message = messageOfAllFrames();
  std::vector<size_t> frame_ends;
  FrameReader whole(message);
  for (size_t length = 0; length < message.size(); ++length) {
    FrameReader reader(std::string_view(message).substr(0, length));
    size_t frames = 0;
    while (reader.next().has_value()) ++frames;
    if (reader.ok()) frame_ends.push_back(frames);
  }
  // A message may end between two frames, and nowhere else.
  EXPECT_EQ(frame_ends, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6}));
}

struct Malformed {
  std::string name;
  std::string hex;
  std::string complaint;
};

class MalformedFrameTest : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedFrameTest, IsRefused) {
  const std::string message = fromHex(GetParam().hex);
  FrameReader reader(message);
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.ok());
  EXPECT_THAT(reader.error(), HasSubstr(GetParam().complaint));
  EXPECT_FALSE(reader.next().has_value());
}

std::vector<Malformed> malformedFrames() {
  return {
      {"UnknownType", "08", "no type of frame"},
      {"OtherProtocol", "01 50524920 00000001 00000000", "does not speak"},
      {"NegativeChannel", "04 ffffffff", "negative"},
      {"NegativeLength", "05 00000001 ffffffff 00", "count of -1"},
      {"LengthBeyondTheEnd", "05 00000001 7fffffff 00", "count of 2147483647"},
      {"NewlineInAName", "07 00000001 00000001 0a", "control character"},
      {"UnknownControl", "06 00000001 07 0000000000000000 0000000000000000", "no kind of control"},
      {"BatchAsControl", "06 00000001 00 0000000000000000 0000000000000000", "no kind of control"},
  };
}

INSTANTIATE_TEST_SUITE_P(All, MalformedFrameTest, ::testing::ValuesIn(malformedFrames()),
                         [](const auto& info) { return info.param.name; });

TEST(DataFrameTest, NamesHaveABound) {
  DataOutput message;
  message.writeByte(7);
  message.writeInt(1);
  message.writeSizedBytes(std::string(1025, 'x'));
  FrameReader reader(message.view());
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_THAT(reader.error(), HasSubstr("longer than 1024"));

  DataOutput shortened;
  writeFrame(LostFrame{1, std::string(5000, 'x')}, shortened);
  FrameReader shortened_reader(shortened.view());
  EXPECT_EQ(std::get<LostFrame>(shortened_reader.next().value()).reason, std::string(1024, 'x'));
}

class HugeBatch final : public BatchBase {
 public:
  size_t size() const override { return 1; }
  std::unique_ptr<BatchBase> copy() const override { return std::make_unique<HugeBatch>(); }
  void serialize(DataOutput& output) const override { output.append(kMaxBatchBytes + 1); }
};

TEST(DataFrameTest, ABatchThatIsTooLongIsNotWritten) {
  DataOutput message;
  writeFrame(CancelFrame{1}, message);
  const size_t before = message.size();
  const absl::Status status = writeBatchFrame(1, HugeBatch(), message);
  EXPECT_THAT(std::string(status.message()), HasSubstr("make the records smaller"));
  EXPECT_EQ(message.size(), before);
}

}  // namespace

}  // namespace wiesel::runtime
