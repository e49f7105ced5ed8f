#include "common/check.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace wiesel::internal {

CheckFailure::CheckFailure(const char* file, int line, const char* condition)
    : stream_(new std::ostringstream) {
  *stream_ << file << ":" << line << ": check failed: " << condition << " ";
}

CheckFailure::~CheckFailure() {
  std::string message = static_cast<std::ostringstream*>(stream_)->str();
  message += "\n";
  std::fwrite(message.data(), 1, message.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace wiesel::internal
