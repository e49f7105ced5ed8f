// expect: wiesel: where() and equalTo() must give keys of the same type
#include "tests/api/misuse/misuse.h"
auto stream() {
  return text()
      .coGroup(text())
      .where([](const std::string& line) { return line; })
      .equalTo([](const std::string& line) { return static_cast<int64_t>(line.size()); });
}
