#include "client/pid_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_format.h"

namespace wiesel::client {

namespace {

/// A pid may have been given to another process since it was written down.
bool isProcessOfRole(pid_t pid, const std::string& role) {
  std::ifstream file(absl::StrFormat("/proc/%d/cmdline", pid), std::ios::binary);
  const std::string command{std::istreambuf_iterator<char>(file), {}};
  const size_t second = command.find('\0');
  return second != std::string::npos &&
         command.substr(second + 1, role.size() + 1) == role + std::string(1, '\0');
}

std::vector<pid_t> pidsIn(const std::string& file) {
  std::ifstream in(file);
  return {std::istream_iterator<pid_t>(in), std::istream_iterator<pid_t>()};
}

}  // namespace

std::string pidFile(const std::string& directory, const std::string& role) {
  return absl::StrFormat("%s/wiesel-%d-%s.pid", directory, ::getuid(), role);
}

absl::Status appendPid(const std::string& file, pid_t pid) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), error);
  std::ofstream out(file, std::ios::app);
  out << pid << "\n" << std::flush;
  if (out) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrFormat(
      "cannot write the pid file '%s' (env.pid.dir): %s", file, std::strerror(errno)));
}

void removePid(const std::string& file, pid_t pid) {
  std::vector<pid_t> pids = pidsIn(file);
  if (std::erase(pids, pid) == 0) return;
  if (pids.empty()) {
    ::unlink(file.c_str());
    return;
  }
  std::ofstream out(file, std::ios::trunc);
  for (const pid_t other : pids) out << other << "\n";
}

std::vector<pid_t> livingPids(const std::string& file, const std::string& role) {
  std::vector<pid_t> pids = pidsIn(file);
  std::erase_if(pids, [&role](pid_t pid) { return !isProcessOfRole(pid, role); });
  return pids;
}

}  // namespace wiesel::client
