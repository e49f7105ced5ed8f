// A left join of two sockets: names on the left, ages on the right, by id, in windows of one
// minute.
//
//   nc -lk 9999      age|time|id|name, say  0|1700000045000|6|Ada
//   nc -lk 9998      the same,         say  36|1700000046000|6|years
//
// A name that meets ages in its window gets the age of the last one. Shows coGroup(), event time
// with the old extractor, checkpoints that outlive a cancelled job, and a fixed-delay restart.

#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "examples/arguments.h"
#include "examples/split.h"
#include "wiesel/wiesel.h"

namespace examples {

constexpr char kUsage[] =
    "usage: cogroup_left_join [--host 127.0.0.1] [--name-port 9999] [--age-port 9998]\n"
    "                         [--event-time clock|field] [--checkpoint-dir URI]\n"
    "                         [--checkpoint-interval MS=60000] [--fail-on WORD=BOOM]\n"
    "                         [--fail never|once|always] [-D key=value]...\n"
    "Joins the lines age|time|id|name of two servers. Event time is the moment at which a line "
    "comes\n"
    "(clock) or its second field. With --fail the line WORD on the name side fails the job.\n";

struct People {
  std::string age;
  int64_t eventTime = 0;
  std::string id;
  std::string name;
};
WIESEL_DESCRIBE(People, age, eventTime, id, name)

struct Options {
  std::string host;
  uint16_t name_port = 0;
  uint16_t age_port = 0;
  bool event_time_is_field = false;
  std::string checkpoint_directory;  // Empty: no checkpoints.
  std::chrono::milliseconds checkpoint_interval{0};
  std::string fail_on;
  std::string fail;
  wiesel::Configuration configuration;  // What was given with -D.
};

int64_t nowMs() {
  using std::chrono::system_clock;
  const auto since_epoch = system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

/// Prints one line in one piece, whoever prints beside it.
void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

/// Java's "yyyy-MM-dd HH:mm:ss" in the zone of TZ.
std::string dateTime(int64_t time_ms) {
  const std::time_t seconds = (time_ms - (time_ms < 0 ? 999 : 0)) / 1000;
  std::tm parts{};
  if (localtime_r(&seconds, &parts) == nullptr) return "";
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02d-%02d %02d:%02d:%02d", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return text;
}

/// A JSON string as fastjson writes it: beside what JSON asks for it escapes DEL, the C1 controls
/// and the two Unicode line ends.
std::string quoted(std::string_view text) {
  const auto escaped = [](unsigned character) {
    char code[8];
    std::snprintf(code, sizeof(code), "\\u%04X", character);
    return std::string(code);
  };
  std::string json = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    static constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
    if (const size_t found = kShort.find(text[i]); found != kShort.npos) {
      json += std::string("\\") + "btnfr\"\\"[found];
    } else if (byte < 0x20 || byte == 0x7F) {
      json += escaped(byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      json += escaped(next), ++i;
    } else if (text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029") {
      json += text.substr(i, 3) == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      json += text[i];
    }
  }
  return json + "\"";
}

std::string toJson(const People& person) {
  return "{\"age\":" + quoted(person.age) + ",\"eventTime\":" + std::to_string(person.eventTime) +
         ",\"eventTimeStr\":" + quoted(dateTime(person.eventTime)) +
         ",\"id\":" + quoted(person.id) + ",\"name\":" + quoted(person.name) + "}";
}

std::string toJson(std::span<const People> people) {
  std::string json = "[";
  for (const People& person : people) json += (json.size() > 1 ? "," : "") + toJson(person);
  return json + "]";
}

int64_t parseTime(const std::string& text) {
  size_t read = 0;
  int64_t time_ms = 0;
  try {
    time_ms = std::stoll(text, &read);
  } catch (const std::logic_error&) {
    read = 0;
  }
  if (read == 0 || read != text.size() || std::isspace(static_cast<unsigned char>(text[0])) != 0) {
    throw std::runtime_error("the event time '" + text + "' is no whole number");
  }
  return time_ms;
}

/// Prints each line and makes a person of it; lines with fewer than four fields give nothing.
struct ParsePeople {
  std::string side;
  bool event_time_is_field = false;

  void flatMap(const std::string& line, wiesel::Collector<People>& out) const {
    say(side + ":" + line);
    const std::vector<std::string> fields = split(line, '|');
    if (fields.size() < 4) return;
    const int64_t time_ms = event_time_is_field ? parseTime(fields[1]) : nowMs();
    out.collect({fields[0], time_ms, fields[2], fields[3]});
  }
};

/// Fails the job on one line: in the first attempt only, or always.
class FailOnWord : public wiesel::RichFunction {
 public:
  FailOnWord(std::string word, bool always) : word_(std::move(word)), always_(always) {}

  std::string map(const std::string& line) {
    if (line != word_) return line;
    if (always_) say("attempt failing at " + std::to_string(nowMs()));
    if (always_ || getRuntimeContext().getAttemptNumber() == 0) throw std::runtime_error(word_);
    return line;
  }

 private:
  std::string word_;
  bool always_;
};

class PeopleTimestamps : public wiesel::BoundedOutOfOrdernessTimestampExtractor<People> {
 public:
  PeopleTimestamps() : BoundedOutOfOrdernessTimestampExtractor(std::chrono::seconds(1)) {}
  int64_t extractTimestamp(const People& person) const override { return person.eventTime; }
};

/// Every name of a window, with the age of the last record of its id on the other side.
void leftJoin(std::span<const People> names, std::span<const People> ages,
              wiesel::Collector<People>& out) {
  say("nameIterable:" + toJson(names));
  say("ageIterable:" + toJson(ages));
  std::map<std::string, std::string> age_by_id;
  for (const People& age : ages) age_by_id[age.id] = age.age;
  for (People person : names) {
    const auto found = age_by_id.find(person.id);
    if (found != age_by_id.end()) person.age = found->second;
    out.collect(person);
  }
}

/// One side of the join, from its socket.
wiesel::DataStream<People> people(wiesel::DataStream<std::string> lines, const std::string& side,
                                  const Options& options) {
  return lines.flatMap(ParsePeople{side, options.event_time_is_field})
      .name("parse " + side)
      .uid(side + "-parse")
      .assignTimestampsAndWatermarks(PeopleTimestamps())
      .name("timestamps of " + side)
      .uid(side + "-timestamps");
}

/// The program's own settings; -D and config.yaml come before those that are only its defaults.
void configure(wiesel::StreamExecutionEnvironment& env, const Options& options) {
  const wiesel::Configuration given = env.getConfiguration();
  if (!given.contains("parallelism.default")) env.setParallelism(1);
  auto restart = wiesel::RestartStrategies::fixedDelayRestart(5, std::chrono::seconds(10));
  if (given.contains("restart-strategy")) restart.erase("restart-strategy.type");
  std::erase_if(restart, [&given](const auto& entry) { return given.contains(entry.first); });
  env.setRestartStrategy(restart);
  if (!given.contains("execution.checkpointing.externalized-checkpoint-retention")) {
    env.setExternalizedCheckpointRetention(
        wiesel::ExternalizedCheckpointRetention::RETAIN_ON_CANCELLATION);
  }
  if (options.checkpoint_directory.empty()) return;
  if (!options.configuration.contains("execution.checkpointing.dir")) {
    env.setCheckpointDirectory(options.checkpoint_directory);
  }
  if (!options.configuration.contains("execution.checkpointing.interval")) {
    env.enableCheckpointing(options.checkpoint_interval);
  }
}

void run(const Options& options) {
  auto env = wiesel::StreamExecutionEnvironment::getExecutionEnvironment(options.configuration);
  configure(env, options);

  auto name_lines = env.socketTextStream(options.host, options.name_port);
  name_lines.name("names").uid("name-source");
  auto age_lines = env.socketTextStream(options.host, options.age_port);
  age_lines.name("ages").uid("age-source");
  if (options.fail != "never") {
    name_lines = name_lines.map(FailOnWord(options.fail_on, options.fail == "always"));
    name_lines.name("fail on " + options.fail_on).uid("name-fail");
  }

  people(name_lines, "name", options)
      .coGroup(people(age_lines, "age", options))
      .where(&People::id)
      .equalTo(&People::id)
      .window(wiesel::TumblingEventTimeWindows::of(std::chrono::minutes(1)))
      .apply(&leftJoin)
      .name("left join")
      .uid("left-join")
      .addSink([](const People& person) { say("addSink:" + toJson(person)); })
      .name("print")
      .uid("print");
  env.execute("coGroup left join");
}

Options parseOptions(const wiesel::ParameterTool& args) {
  args.allowOnly({"host", "name-port", "age-port", "event-time", "checkpoint-dir",
                  "checkpoint-interval", "fail-on", "fail"});
  Options options;
  options.host = args.get("host", "127.0.0.1");
  options.name_port = portOf(args, "name-port", 9999);
  options.age_port = portOf(args, "age-port", 9998);
  options.event_time_is_field = oneOf(args, "event-time", {"clock", "field"}) == "field";
  if (args.has("checkpoint-dir")) options.checkpoint_directory = args.getRequired("checkpoint-dir");
  options.checkpoint_interval =
      std::chrono::milliseconds(args.getLong("checkpoint-interval", 60000));
  if (options.checkpoint_interval.count() < 1) {
    throw std::invalid_argument("--checkpoint-interval needs at least 1 millisecond");
  }
  options.fail_on = args.get("fail-on", "BOOM");
  options.fail = oneOf(args, "fail", {"never", "once", "always"});
  options.configuration = args.configuration();
  return options;
}

}  // namespace examples

int main(int argc, char** argv) {
  return examples::runExample(argc, argv, "cogroup_left_join", examples::kUsage,
                              &examples::parseOptions, &examples::run);
}
