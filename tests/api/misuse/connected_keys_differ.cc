// expect: wiesel: both selectors of keyBy() must give keys of the same type
#include "tests/api/misuse/misuse.h"
auto stream() {
  return text().connect(text()).keyBy([](const std::string& line) { return line; },
                                      [](const std::string& line) { return line.size(); });
}
