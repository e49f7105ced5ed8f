// expect: wiesel: Order has a field that its WIESEL_DESCRIBE leaves out: add the field, or use
// WIESEL_DESCRIBE_PARTIAL
#include "tests/api/misuse/misuse.h"
struct Order {
  std::string user;
  double amount = 0;
};
WIESEL_DESCRIBE(Order, user)
auto stream() {
  return text().map([](const std::string& user) { return Order{user, 1}; });
}
