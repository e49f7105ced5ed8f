#include "common/serialization/serializer.h"

namespace wiesel::internal {

void failNull(std::string_view what, DataInput& input) {
  input.fail(std::string(what) + " is null, which only a std::optional can hold");
}

bool readPojoFlags(std::string_view type_name, DataInput& input) {
  constexpr uint8_t kNull = 1;
  constexpr uint8_t kExactClass = 2;
  const uint8_t flags = input.readByte();
  if (flags == kExactClass) return true;
  if (flags != kNull) {
    input.fail("a value of " + std::string(type_name) + " has the flags " + std::to_string(flags) +
               ": values of subclasses cannot be read");
  }
  return false;
}

}  // namespace wiesel::internal
