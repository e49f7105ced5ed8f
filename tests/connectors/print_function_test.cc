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

/// The line that subtask 1 of `parallelism` prints.
template <class T>
std::string printed(const std::string& identifier, int parallelism, const T& value) {
  std::vector<std::string> lines;
  runtime::OperatorContext operator_context;
  operator_context.subtask = parallelism - 1;
  operator_context.parallelism = parallelism;
  operator_context.print_line = [&lines](const std::string& line) { lines.push_back(line); };
  RuntimeContext context(operator_context, nullptr);
  PrintFunction<T> function(identifier);
  runtime::openFunction(function, context);
  function.invoke(value);
  return lines.at(0);
}

TEST(PrintFunctionTest, PrintsAloneWithoutPrefix) { EXPECT_EQ(printed("", 1, 7), "7"); }

TEST(PrintFunctionTest, BeginsWithTheIdentifier) { EXPECT_EQ(printed("id", 1, 7), "id> 7"); }

TEST(PrintFunctionTest, BeginsWithTheSubtask) { EXPECT_EQ(printed("", 2, 7), "2> 7"); }

TEST(PrintFunctionTest, BeginsWithBoth) { EXPECT_EQ(printed("id", 2, 7), "id:2> 7"); }

TEST(PrintFunctionTest, PrintsDescribedStructsAsJavaDoes) {
  EXPECT_EQ(printed("", 1, Order{"alice", 100}), "Order(alice,100.0)");
}

}  // namespace
}  // namespace wiesel
