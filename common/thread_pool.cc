#include "common/thread_pool.h"

#include <pthread.h>

#include <utility>

#include "common/check.h"

namespace wiesel {

ThreadPool::ThreadPool(int num_threads, const std::string& name) {
  WIESEL_CHECK(num_threads >= 1);
  for (int i = 0; i < num_threads; ++i) {
    threads_.emplace_back([this] { run(); });
    pthread_setname_np(threads_.back().native_handle(), name.substr(0, 15).c_str());
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::execute(std::function<void()> closure) {
  WIESEL_CHECK(closure != nullptr);
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    queue_.push_back(std::move(closure));
  }
  changed_.notify_one();
}

void ThreadPool::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  std::deque<std::function<void()>> dropped;
  const MutexLock lock(mutex_);
  std::swap(dropped, queue_);
}

void ThreadPool::run() {
  while (std::function<void()> closure = takeNext()) closure();
}

std::function<void()> ThreadPool::takeNext() {
  const MutexLock lock(mutex_);
  while (!stopped_ && queue_.empty()) changed_.wait(mutex_);
  if (stopped_) return nullptr;
  std::function<void()> closure = std::move(queue_.front());
  queue_.pop_front();
  return closure;
}

}  // namespace wiesel
