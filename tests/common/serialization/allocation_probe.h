#pragma once

#include <cstddef>

namespace wiesel {

/// Watches the heap allocations of this thread while it lives: linking allocation_probe.cc replaces
/// operator new of the whole test program. One at a time in a thread.
class AllocationProbe {
 public:
  AllocationProbe();
  AllocationProbe(const AllocationProbe&) = delete;
  AllocationProbe& operator=(const AllocationProbe&) = delete;
  ~AllocationProbe();

  /// Bytes of the largest single allocation so far.
  size_t largest() const;
};

}  // namespace wiesel
