// expect: wiesel: sum("field") needs records with named fields
#include "tests/api/misuse/misuse.h"
auto stream() {
  return text()
      .keyBy([](const std::string& line) { return line; })
      .window(wiesel::TumblingEventTimeWindows::of(std::chrono::seconds(1)))
      .sum("length");
}
