// expect: wiesel: a DataStream is no operator of its own
#include "tests/api/misuse/misuse.h"
void program() {
  const wiesel::OutputTag<int> late("late");
  text().map([](const std::string& line) { return line; }).getSideOutput(late).uid("late");
}
