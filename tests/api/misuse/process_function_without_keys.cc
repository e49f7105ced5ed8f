// expect: wiesel: a KeyedProcessFunction needs keys: call keyBy() before process()
#include "tests/api/misuse/misuse.h"
struct Last : wiesel::KeyedProcessFunction<int64_t, std::string, std::string> {
  void processElement(const std::string&, Context&, wiesel::Collector<std::string>&) override {}
};
auto stream() { return text().process(Last()); }
