#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "common/config/configuration.h"
#include "common/random.h"

namespace wiesel::runtime {

/// The temporary folder of one process: made anew, locked while the process lives, removed with
/// all that is in it at the end. Folders that killed processes left behind are removed by the next.
class WorkingDirectory {
 public:
  /// Makes `parent`/wiesel-`role`-PID-XXXX. Errors name the path and the errno text.
  static absl::StatusOr<WorkingDirectory> create(const std::string& parent, const std::string& role,
                                                 RandomSource& random);
  WorkingDirectory(WorkingDirectory&& other) noexcept;
  WorkingDirectory& operator=(WorkingDirectory&&) = delete;
  ~WorkingDirectory();

  const std::string& path() const { return path_; }

  /// Removes the siblings whose processes are gone, of the same role also when they are empty. May
  /// take long.
  void removeAbandonedSiblings() const;

 private:
  WorkingDirectory(std::string path, std::string role, int lock_fd);

  std::string path_;
  std::string role_;
  int lock_fd_;
};

/// The first folder of io.tmp.dirs.
std::string temporaryDirectoryOf(const Configuration& configuration);

/// Makes and returns the folder for log files of the process called `name`: below env.log.dir, or
/// below the temporary folder when that is not set. An absolute path.
absl::StatusOr<std::string> createLogDirectory(const Configuration& configuration,
                                               const std::string& name);

}  // namespace wiesel::runtime
