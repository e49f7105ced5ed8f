// expect: wiesel: a DataStream is no operator of its own
#include "tests/api/misuse/misuse.h"
void program() { text().unionWith(text()).name("both"); }
