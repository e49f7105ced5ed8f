#include "client/job_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "client/http_client.h"
#include "tests/support/status_matchers.h"

namespace wiesel::client {
namespace {

using wiesel::testing::StatusIs;

const std::vector<JobSummary> kJobs = {{.id = "00000000000000000000000000000001",
                                        .name = "first",
                                        .status = "RUNNING",
                                        .start_ms = 1'795'993'899'535},
                                       {.id = "00000000000000000000000000000002",
                                        .name = "second",
                                        .status = "RESTARTING",
                                        .start_ms = 1'795'993'900'000},
                                       {.id = "00000000000000000000000000000003",
                                        .name = "third",
                                        .status = "CREATED",
                                        .start_ms = 1'795'993'901'000},
                                       {.id = "00000000000000000000000000000004",
                                        .name = "fourth",
                                        .status = "FINISHED",
                                        .start_ms = 1'795'993'902'000}};

constexpr char kRunning[] =
    "------------------ Running/Restarting Jobs -------------------\n"
    "29.11.2026 23:11:39 : 00000000000000000000000000000001 : first (RUNNING)\n"
    "29.11.2026 23:11:40 : 00000000000000000000000000000002 : second (RESTARTING)\n"
    "--------------------------------------------------------------\n";
constexpr char kScheduled[] =
    "----------------------- Scheduled Jobs -----------------------\n"
    "29.11.2026 23:11:41 : 00000000000000000000000000000003 : third (CREATED)\n"
    "--------------------------------------------------------------\n";
constexpr char kTerminated[] =
    "---------------------- Terminated Jobs -----------------------\n"
    "29.11.2026 23:11:42 : 00000000000000000000000000000004 : fourth (FINISHED)\n"
    "--------------------------------------------------------------\n";

/// Lists in UTC.
class ListTest : public ::testing::Test {
 protected:
  ListTest() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
  ~ListTest() override {
    ::unsetenv("TZ");
    ::tzset();
  }
};

TEST_F(ListTest, ShowsRunningAndScheduledJobs) {
  EXPECT_EQ(listText(kJobs, {}), std::string(kRunning) + kScheduled);
}

TEST_F(ListTest, ShowsWhatIsAskedFor) {
  CommandLine running;
  running.running = true;
  EXPECT_EQ(listText(kJobs, running), kRunning);
  CommandLine scheduled;
  scheduled.scheduled = true;
  EXPECT_EQ(listText(kJobs, scheduled), kScheduled);
  CommandLine all;
  all.all = true;
  EXPECT_EQ(listText(kJobs, all), std::string(kRunning) + kScheduled + kTerminated);
}

TEST_F(ListTest, SaysThatThereAreNone) {
  CommandLine all;
  all.all = true;
  EXPECT_EQ(listText({}, all), "No running jobs.\nNo scheduled jobs.\nNo terminated jobs.\n");
  EXPECT_EQ(listText({}, {}), "No running jobs.\nNo scheduled jobs.\n");
}

TEST(HttpResponseTest, TakesAnAnswerApart) {
  ASSERT_OK_AND_ASSIGN(const HttpResponse plain,
                       parseHttpResponse("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}"));
  EXPECT_EQ(plain.status, 404);
  EXPECT_EQ(plain.body, "{}");
  ASSERT_OK_AND_ASSIGN(const HttpResponse chunked,
                       parseHttpResponse("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                                         "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
  EXPECT_EQ(chunked.body, "abcde");
}

TEST(HttpResponseTest, RefusesWhatIsNone) {
  for (const std::string text :
       {"", "HTTP/1.1", "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\r\n"}) {
    EXPECT_THAT(parseHttpResponse(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

}  // namespace
}  // namespace wiesel::client
