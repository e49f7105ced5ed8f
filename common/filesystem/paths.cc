#include <algorithm>

#include "common/filesystem/file_system.h"

namespace wiesel {
namespace {

constexpr std::string_view kScheme = "file:";

bool isSchemeCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '-' || c == '.';
}

// "a:b" and "a:/b" are paths, as a file name may hold a colon.
bool hasScheme(std::string_view uri_or_path) {
  if (uri_or_path.starts_with(kScheme)) return true;
  const std::string_view scheme = uri_or_path.substr(0, uri_or_path.find("://"));
  return !scheme.empty() && scheme.size() < uri_or_path.size() &&
         std::all_of(scheme.begin(), scheme.end(), isSchemeCharacter);
}

}  // namespace

std::string stripFileScheme(std::string_view uri_or_path) {
  if (!uri_or_path.starts_with(kScheme)) return std::string(uri_or_path);
  std::string_view path = uri_or_path.substr(kScheme.size());
  if (path.starts_with("//")) path.remove_prefix(2);
  return std::string(path);
}

std::string toFileUri(std::string_view path) {
  if (hasScheme(path)) return std::string(path);
  return std::string(kScheme) + std::string(path);
}

std::string joinPath(std::string_view directory, std::string_view name) {
  std::string joined(directory);
  if (!joined.empty() && joined.back() != '/') joined += '/';
  joined += name;
  return joined;
}

std::string parentPath(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

}  // namespace wiesel
