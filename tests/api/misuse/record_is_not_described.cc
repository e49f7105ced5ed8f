// expect: the records of this stream cannot be serialized; describe the struct
#include "tests/api/misuse/misuse.h"
struct Order {
  std::string user;
};
auto stream() {
  return text().map([](const std::string& user) { return Order{user}; });
}
