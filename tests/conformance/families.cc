#include "tests/conformance/families.h"

namespace wiesel::conformance {

std::vector<Family> allFamilies() {
  return {keyGroupsFamily(), watermarkFamily(), rollingFamily()};
}

}  // namespace wiesel::conformance
