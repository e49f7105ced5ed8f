#include "runtime/process/file_limit.h"

#include <sys/resource.h>

namespace wiesel::runtime {

void raiseFileLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace wiesel::runtime
