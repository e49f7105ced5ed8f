// expect: wiesel: the function of a ReducingState cannot be a RichFunction
#include "tests/api/misuse/misuse.h"
struct Add : wiesel::RichFunction {
  int reduce(int a, int b) const { return a + b; }
};
const wiesel::ReducingStateDescriptor<int> sum("sum", Add());
