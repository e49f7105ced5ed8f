#pragma once

#include <functional>

namespace wiesel {

/// Runs closures somewhere, in any order, perhaps at the same time: asynchronous snapshot parts,
/// file deletions. Any thread may call. Closures must not throw.
class Executor {
 public:
  virtual ~Executor() = default;

  virtual void execute(std::function<void()> closure) = 0;
};

/// Runs each closure inside execute().
class DirectExecutor final : public Executor {
 public:
  void execute(std::function<void()> closure) override { closure(); }
};

}  // namespace wiesel
