// expect: wiesel: a function must be copyable, since each subtask works on its own copy
#include "tests/api/misuse/misuse.h"
auto stream() {
  return text().map([big = std::make_unique<int>(1)](const std::string& line) { return line; });
}
