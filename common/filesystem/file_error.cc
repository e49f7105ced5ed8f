#include "common/filesystem/file_error.h"

#include <cerrno>
#include <system_error>

#include "absl/strings/str_format.h"

namespace wiesel {
namespace {

absl::StatusCode codeOf(int error_number) {
  switch (error_number) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EEXIST:
      return absl::StatusCode::kAlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
      return absl::StatusCode::kResourceExhausted;
    case ENOTDIR:
    case EISDIR:
    case ENOTEMPTY:
    case EBADF:
    case EXDEV:
      return absl::StatusCode::kFailedPrecondition;
    case EINVAL:
    case ENAMETOOLONG:
    case ELOOP:
      return absl::StatusCode::kInvalidArgument;
    case ERANGE:
      return absl::StatusCode::kOutOfRange;
    case EIO:
    case EAGAIN:
    case EBUSY:
    case ETXTBSY:
    case ESTALE:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kInternal;
  }
}

std::string describe(std::string_view action, std::string_view path, int error_number) {
  return absl::StrFormat("cannot %s '%s': %s", action, path,
                         std::generic_category().message(error_number));
}

}  // namespace

absl::Status fileError(std::string_view action, std::string_view path, int error_number) {
  return absl::Status(codeOf(error_number), describe(action, path, error_number));
}

absl::Status fileError(std::string_view action, std::string_view path, int error_number,
                       uint64_t free_bytes) {
  if (error_number != ENOSPC && error_number != EDQUOT) {
    return fileError(action, path, error_number);
  }
  return absl::Status(
      codeOf(error_number),
      absl::StrFormat("%s (free_bytes=%d)", describe(action, path, error_number), free_bytes));
}

}  // namespace wiesel
