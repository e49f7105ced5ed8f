#include "state/heap/skip_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "common/serialization/chrono_serializer.h"
#include "common/serialization/serializer.h"
#include "common/serialization/tagged_union.h"
#include "common/serialization/variant_serializer.h"
#include "common/serialization/void_namespace.h"
#include "runtime/joins/buffer_entry.h"
#include "runtime/joins/joined_records.h"
#include "runtime/time/timer.h"
#include "runtime/windowing/time_window.h"

namespace wiesel::state {
namespace {

enum class Colour : int16_t { kRed, kGreen };

struct Inner {
  std::string text;
  std::optional<int64_t> number;
};
WIESEL_DESCRIBE(Inner, text, number)

struct Outer {
  Inner inner;
  std::optional<Inner> maybe;
  std::vector<Inner> many;
  std::map<std::string, double> prices;
  bool flag = false;
};
WIESEL_DESCRIBE(Outer, inner, maybe, many, prices, flag)

using Joined = runtime::JoinedRecords<std::string, int64_t>;

/// A value passes when all of its bytes are skipped, no byte behind it is, and every shorter
/// beginning of it is an error.
template <class T>
void expectSkipped(const T& value) {
  DataOutput output;
  Serializer<T>::write(value, output);
  const std::string bytes(output.view());
  const SerializerSnapshot type = Serializer<T>::snapshot();
  SCOPED_TRACE(type.typeName());

  const std::string with_more = bytes + "more";
  DataInput whole(with_more);
  skipValue(type, whole);
  EXPECT_TRUE(whole.ok()) << whole.error();
  EXPECT_EQ(whole.position(), bytes.size());

  for (size_t size = 0; size < bytes.size(); ++size) {
    DataInput part(std::string_view(bytes).substr(0, size));
    skipValue(type, part);
    EXPECT_FALSE(part.ok()) << "the first " << size << " of " << bytes.size() << " bytes";
  }
}

TEST(SkipValueTest, PassesOverSimpleValues) {
  expectSkipped(true);
  expectSkipped(int8_t{1});
  expectSkipped(int16_t{2});
  expectSkipped(int32_t{3});
  expectSkipped(int64_t{4});
  expectSkipped(uint8_t{1});
  expectSkipped(uint16_t{2});
  expectSkipped(uint32_t{3});
  expectSkipped(uint64_t{4});
  expectSkipped(1.5f);
  expectSkipped(2.5);
  expectSkipped(Colour::kGreen);
  expectSkipped(VoidNamespace());
  expectSkipped(TimeWindow{0, 10});
  expectSkipped(std::chrono::milliseconds(5));
  expectSkipped(std::chrono::system_clock::time_point());
}

TEST(SkipValueTest, PassesOverText) {
  expectSkipped(std::string());
  expectSkipped(std::string("text"));
  expectSkipped(std::string(300, 'x'));
  expectSkipped(std::string("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80"));
  expectSkipped(std::string("no \xFF text"));
}

TEST(SkipValueTest, PassesOverContainers) {
  expectSkipped(std::vector<int32_t>{});
  expectSkipped(std::vector<std::string>{"a", "", "b"});
  expectSkipped(std::vector<bool>{true, false});
  expectSkipped(std::map<std::string, int64_t>{{"a", 1}, {"b", 2}});
  expectSkipped(std::unordered_map<int32_t, std::optional<std::string>>{{1, "x"}, {2, {}}});
  expectSkipped(std::pair<std::string, int32_t>("a", 1));
  expectSkipped(std::tuple<int64_t, std::string, std::vector<double>>(1, "a", {1.0, 2.0}));
  expectSkipped(std::vector<std::map<std::string, std::vector<int8_t>>>{{{"a", {1, 2}}}, {}});
}

TEST(SkipValueTest, PassesOverWhatMayBeMissing) {
  expectSkipped(std::optional<int32_t>());
  expectSkipped(std::optional<int32_t>(1));
  expectSkipped(std::optional<std::string>());
  expectSkipped(std::optional<std::string>("a"));
  expectSkipped(std::optional<Inner>());
  expectSkipped(std::optional<Inner>(Inner{"a", 1}));
}

TEST(SkipValueTest, PassesOverAlternatives) {
  using Choice = std::variant<std::monostate, int32_t, std::string>;
  expectSkipped(Choice());
  expectSkipped(Choice(5));
  expectSkipped(Choice("five"));
  expectSkipped(TaggedUnion<std::string, int64_t>::left("a"));
  expectSkipped(TaggedUnion<std::string, int64_t>::right(1));
  expectSkipped(Joined{{"a", "b"}, {1, 2, 3}});
}

TEST(SkipValueTest, PassesOverDescribedStructs) {
  expectSkipped(Inner{"a", {}});
  expectSkipped(Outer{{"a", 1}, {}, {}, {}, true});
  expectSkipped(Outer{{"a", {}}, Inner{"b", 2}, {{"c", 3}, {"", {}}}, {{"x", 1.0}}, false});
}

TEST(SkipValueTest, PassesOverWhatAnIntervalJoinKeeps) {
  expectSkipped(runtime::BufferEntry<Inner>{{"a", 1}, true});
  expectSkipped(std::vector<runtime::BufferEntry<std::string>>{{"a", false}, {"", false}});
}

TEST(SkipValueTest, PassesOverTimers) {
  expectSkipped(runtime::Timer<std::string, VoidNamespace>{-5, "key", {}});
  expectSkipped(runtime::Timer<int64_t, TimeWindow>{5, 1, {0, 10}});
}

std::string errorOf(const SerializerSnapshot& type, std::string bytes) {
  DataInput input(bytes);
  skipValue(type, input);
  return input.error();
}

TEST(SkipValueTest, SaysWhatIsWrongWithDamagedBytes) {
  using ::testing::HasSubstr;
  const auto tagged = Serializer<TaggedUnion<int32_t, int32_t>>::snapshot();
  EXPECT_THAT(errorOf(tagged, std::string("\x03\0\0\0\0", 5)), HasSubstr("unknown tag"));
  EXPECT_THAT(errorOf(tagged, std::string("\x00\0\0\0\0", 5)), HasSubstr("unknown tag"));
  EXPECT_THAT(errorOf(Serializer<Inner>::snapshot(), "\x04"), HasSubstr("subclass"));
  EXPECT_THAT(errorOf(SerializerSnapshot::string(), "\xFF\xFF\xFF\xFF\xFF\xFF"),
              HasSubstr("too many bytes"));
  // A count that the bytes cannot hold ends at once.
  EXPECT_NE(errorOf(Serializer<std::vector<int32_t>>::snapshot(), "\x7F\xFF\xFF\xFF"), "");
}

}  // namespace
}  // namespace wiesel::state
