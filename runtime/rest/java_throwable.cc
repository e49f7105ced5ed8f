#include "runtime/rest/java_throwable.h"

#include <algorithm>
#include <cstdint>

namespace wiesel::runtime {

namespace {

/// Writes Java's object serialization stream protocol, version 5.
class JavaStream {
 public:
  // Type codes of the protocol.
  static constexpr uint8_t kNull = 0x70;
  static constexpr uint8_t kReference = 0x71;
  static constexpr uint8_t kClassDescription = 0x72;
  static constexpr uint8_t kObject = 0x73;
  static constexpr uint8_t kString = 0x74;
  static constexpr uint8_t kArray = 0x75;
  static constexpr uint8_t kEndBlock = 0x78;
  // Flags of a class.
  static constexpr uint8_t kSerializable = 0x02;
  static constexpr uint8_t kWritesItself = 0x03;  // Has a writeObject method.

  JavaStream() { number(0xaced0005, 4); }

  void byte(uint8_t value) { bytes_ += static_cast<char>(value); }
  void number(uint64_t value, int num_bytes) {
    for (int i = num_bytes - 1; i >= 0; --i) byte(static_cast<uint8_t>(value >> (8 * i)));
  }
  void text(std::string_view value) {
    const std::string_view cut = value.substr(0, 0xffff);
    number(cut.size(), 2);
    bytes_ += cut;
  }
  void string(std::string_view value) {
    byte(kString);
    text(value);
  }
  void classDescription(std::string_view name, uint64_t serial_version, uint8_t flags,
                        int num_fields) {
    byte(kClassDescription);
    text(name);
    number(serial_version, 8);
    byte(flags);
    number(static_cast<uint64_t>(num_fields), 2);
  }
  /// A field whose type is named here for the first time.
  void field(char kind, std::string_view name, std::string_view type) {
    byte(static_cast<uint8_t>(kind));
    text(name);
    string(type);
  }
  /// A field of type String, whose name is the second thing that every stream of ours has.
  void stringField(std::string_view name) {
    byte('L');
    text(name);
    byte(kReference);
    number(0x7e0001, 4);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void writeClasses(JavaStream& stream) {
  stream.byte(JavaStream::kObject);
  stream.classDescription("org.apache.flink.util.SerializedThrowable", 0x65169df51fa713f3,
                          JavaStream::kSerializable, 3);
  stream.field('L', "fullStringifiedStackTrace", "Ljava/lang/String;");
  stream.stringField("originalErrorClassName");
  stream.field('[', "serializedException", "[B");
  stream.byte(JavaStream::kEndBlock);
  stream.classDescription("java.lang.Exception", 0xd0fd1f3e1a3b1cc4, JavaStream::kSerializable, 0);
  stream.byte(JavaStream::kEndBlock);
  stream.classDescription("java.lang.Throwable", 0xd5c635273977b8cb, JavaStream::kWritesItself, 4);
  stream.field('L', "cause", "Ljava/lang/Throwable;");
  stream.stringField("detailMessage");
  stream.field('[', "stackTrace", "[Ljava/lang/StackTraceElement;");
  stream.field('L', "suppressedExceptions", "Ljava/util/List;");
  stream.byte(JavaStream::kEndBlock);
  stream.byte(JavaStream::kNull);  // No further super class.
}

void writeThrowableFields(JavaStream& stream, std::string_view detail_message) {
  stream.byte(JavaStream::kNull);  // cause
  stream.string(detail_message);
  stream.byte(JavaStream::kArray);  // stackTrace
  stream.classDescription("[Ljava.lang.StackTraceElement;", 0x02462a3c3cfd2239,
                          JavaStream::kSerializable, 0);
  stream.byte(JavaStream::kEndBlock);
  stream.byte(JavaStream::kNull);
  stream.number(0, 4);
  stream.byte(JavaStream::kObject);  // suppressedExceptions
  stream.classDescription("java.util.Collections$EmptyList", 0x7ab817b43ca79ede,
                          JavaStream::kSerializable, 0);
  stream.byte(JavaStream::kEndBlock);
  stream.byte(JavaStream::kNull);
  stream.byte(JavaStream::kEndBlock);
}

}  // namespace

std::string serializedThrowable(std::string_view class_name, std::string_view message,
                                std::string_view stack_trace) {
  JavaStream stream;
  writeClasses(stream);
  writeThrowableFields(stream, std::string(class_name) + ": " + std::string(message));
  stream.string(stack_trace);
  stream.string(class_name);
  stream.byte(JavaStream::kNull);  // serializedException
  return encodeBase64(stream.bytes());
}

std::string encodeBase64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<uint8_t>(bytes[i + j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += j <= count ? kDigits[group >> (18 - 6 * j) & 0x3f] : '=';
    }
  }
  return text;
}

}  // namespace wiesel::runtime
