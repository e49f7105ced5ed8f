// expect: wiesel: the KeyedProcessFunction's key type is not the stream's
#include "tests/api/misuse/misuse.h"
struct Count : wiesel::KeyedProcessFunction<int64_t, std::string, std::string> {
  void processElement(const std::string&, Context&, wiesel::Collector<std::string>&) override {}
};
auto stream() {
  return text().keyBy([](const std::string& line) { return line; }).process(Count());
}
