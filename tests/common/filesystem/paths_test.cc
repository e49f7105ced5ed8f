#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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
                                      {"/a:/b", "file:/a:/b"}}) {
    EXPECT_EQ(toFileUri(path), uri);
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
