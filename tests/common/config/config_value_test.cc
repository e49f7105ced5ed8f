#include "common/config/config_value.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/config/checkpointing_options.h"
#include "common/config/restart_options.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;

template <class T>
struct Row {
  std::string text;
  std::optional<T> value;
};

template <class T>
void expectParsed(const std::vector<Row<T>>& rows) {
  for (const Row<T>& row : rows) {
    EXPECT_EQ(ConfigValue<T>::parse(row.text), row.value) << "'" << row.text << "'";
    if (row.value.has_value()) {
      const std::string written = ConfigValue<T>::format(*row.value);
      EXPECT_EQ(ConfigValue<T>::parse(written), row.value) << "'" << written << "'";
    }
  }
}

TEST(ConfigValueTest, Durations) {
  expectParsed<milliseconds>({
      {"500", milliseconds(500)},
      {"0", milliseconds(0)},
      {"500 ms", milliseconds(500)},
      {"500ms", milliseconds(500)},
      {"  10   s ", milliseconds(10'000)},
      {"10s", milliseconds(10'000)},
      {"10 sec", milliseconds(10'000)},
      {"10 seconds", milliseconds(10'000)},
      {"1 min", milliseconds(60'000)},
      {"1m", milliseconds(60'000)},
      {"2 MINUTES", milliseconds(120'000)},
      {"1 h", milliseconds(3'600'000)},
      {"1 d", milliseconds(86'400'000)},
      {"3 days", milliseconds(259'200'000)},
      {"1500 µs", milliseconds(1)},
      {"2000000 ns", milliseconds(2)},
      {"PT10S", std::nullopt},
      {"-1 s", std::nullopt},
      {"-1", std::nullopt},
      {"1.5 s", std::nullopt},
      {"10 fortnights", std::nullopt},
      {"s", std::nullopt},
      {"", std::nullopt},
      {"1 s 5 ms", std::nullopt},
      {"9223372036854775808", std::nullopt},
      {"9223372036854775807 d", std::nullopt},
  });
}

TEST(ConfigValueTest, DurationsAreWrittenWithTheLargestUnit) {
  const std::vector<std::pair<int64_t, std::string>> rows = {
      {0, "0 ms"},         {1, "1 ms"},        {1500, "1500 ms"},   {10'000, "10 s"},
      {600'000, "10 min"}, {3'600'000, "1 h"}, {172'800'000, "2 d"}};
  for (const auto& [duration_ms, text] : rows) {
    EXPECT_EQ(ConfigValue<milliseconds>::format(milliseconds(duration_ms)), text);
  }
}

TEST(ConfigValueTest, Sizes) {
  expectParsed<MemorySize>({
      {"1024", MemorySize{1024}},
      {"17 bytes", MemorySize{17}},
      {"17b", MemorySize{17}},
      {"32 kb", MemorySize::ofKibibytes(32)},
      {"32k", MemorySize::ofKibibytes(32)},
      {"64 mb", MemorySize::ofMebibytes(64)},
      {"64m", MemorySize::ofMebibytes(64)},
      {"64 MB", MemorySize::ofMebibytes(64)},
      {"1g", MemorySize::ofGibibytes(1)},
      {"1 gibibytes", MemorySize::ofGibibytes(1)},
      {"1t", MemorySize::ofGibibytes(1024)},
      {"1 kib", std::nullopt},
      {"-1", std::nullopt},
      {"1.5g", std::nullopt},
      {"lots", std::nullopt},
      {"99999999t", std::nullopt},
  });
  EXPECT_EQ(ConfigValue<MemorySize>::format(MemorySize::ofKibibytes(20)), "20 kb");
  EXPECT_EQ(ConfigValue<MemorySize>::format(MemorySize{1025}), "1025 bytes");
}

TEST(ConfigValueTest, Booleans) {
  expectParsed<bool>({{"true", true},
                      {"FALSE", false},
                      {" true ", true},
                      {"yes", std::nullopt},
                      {"1", std::nullopt},
                      {"", std::nullopt}});
}

TEST(ConfigValueTest, Integers) {
  expectParsed<int32_t>({{"7", 7},
                         {"+7", 7},
                         {"-1", -1},
                         {"2147483647", 2147483647},
                         {"2147483648", std::nullopt},
                         {"7.0", std::nullopt},
                         {"0x10", std::nullopt},
                         {"+-7", std::nullopt},
                         {"+", std::nullopt},
                         {"", std::nullopt}});
  expectParsed<int64_t>(
      {{"9223372036854775807", INT64_MAX}, {"9223372036854775808", std::nullopt}});
}

TEST(ConfigValueTest, Doubles) {
  expectParsed<double>({{"0.4", 0.4},
                        {"1e3", 1000.0},
                        {"-2", -2.0},
                        {"inf", std::nullopt},
                        {"nan", std::nullopt},
                        {"0,4", std::nullopt},
                        {"", std::nullopt}});
}

TEST(ConfigValueTest, Ports) {
  expectParsed<PortRange>({{"8081", PortRange{{8081}}},
                           {"0", PortRange{{0}}},
                           {"8081-8083", PortRange{{8081, 8082, 8083}}},
                           {"50100, 50200-50201", PortRange{{50100, 50200, 50201}}},
                           {"65535-65535", PortRange{{65535}}},
                           {"65536", std::nullopt},
                           {"8083-8081", std::nullopt},
                           {"-5", std::nullopt},
                           {"8081,", std::nullopt},
                           {"", std::nullopt}});
}

TEST(ConfigValueTest, ListsAndMaps) {
  using List = std::vector<std::string>;
  using Map = std::map<std::string, std::string>;
  expectParsed<List>({{"a;b", List{"a", "b"}}, {"", List{}}, {"'a;b'", List{"a;b"}}});
  expectParsed<Map>({{"k:v,l:w", Map{{"k", "v"}, {"l", "w"}}},
                     {"k:'v:1,2'", std::nullopt},
                     {"'k:''v:1,2'''", Map{{"k", "v:1,2"}}},
                     {"", Map{}},
                     {"k", std::nullopt},
                     {"k:v:w", std::nullopt}});
}

TEST(ConfigValueTest, EnumsInAnyCaseButWithUnderscores) {
  expectParsed<CheckpointRetention>(
      {{"RETAIN_ON_CANCELLATION", CheckpointRetention::kRetainOnCancellation},
       {"delete_on_cancellation", CheckpointRetention::kDeleteOnCancellation},
       {"retain-on-cancellation", std::nullopt}});
  expectParsed<RestartStrategyType>({{"off", RestartStrategyType::kNone},
                                     {"Fixed-Delay", RestartStrategyType::kFixedDelay},
                                     {"fixeddelay", RestartStrategyType::kFixedDelay},
                                     {"sometimes", std::nullopt}});
  EXPECT_EQ(ConfigValue<CheckpointingMode>::form(), "one of EXACTLY_ONCE, AT_LEAST_ONCE");
}

}  // namespace
}  // namespace wiesel
