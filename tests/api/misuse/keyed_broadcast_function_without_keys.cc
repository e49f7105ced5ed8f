// expect: wiesel: a KeyedBroadcastProcessFunction can only be used on a keyed stream
#include "tests/api/misuse/misuse.h"
struct Names : wiesel::KeyedBroadcastProcessFunction<int, std::string, std::string, int> {
  void processElement(const std::string&, ReadOnlyContext&, wiesel::Collector<int>&) override {}
  void processBroadcastElement(const std::string&, Context&, wiesel::Collector<int>&) override {}
};
auto stream() {
  const wiesel::MapStateDescriptor<std::string, int> names{"names"};
  return text().connect(text().broadcast(names)).process(Names{});
}
