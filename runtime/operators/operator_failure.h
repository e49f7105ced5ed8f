#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include "runtime/functions/suppress_restarts_exception.h"

namespace wiesel::runtime {

/// A user's function, or the state it uses, failed inside an operator. Travels up to the task,
/// which turns it into the task's failure. Flink: ExceptionInChainedOperatorException (1.20).
class OperatorFailure : public std::runtime_error {
 public:
  OperatorFailure(std::string operator_name, const std::string& message, std::string type,
                  bool suppresses_restarts = false)
      : std::runtime_error(message),
        operator_name_(std::move(operator_name)),
        type_(std::move(type)),
        suppresses_restarts_(suppresses_restarts) {}

  const std::string& operatorName() const { return operator_name_; }
  /// The C++ type of what was thrown, such as "std::runtime_error".
  const std::string& type() const { return type_; }
  /// True for a SuppressRestartsException.
  bool suppressesRestarts() const { return suppresses_restarts_; }

 private:
  std::string operator_name_;
  std::string type_;
  bool suppresses_restarts_;
};

namespace internal {

inline std::string currentExceptionType() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "unknown";
  int status = 0;
  char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? readable : type->name();
  std::free(readable);
  return name;
}

}  // namespace internal

/// Runs `call`, which works through input in the operator's name. An exception out of user code
/// becomes an OperatorFailure with that name; one of an operator further down passes as it is.
/// Before the failure leaves, `flush` hands on what the records before the failing one gave: those
/// are done.
template <class Call, class Flush>
void runUserCode(const std::string& operator_name, Call&& call, Flush&& flush) {
  try {
    call();
  } catch (const OperatorFailure&) {
    throw;
  } catch (const std::exception& error) {
    const std::string type = internal::currentExceptionType();
    const std::string text = error.what();
    OperatorFailure failure(operator_name, text.empty() ? "a " + type + " without a text" : text,
                            type,
                            dynamic_cast<const SuppressRestartsException*>(&error) != nullptr);
    flush();
    throw failure;
  } catch (...) {
    const std::string type = internal::currentExceptionType();
    OperatorFailure failure(
        operator_name, "a value of type " + type + " was thrown, which is no std::exception", type);
    flush();
    throw failure;
  }
}

}  // namespace wiesel::runtime
