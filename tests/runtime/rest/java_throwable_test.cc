#include "runtime/rest/java_throwable.h"

#include <gtest/gtest.h>

#include <string>

namespace wiesel::runtime {
namespace {

TEST(Base64Test, PadsTheEnd) {
  EXPECT_EQ(encodeBase64(""), "");
  EXPECT_EQ(encodeBase64("f"), "Zg==");
  EXPECT_EQ(encodeBase64("fo"), "Zm8=");
  EXPECT_EQ(encodeBase64("foo"), "Zm9v");
  EXPECT_EQ(encodeBase64("\xff\xfe\xfd\xfc"), "//79/A==");
}

// The expected text was read back by Flink's own reader.
TEST(JavaThrowableTest, WritesWhatFlinkReads) {
  EXPECT_EQ(serializedThrowable("java.lang.RuntimeException", "boom", "stack"),
            "rO0ABXNyAClvcmcuYXBhY2hlLmZsaW5rLnV0aWwuU2VyaWFsaXplZFRocm93YWJsZWUWnfUfpxPzAgADTAAZ"
            "ZnVsbFN0cmluZ2lmaWVkU3RhY2tUcmFjZXQAEkxqYXZhL2xhbmcvU3RyaW5nO0wAFm9yaWdpbmFsRXJyb3JD"
            "bGFzc05hbWVxAH4AAVsAE3NlcmlhbGl6ZWRFeGNlcHRpb250AAJbQnhyABNqYXZhLmxhbmcuRXhjZXB0aW9u"
            "0P0fPho7HMQCAAB4cgATamF2YS5sYW5nLlRocm93YWJsZdXGNSc5d7jLAwAETAAFY2F1c2V0ABVMamF2YS9s"
            "YW5nL1Rocm93YWJsZTtMAA1kZXRhaWxNZXNzYWdlcQB+AAFbAApzdGFja1RyYWNldAAeW0xqYXZhL2xhbmcv"
            "U3RhY2tUcmFjZUVsZW1lbnQ7TAAUc3VwcHJlc3NlZEV4Y2VwdGlvbnN0ABBMamF2YS91dGlsL0xpc3Q7eHBw"
            "dAAgamF2YS5sYW5nLlJ1bnRpbWVFeGNlcHRpb246IGJvb211cgAeW0xqYXZhLmxhbmcuU3RhY2tUcmFjZUVs"
            "ZW1lbnQ7AkYqPDz9IjkCAAB4cAAAAABzcgAfamF2YS51dGlsLkNvbGxlY3Rpb25zJEVtcHR5TGlzdHq4F7Q8"
            "p57eAgAAeHB4dAAFc3RhY2t0ABpqYXZhLmxhbmcuUnVudGltZUV4Y2VwdGlvbnA=");
}

TEST(JavaThrowableTest, CutsALongTextToWhatTheFormatHolds) {
  const std::string long_text(100'000, 'x');
  const std::string encoded = serializedThrowable("a.B", "m", long_text);
  EXPECT_GT(encoded.size(), 65535);
  EXPECT_LT(encoded.size(), 100'000);
}

}  // namespace
}  // namespace wiesel::runtime
