#include "connectors/socket/socket_source.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "connectors/socket/socket_line_reader.h"
#include "tests/connectors/line_server.h"
#include "tests/connectors/source_harness.h"

namespace wiesel {
namespace {

using testing::LineServer;
using testing::SourceHarness;

using Lines = std::vector<std::string>;
constexpr std::chrono::milliseconds kSoon{1};

SocketTextSource sourceOf(const LineServer& server, int64_t max_retries = 0,
                          const std::string& host = "127.0.0.1") {
  return SocketTextSource(host, server.port(), '\n', max_retries, kSoon);
}

/// What poll() throws sooner or later.
std::string failureOf(SourceHarness<std::string>& harness) {
  try {
    return harness.pollToEnd() ? "the end came" : "no failure came";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(SocketSourceTest, GivesTheLinesAndEndsWithTheStream) {
  LineServer server;
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  server.send("one\r\ntwo\nrest");
  server.closeClient();
  ASSERT_TRUE(harness.pollToEnd());
  EXPECT_EQ(harness.take(), (Lines{"one", "two", "rest"}));
}

TEST(SocketSourceTest, GivesALineBeforeTheNextOneComes) {
  LineServer server;
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  for (const std::string line : {"a", "b"}) {
    server.send(line + "\n");
    ASSERT_TRUE(harness.pollUntil(1));
    EXPECT_EQ(harness.take(), Lines{line});
  }
}

TEST(SocketSourceTest, FindsTheServerByItsName) {
  LineServer server;
  const SocketTextSource source = sourceOf(server, 0, "localhost");
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  server.send("a\n");
  EXPECT_TRUE(harness.pollUntil(1));
}

TEST(SocketSourceTest, NamesTheServerThatRefuses) {
  LineServer server;
  server.stopListening();
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  EXPECT_TRUE(failureOf(harness).starts_with(
      "cannot connect to 127.0.0.1:" + std::to_string(server.port()) + ": Connection refused"))
      << failureOf(harness);
}

TEST(SocketSourceTest, GivesWhatCameBeforeTheConnectionBroke) {
  LineServer server;
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  server.send("a\nhalf");
  ASSERT_TRUE(harness.pollUntil(1));
  server.resetClient();
  EXPECT_TRUE(failureOf(harness).starts_with("cannot read from 127.0.0.1:"));
  EXPECT_EQ(harness.take(), Lines{"a"});
}

TEST(SocketSourceTest, ConnectsAgainWhileRetriesAreLeft) {
  LineServer server;
  const SocketTextSource source = sourceOf(server, 2);
  SourceHarness<std::string> harness(source);
  harness.open();
  for (const char* text : {"a\nb", "c\nd\n", "e\n"}) {
    server.accept();
    server.send(text);
    server.closeClient();
  }
  ASSERT_TRUE(harness.pollToEnd());
  // Flink joins a rest with what the next connection brings.
  EXPECT_EQ(harness.take(), (Lines{"a", "bc", "d", "e"}));
}

TEST(SocketSourceTest, StopsReadingWhenNobodyTakesTheLines) {
  LineServer server;
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  const std::string line(1023, 'x');
  std::string block;
  for (int i = 0; i < 64; ++i) block += line + "\n";
  // The kernel's buffers take some MiB; a reader without a bound would take everything.
  const size_t sent = server.sendUntilBlocked(block);
  ASSERT_GT(sent, connectors::SocketLineReader::kMaxBufferedBytes);
  ASSERT_TRUE(harness.pollUntil(sent / 1024));
  EXPECT_EQ(harness.take().back(), line);
}

TEST(SocketSourceTest, ClosesTheConnectionWhileItWaitsForBytes) {
  LineServer server;
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  harness.close();
  server.awaitClientGone();
}

TEST(SocketSourceTest, ClosesTheConnectionWhileItWaitsForSpace) {
  LineServer server;
  const SocketTextSource source = sourceOf(server);
  SourceHarness<std::string> harness(source);
  harness.open();
  server.accept();
  server.sendUntilBlocked(std::string(64 * 1024, '\n'));
  harness.close();
  server.awaitClientGone();
}

TEST(SocketSourceTest, ClosesWhileItWaitsToTryAgain) {
  LineServer server;
  server.stopListening();
  const SocketTextSource source("127.0.0.1", server.port(), '\n', -1, std::chrono::hours(1));
  SourceHarness<std::string> harness(source);
  harness.open();
  harness.close();
  EXPECT_EQ(harness.wakes().pop(std::chrono::milliseconds(0)), std::nullopt);
}

}  // namespace
}  // namespace wiesel
