#include "tests/conformance/families.h"

namespace wiesel::conformance {

std::vector<Family> allFamilies() {
  return {
      asyncFamily(),        barriersFamily(),  broadcastFamily(),      coProcessFamily(),
      intervalJoinFamily(), keyGroupsFamily(), partitionersFamily(),   processFamily(),
      rollingFamily(),      stateTtlFamily(),  twoPhaseCommitFamily(), valveFamily(),
      watermarkFamily(),    windowFamily(),    windowJoinFamily(),
  };
}

}  // namespace wiesel::conformance
