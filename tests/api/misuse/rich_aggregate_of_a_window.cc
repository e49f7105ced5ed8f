// expect: wiesel: the aggregate function of a window cannot be a RichFunction
#include "tests/api/misuse/misuse.h"
struct Count : wiesel::AggregateFunction<std::string, int64_t, int64_t>, wiesel::RichFunction {
  int64_t createAccumulator() const override { return 0; }
  int64_t add(const std::string&, int64_t count) const override { return count + 1; }
  int64_t getResult(const int64_t& count) const override { return count; }
  int64_t merge(int64_t a, int64_t b) const override { return a + b; }
};
void program() {
  text()
      .windowAll(wiesel::TumblingProcessingTimeWindows::of(std::chrono::seconds(1)))
      .aggregate(Count());
}
