// expect: wiesel: a key type needs operator==
#include "tests/api/misuse/misuse.h"
struct Key {
  int64_t number = 0;
};
WIESEL_DESCRIBE(Key, number)
auto stream() {
  return text().keyBy([](const std::string&) { return Key{}; });
}
