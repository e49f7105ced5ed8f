#pragma once

#include <sstream>
#include <string>
#include <utility>

#include "common/serialization/to_text.h"
#include "common/standard_stream.h"
#include "runtime/functions/rich_function.h"

namespace wiesel {

/// Prints each record as a line of the job's standard output or error.
/// Flink: PrintSinkFunction, PrintSinkOutputWriter (1.20): "id:2> " before the text with an
/// identifier and several subtasks, "id> " or "2> " with one of them.
template <class T>
class PrintFunction : public RichFunction {
 public:
  static_assert(Printable<T>,
                "wiesel: print() does not know how to print this type; give it an operator<< or "
                "describe it with WIESEL_DESCRIBE(Type, field, ...)");

  explicit PrintFunction(std::string identifier, StandardStream stream = StandardStream::kOut)
      : identifier_(std::move(identifier)), stream_(stream) {}

  void open(const OpenContext&) override {
    prefix_ = identifier_;
    if (getRuntimeContext().getNumberOfParallelSubtasks() > 1) {
      if (!prefix_.empty()) prefix_ += ":";
      prefix_ += std::to_string(getRuntimeContext().getIndexOfThisSubtask() + 1);
    }
    if (!prefix_.empty()) prefix_ += "> ";
  }

  void invoke(const T& value) {
    std::ostringstream line;
    line << prefix_;
    toText(line, value);
    getRuntimeContext().printLine(line.str(), stream_);
  }

 private:
  std::string identifier_;
  StandardStream stream_;
  std::string prefix_;
};

}  // namespace wiesel
