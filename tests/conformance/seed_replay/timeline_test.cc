#include "tests/conformance/seed_replay/timeline.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "tests/conformance/seed_replay/timeline_player.h"

namespace wiesel::conformance {
namespace {

/// Connects to a port of this machine and reads to the end.
std::string readAllFrom(uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string text;
  if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) {
    char buffer[256];
    for (ssize_t count = 0; (count = recv(descriptor, buffer, sizeof(buffer), 0)) > 0;) {
      text.append(buffer, static_cast<size_t>(count));
    }
  }
  close(descriptor);
  return text;
}

std::string failureOf(TimelinePlayer& player, const PlayOptions& options) {
  try {
    player.play(options);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(TimelineTest, ReadsEveryKindOfStep) {
  const Timeline timeline = parseTimeline(R"({"op": "listen", "port": 7}
{"op": "await", "port": 8, "conn": 2}

{"op": "send", "port": 8, "line": "a\nb"}
{"op": "sleep", "ms": 600}
{"op": "close", "port": 8}
{"op": "touch", "file": "cancel.flag"}
)");
  EXPECT_EQ(timeline.ports, (std::set<int>{7, 8}));
  ASSERT_EQ(timeline.steps.size(), 5u);
  EXPECT_EQ(timeline.steps[0].connection, 2);
  EXPECT_EQ(timeline.steps[1].text, "a\nb\n");
  EXPECT_EQ(timeline.steps[2].duration, std::chrono::milliseconds(600));
  EXPECT_TRUE(timeline.cancels());
}

TEST(TimelineTest, NamesTheLineThatIsWrong) {
  for (const char* line : {"{", R"({"op": "dance", "port": 1})", R"({"op": "sleep"})", "7"}) {
    try {
      parseTimeline(std::string(R"({"op": "sleep", "ms": 1})") + "\n" + line);
      FAIL() << line;
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("line 2: ")) << error.what();
    }
  }
}

TEST(TimelinePlayerTest, ServesOneConnectionAfterTheOther) {
  TimelinePlayer player(parseTimeline(R"({"op": "await", "port": 9999, "conn": 1}
{"op": "send", "port": 9999, "line": "one"}
{"op": "close", "port": 9999}
{"op": "await", "port": 9999, "conn": 2}
{"op": "send", "port": 9999, "line": "two"})"));
  std::string text;
  std::jthread client([&text, port = player.portFor(9999)] {
    text = readAllFrom(port);
    text += readAllFrom(port);
  });
  EXPECT_EQ(failureOf(player, {}), "");
  client.join();
  EXPECT_EQ(text, "one\ntwo\n");
}

TEST(TimelinePlayerTest, TouchesFiles) {
  TimelinePlayer player(parseTimeline(R"({"op": "touch", "file": "cancel.flag"})"));
  std::string touched;
  PlayOptions options;
  options.on_touch = [&touched](const std::string& file) { touched = file; };
  EXPECT_EQ(failureOf(player, options), "");
  EXPECT_EQ(touched, "cancel.flag");
}

TEST(TimelinePlayerTest, GivesUpWhenTheJobHasEnded) {
  TimelinePlayer player(parseTimeline(R"({"op": "await", "port": 9999, "conn": 1})"));
  PlayOptions options;
  options.job_has_ended = [] { return true; };
  EXPECT_EQ(failureOf(player, options),
            "step 1 of the timeline: the job ended before connection 1 on port 9999 (recorded)");
}

TEST(TimelinePlayerTest, SaysThatNobodyIsConnected) {
  TimelinePlayer player(parseTimeline(R"({"op": "send", "port": 9999, "line": "a"})"));
  EXPECT_EQ(failureOf(player, {}),
            "step 1 of the timeline: cannot send to port 9999 (recorded): nobody is connected");
}

TEST(TimelinePlayerTest, EndsWhenItIsToldTo) {
  TimelinePlayer player(parseTimeline(R"({"op": "sleep", "ms": 600000})"));
  std::stop_source stop;
  stop.request_stop();
  PlayOptions options;
  options.stop = stop.get_token();
  EXPECT_EQ(failureOf(player, options), "step 1 of the timeline: interrupted");
}

}  // namespace
}  // namespace wiesel::conformance
