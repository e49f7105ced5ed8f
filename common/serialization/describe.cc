#include "common/serialization/describe.h"

namespace wiesel::internal {

std::string dottedTypeName(std::string_view compiler_name) {
  std::string dotted;
  while (!compiler_name.empty()) {
    bool hidden = false;
    for (const std::string_view unnamed : {"{anonymous}::", "(anonymous namespace)::"}) {
      if (!compiler_name.starts_with(unnamed)) continue;
      compiler_name.remove_prefix(unnamed.size());
      hidden = true;
    }
    if (hidden) continue;
    if (compiler_name.starts_with("::")) {
      dotted += '.';
      compiler_name.remove_prefix(2);
    } else {
      dotted += compiler_name.front();
      compiler_name.remove_prefix(1);
    }
  }
  return dotted;
}

std::string_view lastNamePart(std::string_view compiler_name) {
  const std::string_view before_arguments = compiler_name.substr(0, compiler_name.find('<'));
  const size_t colons = before_arguments.rfind("::");
  return colons == std::string_view::npos ? compiler_name : compiler_name.substr(colons + 2);
}

}  // namespace wiesel::internal
