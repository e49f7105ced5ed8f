// expect: wiesel: a stream of bool is not supported
#include "tests/api/misuse/misuse.h"
auto stream() {
  return text().map([](const std::string& user) { return user.empty(); });
}
