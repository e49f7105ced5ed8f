// An inner join of two tables as they change: users and the schools they go to, in windows of ten
// seconds.
//
//   nc -lk 3001      changes of users, say
//     {"after":{"id":1,"name":"Ada","school_id":42},"op":"c","ts_ms":1700000001000}
//   nc -lk 3002      changes of schools, say
//     {"after":{"id":42,"school_name":"North"},"op":"c","ts_ms":1700000002000}
//
// Shows records that are JSON documents, event time from a field, and join().

#include <chrono>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include "examples/arguments.h"
#include "wiesel/json.h"
#include "wiesel/wiesel.h"

namespace examples {

using nlohmann::json;

constexpr char kUsage[] =
    "usage: cdc_inner_join [--source socket] [--host 127.0.0.1] [--user-port 3001]\n"
    "                      [--school-port 3002] [-D key=value]...\n"
    "Joins two streams of changes, a JSON document a line, in windows of ten seconds of their "
    "ts_ms:\n"
    "a user's school_id with a school's id.\n";

struct Options {
  std::string host;
  uint16_t user_port = 0;
  uint16_t school_port = 0;
  wiesel::Configuration configuration;  // What was given with -D.
};

json parseChange(const std::string& line) {
  json change = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!change.is_object()) throw std::runtime_error("the line is no JSON object: " + line);
  return change;
}

int64_t timeOf(const std::string& line) {
  const json change = parseChange(line);
  const auto time_ms = change.find("ts_ms");
  if (time_ms == change.end() || !time_ms->is_number()) {
    throw std::runtime_error("the change has no number ts_ms: " + line);
  }
  return time_ms->get<int64_t>();
}

/// The row as it is after the change, or as it was before it was deleted.
json rowOf(const std::string& line) {
  const json change = parseChange(line);
  for (const char* side : {"after", "before"}) {
    const auto row = change.find(side);
    if (row != change.end() && row->is_object()) return *row;
  }
  throw std::runtime_error("the change has no row: " + line);
}

/// A column as text, so that 42 and "42" are the same key.
std::string textOf(const json& row, const char* column) {
  const auto value = row.find(column);
  if (value == row.end() || value->is_null()) {
    throw std::runtime_error(std::string("the row has no ") + column + ": " + row.dump());
  }
  return value->is_string() ? value->get<std::string>() : value->dump();
}

/// The row on one line, without the columns that are null.
std::string print(json row) {
  for (auto column = row.begin(); column != row.end();) {
    column = column->is_null() ? row.erase(column) : std::next(column);
  }
  return row.dump();
}

/// One table's rows, from its socket.
wiesel::DataStream<json> rows(wiesel::StreamExecutionEnvironment& env, const std::string& host,
                              uint16_t port, const std::string& table) {
  using Strategy = wiesel::WatermarkStrategy<std::string>;
  auto lines = env.socketTextStream(host, port);
  lines.name("changes of " + table).uid(table + "-source");
  return lines
      .assignTimestampsAndWatermarks(
          Strategy::forBoundedOutOfOrderness(std::chrono::seconds(1))
              .withTimestampAssigner([](const std::string& line, int64_t) { return timeOf(line); }))
      .name("timestamps of " + table)
      .uid(table + "-timestamps")
      .map(&rowOf)
      .name("rows of " + table)
      .uid(table + "-rows");
}

void run(const Options& options) {
  auto env = wiesel::StreamExecutionEnvironment::getExecutionEnvironment(options.configuration);
  if (!env.getConfiguration().contains("parallelism.default")) env.setParallelism(1);
  rows(env, options.host, options.user_port, "users")
      .join(rows(env, options.host, options.school_port, "schools"))
      .where([](const json& user) { return textOf(user, "school_id"); })
      .equalTo([](const json& school) { return textOf(school, "id"); })
      .window(wiesel::TumblingEventTimeWindows::of(std::chrono::seconds(10)))
      .apply([](const json& user, const json& school) {
        json both = user;
        both.update(school);
        return print(std::move(both));
      })
      .name("join")
      .uid("join")
      .print("Window Out Join user and school")
      .uid("print");
  env.execute("CDC inner join");
}

Options parseOptions(const wiesel::ParameterTool& args) {
  args.allowOnly({"source", "host", "user-port", "school-port"});
  oneOf(args, "source", {"socket"});  // Others are not in this version.
  Options options;
  options.host = args.get("host", "127.0.0.1");
  options.user_port = portOf(args, "user-port", 3001);
  options.school_port = portOf(args, "school-port", 3002);
  options.configuration = args.configuration();
  return options;
}

}  // namespace examples

int main(int argc, char** argv) {
  return examples::runExample(argc, argv, "cdc_inner_join", examples::kUsage,
                              &examples::parseOptions, &examples::run);
}
