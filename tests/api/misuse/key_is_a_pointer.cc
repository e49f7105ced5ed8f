// expect: wiesel: a key must own its value
#include "tests/api/misuse/misuse.h"
auto stream() {
  return text().keyBy([](const std::string& line) { return line.c_str(); });
}
