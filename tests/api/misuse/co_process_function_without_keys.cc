// expect: wiesel: a KeyedCoProcessFunction needs keys: call keyBy() on both streams before
// process()
#include "tests/api/misuse/misuse.h"
struct Both : wiesel::KeyedCoProcessFunction<int64_t, std::string, std::string, std::string> {
  void processElement1(const std::string&, Context&, wiesel::Collector<std::string>&) override {}
  void processElement2(const std::string&, Context&, wiesel::Collector<std::string>&) override {}
};
auto stream() { return text().connect(text()).process(Both()); }
