#include "tests/common/serialization/allocation_probe.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local bool watching = false;
thread_local size_t largest_bytes = 0;

}  // namespace

void* operator new(size_t size) {
  if (watching) largest_bytes = std::max(largest_bytes, size);
  void* memory = std::malloc(std::max<size_t>(size, 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace wiesel {

AllocationProbe::AllocationProbe() {
  largest_bytes = 0;
  watching = true;
}

AllocationProbe::~AllocationProbe() { watching = false; }

size_t AllocationProbe::largest() const { return largest_bytes; }

}  // namespace wiesel
