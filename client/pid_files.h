#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace wiesel::client {

/// The file in `directory` that names this user's processes of a role ("jobmanager"), a pid a line.
std::string pidFile(const std::string& directory, const std::string& role);

/// Adds a pid to the file; makes directory and file.
absl::Status appendPid(const std::string& file, pid_t pid);

/// Takes a pid out of the file again; removes a file that would be empty. Nothing without a file.
void removePid(const std::string& file, pid_t pid);

/// The pids in the file whose processes live and are of the role. Empty without a file.
std::vector<pid_t> livingPids(const std::string& file, const std::string& role);

}  // namespace wiesel::client
