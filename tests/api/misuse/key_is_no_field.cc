// expect: wiesel: keyBy("field") needs records with named fields
#include "tests/api/misuse/misuse.h"
auto stream() { return text().keyBy("length"); }
