#include "tests/conformance/families.h"

namespace wiesel::conformance {

std::vector<Family> allFamilies() {
  return {
      asyncFamily(),          barriersFamily(), coProcessFamily(), keyGroupsFamily(),
      partitionersFamily(),   processFamily(),  rollingFamily(),   stateTtlFamily(),
      twoPhaseCommitFamily(), valveFamily(),    watermarkFamily(),
  };
}

}  // namespace wiesel::conformance
