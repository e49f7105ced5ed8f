#include "runtime/worker/print_line.h"

#include <cstdio>

namespace wiesel::runtime {

void printLine(const std::string& line) {
  const std::string with_end = line + "\n";
  std::fwrite(with_end.data(), 1, with_end.size(), stdout);
  std::fflush(stdout);
}

}  // namespace wiesel::runtime
