#include "checkpoint/metadata/java_object.h"

#include <string>
#include <vector>

#include "common/serialization/data_input.h"

namespace wiesel::checkpoint {
namespace {

/// Walks over the Java Object Serialization Stream Protocol (version 5).
class JavaObjectWalker {
 public:
  explicit JavaObjectWalker(std::string_view bytes) : input_(bytes) {}

  absl::Status walk() {
    if (input_.readUnsignedShort() != 0xACED || input_.readUnsignedShort() != 5) {
      input_.fail("no Java object stream");
    }
    walkObject(0);
    if (input_.ok() && !input_.atEnd()) input_.fail("bytes after the object");
    return input_.ok() ? absl::OkStatus() : absl::DataLossError(input_.error());
  }

 private:
  static constexpr int kMaxDepth = 16;
  static constexpr int32_t kFirstHandle = 0x7E0000;
  enum Tag : uint8_t {
    kNull = 0x70,
    kReference = 0x71,
    kClass = 0x72,
    kObject = 0x73,
    kString = 0x74,
    kEndOfBlock = 0x78,
    kEnum = 0x7E,
  };

  using FieldTypes = std::string;  // Type codes, those of the superclass first.

  /// Reads the rest of a reference; returns the index of its target.
  size_t walkReference() {
    const int64_t index = static_cast<int64_t>(input_.readInt()) - kFirstHandle;
    if (index < 0 || index >= static_cast<int64_t>(classes_.size())) {
      input_.fail("a reference to nothing");
      return 0;
    }
    return static_cast<size_t>(index);
  }

  void walkObject(int depth) {
    if (depth > kMaxDepth) input_.fail("objects nested too deeply");
    if (!input_.ok()) return;
    switch (input_.readByte()) {
      case kNull:
        return;
      case kReference:
        walkReference();
        return;
      case kString:
        input_.skip(input_.readUnsignedShort());
        classes_.emplace_back();
        return;
      case kEnum:
        walkClass(depth + 1);
        classes_.emplace_back();
        walkObject(depth + 1);
        return;
      case kObject: {
        const FieldTypes fields = walkClass(depth + 1);
        classes_.emplace_back();
        for (const char type : fields) walkField(type, depth + 1);
        return;
      }
      default:
        input_.fail("an object of unknown kind");
    }
  }

  FieldTypes walkClass(int depth) {
    if (depth > kMaxDepth) input_.fail("classes nested too deeply");
    if (!input_.ok()) return {};
    switch (input_.readByte()) {
      case kNull:
        return {};
      case kReference: {
        const size_t index = walkReference();
        return index < classes_.size() ? classes_[index] : FieldTypes{};
      }
      case kClass:
        return walkNewClass(depth);
      default:
        input_.fail("a class of unknown kind");
        return {};
    }
  }

  FieldTypes walkNewClass(int depth) {
    input_.skip(input_.readUnsignedShort());  // Name.
    input_.skip(8);                           // serialVersionUID.
    const size_t own_index = classes_.size();
    classes_.emplace_back();
    input_.skip(1);  // Flags.
    FieldTypes own;
    const uint16_t count = input_.readUnsignedShort();
    for (uint16_t i = 0; i < count && input_.ok(); ++i) {
      const char type = static_cast<char>(input_.readByte());
      input_.skip(input_.readUnsignedShort());
      if (type == 'L' || type == '[') walkObject(depth + 1);  // The type's name.
      own.push_back(type);
    }
    if (input_.readByte() != kEndOfBlock) input_.fail("annotated classes are not expected");
    const FieldTypes all = walkClass(depth + 1) + own;
    classes_[own_index] = all;
    return all;
  }

  void walkField(char type, int depth) {
    switch (type) {
      case 'Z':
      case 'B':
        return input_.skip(1);
      case 'C':
      case 'S':
        return input_.skip(2);
      case 'I':
      case 'F':
        return input_.skip(4);
      case 'J':
      case 'D':
        return input_.skip(8);
      case 'L':
        return walkObject(depth);
      default:
        input_.fail("a field of unknown type");
    }
  }

  DataInput input_;
  std::vector<FieldTypes> classes_;  // By handle; empty for handles of other things.
};

}  // namespace

absl::Status checkJavaObject(std::string_view bytes) { return JavaObjectWalker(bytes).walk(); }

}  // namespace wiesel::checkpoint
