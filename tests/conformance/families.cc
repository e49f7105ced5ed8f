#include "tests/conformance/families.h"

namespace wiesel::conformance {

std::vector<Family> allFamilies() {
  return {
      barriersFamily(), keyGroupsFamily(), partitionersFamily(),
      rollingFamily(),  valveFamily(),     watermarkFamily(),
  };
}

}  // namespace wiesel::conformance
