#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/filesystem/absolute_path.h"
#include "common/filesystem/file_system.h"

namespace wiesel {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

TEST(PathsTest, StripsTheFileScheme) {
  for (const auto& [uri, path] : Rows{{"file:///x/y", "/x/y"},
                                      {"file:/x/y", "/x/y"},
                                      {"/x/y", "/x/y"},
                                      {"x", "x"},
                                      {"s3://bucket/x", "s3://bucket/x"}}) {
    EXPECT_EQ(stripFileScheme(uri), path);
  }
}

TEST(PathsTest, MakesFileUris) {
  for (const auto& [path, uri] : Rows{{"/x/y", "file:/x/y"},
                                      {"file:/x", "file:/x"},
                                      {"file:///x", "file:///x"},
                                      {"s3://bucket/x", "s3://bucket/x"},
                                      {"/a:/b", "file:/a:/b"},
                                      {"a:/b", "file:a:/b"},
                                      {"a b://c", "file:a b://c"},
                                      {"://c", "file:://c"}}) {
    EXPECT_EQ(toFileUri(path), uri);
  }
}

TEST(PathsTest, ARelativePathIsMeantFromHere) {
  const std::string here = std::filesystem::current_path().string();
  for (const auto& [given, absolute] : Rows{{"x/../y", here + "/y"},
                                            {"run-12:30/chk-1", here + "/run-12:30/chk-1"},
                                            {"12:30", here + "/12:30"},
                                            {"/x/y", "/x/y"},
                                            {"", ""},
                                            {"file:///x", "file:///x"},
                                            {"file:/x", "file:/x"},
                                            {"s3://bucket/x", "s3://bucket/x"}}) {
    EXPECT_EQ(absolutePath(given), absolute);
  }
}

TEST(PathsTest, FindsTheParent) {
  for (const auto& [path, parent] :
       Rows{{"/a/b", "/a"}, {"/a", "/"}, {"/", "/"}, {"a", "."}, {"a/b/", "a"}, {"/a/b/", "/a"}}) {
    EXPECT_EQ(parentPath(path), parent) << path;
  }
}

TEST(PathsTest, Joins) {
  EXPECT_EQ(joinPath("/a", "b"), "/a/b");
  EXPECT_EQ(joinPath("/a/", "b"), "/a/b");
  EXPECT_EQ(joinPath("", "b"), "b");
}

}  // namespace
}  // namespace wiesel
