#include "connectors/print/print_function.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/functions/function_calls.h"
#include "runtime/operators/operator_context.h"

namespace wiesel {
namespace {

struct Order {
  std::string user;
  double amount = 0;
};
WIESEL_DESCRIBE(Order, user, amount)

using Lines = std::vector<std::string>;

/// What the last subtask of `parallelism` prints to `stream`.
template <class T>
Lines printedTo(StandardStream stream, PrintFunction<T> function, int parallelism, const T& value) {
  Lines lines;
  runtime::OperatorContext operator_context;
  operator_context.subtask = parallelism - 1;
  operator_context.parallelism = parallelism;
  operator_context.print_line = [&lines, stream](StandardStream to, const std::string& line) {
    if (to == stream) lines.push_back(line);
  };
  RuntimeContext context(operator_context, nullptr);
  runtime::openFunction(function, context);
  function.invoke(value);
  return lines;
}

template <class T>
std::string printed(const std::string& identifier, int parallelism, const T& value) {
  return printedTo(StandardStream::kOut, PrintFunction<T>(identifier), parallelism, value).at(0);
}

TEST(PrintFunctionTest, PrintsAloneWithoutPrefix) { EXPECT_EQ(printed("", 1, 7), "7"); }

TEST(PrintFunctionTest, BeginsWithTheIdentifier) { EXPECT_EQ(printed("id", 1, 7), "id> 7"); }

TEST(PrintFunctionTest, BeginsWithTheSubtask) { EXPECT_EQ(printed("", 2, 7), "2> 7"); }

TEST(PrintFunctionTest, BeginsWithBoth) { EXPECT_EQ(printed("id", 2, 7), "id:2> 7"); }

TEST(PrintFunctionTest, PrintsToStandardErrorInTheSameForm) {
  const PrintFunction<int> to_error("id", StandardStream::kErr);
  EXPECT_EQ(printedTo(StandardStream::kErr, to_error, 2, 7), Lines{"id:2> 7"});
  EXPECT_EQ(printedTo(StandardStream::kOut, to_error, 2, 7), Lines{});
}

TEST(PrintFunctionTest, PrintsDescribedStructsAsJavaDoes) {
  EXPECT_EQ(printed("", 1, Order{"alice", 100}), "Order(alice,100.0)");
}

}  // namespace
}  // namespace wiesel
