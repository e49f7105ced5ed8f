#pragma once

#include <string>
#include <string_view>

namespace wiesel::runtime {

/// Flink's Java client reads the cause of a failure from a Java object: base64 of a serialized
/// org.apache.flink.util.SerializedThrowable without stack trace elements. Texts are cut at 65535
/// bytes.
std::string serializedThrowable(std::string_view class_name, std::string_view message,
                                std::string_view stack_trace);

std::string encodeBase64(std::string_view bytes);

}  // namespace wiesel::runtime
