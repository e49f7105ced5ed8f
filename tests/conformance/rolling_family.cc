#include <stdexcept>
#include <string>

#include "api/keyed_stream.h"
#include "tests/conformance/families.h"
#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

template <class Stream>
DataStream<Record> aggregated(const Stream& keyed, const std::string& function,
                              const std::string& field) {
  const char* name = field.c_str();
  if (function == "reduce") return keyed.reduce(reduceRecords);
  if (function == "sum") return keyed.sum(name);
  if (function == "min") return keyed.min(name);
  if (function == "max") return keyed.max(name);
  // Half of them by the member, which must be the same.
  if (function == "minByFirst") return keyed.minBy(&Record::v);
  if (function == "minByLast") return keyed.minBy(name, false);
  if (function == "maxByFirst") return keyed.maxBy(name);
  if (function == "maxByLast") return keyed.maxBy(&Record::v, false);
  throw std::invalid_argument("the function " + function + " is not known to this runner");
}

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  const auto records = scenario.input<Record>();
  scenario.output(aggregated(records.keyBy(&Record::k), scenario.op().at("function"),
                             scenario.op().value("field", "v")));
  return scenario.play();
}

}  // namespace

Family rollingFamily() { return {.name = "rolling", .replay = replay, .keeps_state = true}; }

}  // namespace wiesel::conformance
