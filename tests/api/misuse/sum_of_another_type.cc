// expect: wiesel: sum(&Type::member) needs a member of the stream's records
#include "tests/api/misuse/misuse.h"
struct Order {
  int64_t amount = 0;
};
auto stream() {
  return text().keyBy([](const std::string& line) { return line; }).sum(&Order::amount);
}
