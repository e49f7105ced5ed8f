#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/serializer.h"
#include "common/serialization/tagged_union.h"
#include "common/serialization/variant_serializer.h"
#include "tests/common/serialization/allocation_probe.h"
#include "tests/common/serialization/example_types.h"
#include "tests/common/serialization/flink_bytes.h"
#include "tests/common/serialization/random_values.h"

namespace wiesel {
namespace {

using examples::Address;
using examples::Order;
using examples::Person;

template <class T>
class RoundTripTest : public ::testing::Test {
 protected:
  static std::string bytesOf(const T& value) {
    DataOutput output;
    Serializer<T>::write(value, output);
    return output.take();
  }

  const uint64_t seed_ = testSeed();
  RandomValues random_{seed_};
  const ::testing::ScopedTrace trace_{__FILE__, __LINE__,
                                      "WIESEL_TEST_SEED=" + std::to_string(seed_)};
};

using Types = ::testing::Types<
    bool, int8_t, int16_t, int32_t, int64_t, long long, char, uint8_t, uint16_t, uint32_t, uint64_t,
    float, double, std::string, std::optional<std::string>, std::optional<int32_t>,
    std::optional<Address>, std::vector<bool>, std::vector<int64_t>, std::vector<std::string>,
    std::vector<std::vector<double>>, std::map<std::string, std::optional<int64_t>>,
    std::unordered_map<int32_t, std::vector<std::string>>, std::pair<std::string, int64_t>,
    std::tuple<int8_t, std::string, std::optional<Order>>, Person, Order,
    TaggedUnion<Person, std::string>, std::variant<std::monostate, Order, std::string>>;
TYPED_TEST_SUITE(RoundTripTest, Types);

TYPED_TEST(RoundTripTest, GivesBackWhatWasWritten) {
  TypeParam target{};  // The same one for all, so that old contents meet new ones.
  for (int round = 0; round < 500; ++round) {
    const auto value = this->random_.template any<TypeParam>();
    const std::string bytes = this->bytesOf(value);
    DataInput input(bytes);
    Serializer<TypeParam>::read(target, input);
    ASSERT_TRUE(input.ok()) << input.error();
    ASSERT_TRUE(input.atEnd());
    ASSERT_TRUE(target == value) << hexOfBytes(bytes);
    if (Serializer<TypeParam>::kFixedLength > 0) {
      ASSERT_EQ(bytes.size(), static_cast<size_t>(Serializer<TypeParam>::kFixedLength));
    }
  }
}

TYPED_TEST(RoundTripTest, FailsWhereverItIsTruncated) {
  for (int round = 0; round < 30; ++round) {
    const std::string bytes = this->bytesOf(this->random_.template any<TypeParam>());
    for (size_t size = 0; size < bytes.size(); ++size) {
      DataInput input(std::string_view(bytes).substr(0, size));
      TypeParam target{};
      Serializer<TypeParam>::read(target, input);
      ASSERT_FALSE(input.ok()) << hexOfBytes(bytes) << " up to " << size;
    }
  }
}

TYPED_TEST(RoundTripTest, TakesMemoryInProportionToCorruptInput) {
  constexpr size_t kLargestPerByte = 256;
  constexpr size_t kLargestAlways = 1024 * sizeof(std::pair<Order, Order>);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = this->bytesOf(this->random_.template any<TypeParam>());
    for (uint64_t damage = 1 + this->random_.below(3); damage > 0 && !bytes.empty(); --damage) {
      bytes[this->random_.below(bytes.size())] = static_cast<char>(this->random_.below(256));
    }
    DataInput input(bytes);
    TypeParam target{};
    const AllocationProbe probe;
    Serializer<TypeParam>::read(target, input);
    ASSERT_LE(probe.largest(), kLargestAlways + kLargestPerByte * bytes.size())
        << hexOfBytes(bytes);
  }
}

TEST(LargeCountTest, IsRefusedBeforeMemoryIsTaken) {
  const std::string bytes = bytesOfHex(
      "7fffffff"
      "0102030405060708");
  DataInput input(bytes);
  std::vector<int64_t> list;
  const AllocationProbe probe;
  Serializer<std::vector<int64_t>>::read(list, input);
  EXPECT_FALSE(input.ok());
  EXPECT_LE(probe.largest(), 1000u);  // The text of the error.
}

}  // namespace
}  // namespace wiesel
