#pragma once

#include "common/check.h"
#include "runtime/functions/runtime_context.h"

namespace wiesel {

/// What open() is told; empty for now. Flink: OpenContext (1.20).
struct OpenContext {};

/// A function with a life: open() before its first record, close() after its last one or a failure.
/// Each subtask and attempt works on its own copy of the object given to the stream.
/// Flink: RichFunction, AbstractRichFunction (1.20).
class RichFunction {
 public:
  virtual ~RichFunction() = default;
  virtual void open(const OpenContext&) {}
  virtual void close() {}

  /// Valid from open() on.
  RuntimeContext& getRuntimeContext() const {
    WIESEL_CHECK(runtime_context_ != nullptr);
    return *runtime_context_;
  }
  void setRuntimeContext(RuntimeContext* context) { runtime_context_ = context; }

 private:
  RuntimeContext* runtime_context_ = nullptr;  // Not owned.
};

}  // namespace wiesel
