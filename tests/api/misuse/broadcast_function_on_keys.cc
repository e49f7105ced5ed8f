// expect: wiesel: a BroadcastProcessFunction can only be used on a stream without keys
#include "tests/api/misuse/misuse.h"
struct Names : wiesel::BroadcastProcessFunction<std::string, std::string, int> {
  void processElement(const std::string&, ReadOnlyContext&, wiesel::Collector<int>&) override {}
  void processBroadcastElement(const std::string&, Context&, wiesel::Collector<int>&) override {}
};
auto stream() {
  const wiesel::MapStateDescriptor<std::string, int> names{"names"};
  return text()
      .keyBy([](const std::string& line) { return line; })
      .connect(text().broadcast(names))
      .process(Names{});
}
