#include "runtime/worker/print_line.h"

#include <cstdio>

namespace wiesel::runtime {

void printLine(StandardStream stream, const std::string& line) {
  const std::string with_end = line + "\n";
  std::FILE* const file = stream == StandardStream::kOut ? stdout : stderr;
  std::fwrite(with_end.data(), 1, with_end.size(), file);
  std::fflush(file);
}

}  // namespace wiesel::runtime
