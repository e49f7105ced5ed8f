#include "runtime/network/batch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace wiesel {

/// A record that takes no byte.
struct Nothing {
  bool operator==(const Nothing&) const = default;
};

template <>
struct Serializer<Nothing> {
  static constexpr int kFixedLength = 0;
  static void write(const Nothing&, DataOutput&) {}
  static void read(Nothing&, DataInput&) {}
  static SerializerSnapshot snapshot() { return SerializerSnapshot::wieselType("Nothing"); }
};

namespace runtime {
namespace {

template <class T>
Batch<T> batchOf(std::vector<T> values, std::vector<int64_t> timestamps_ms = {}) {
  Batch<T> batch;
  batch.has_timestamps = !timestamps_ms.empty();
  batch.values = std::move(values);
  batch.timestamps_ms = std::move(timestamps_ms);
  return batch;
}

/// What the receiver makes of the bytes that `count` in front of them makes a batch; null with
/// `error` set when it refuses.
template <class T>
std::unique_ptr<BatchBase> read(int32_t count, bool has_timestamps, const std::string& bytes,
                                std::string* error = nullptr) {
  DataOutput output;
  output.writeInt(count);
  output.writeBool(has_timestamps);
  output.writeRaw(bytes);
  const std::string all = output.take();
  DataInput input(all);
  auto batch = TypedBatchType<T>::instance().deserialize(input);
  if (batch == nullptr && error != nullptr) *error = input.error();
  return batch;
}

template <class T>
void expectRoundTrip(const Batch<T>& batch) {
  DataOutput output;
  batch.serialize(output);
  const std::string bytes = output.take();
  DataInput input(bytes);
  const auto read = TypedBatchType<T>::instance().deserialize(input);
  ASSERT_NE(read, nullptr) << input.error();
  EXPECT_TRUE(input.atEnd());
  const auto& typed = static_cast<const Batch<T>&>(*read);
  EXPECT_EQ(typed.values, batch.values);
  EXPECT_EQ(typed.timestamps_ms, batch.timestamps_ms);
  EXPECT_EQ(typed.has_timestamps, batch.has_timestamps);
}

TEST(BatchTest, ReadsWhatItWrote) {
  expectRoundTrip(batchOf<std::string>({"a", "", "c"}));
  expectRoundTrip(batchOf<int64_t>({1, 2}, {-5, 7}));
  expectRoundTrip(batchOf<int64_t>(std::vector<int64_t>(10 * kBatchRecords, 3)));
  expectRoundTrip(batchOf<Nothing>(std::vector<Nothing>(kBatchRecords)));
  expectRoundTrip(batchOf<Nothing>(std::vector<Nothing>(2), {1, 2}));
}

TEST(BatchTest, RefusesMoreRecordsThanTheBytesCanHold) {
  std::string error;
  EXPECT_EQ(read<int64_t>(-1, false, std::string(16, 0), &error), nullptr);
  EXPECT_EQ(error, "a batch claims -1 records (at byte 5 of 21)");
  EXPECT_EQ(read<int64_t>(3, true, std::string(16, 0), &error), nullptr);
  EXPECT_EQ(error, "a batch claims 3 records (at byte 5 of 21)");
}

TEST(BatchTest, RefusesAnyNumberOfRecordsThatTakeNoByte) {
  std::string error;
  const int32_t most = static_cast<int32_t>(kBatchRecords);
  EXPECT_NE(read<Nothing>(most, false, ""), nullptr);
  EXPECT_EQ(read<Nothing>(most + 1, false, "", &error), nullptr);
  EXPECT_EQ(error, "a batch claims " + std::to_string(most + 1) + " records (at byte 5 of 5)");
  EXPECT_EQ(read<Nothing>(std::numeric_limits<int32_t>::max(), false, "", &error), nullptr);
}

}  // namespace
}  // namespace runtime
}  // namespace wiesel
