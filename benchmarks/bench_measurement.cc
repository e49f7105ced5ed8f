#include "benchmarks/bench_measurement.h"

#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

namespace wiesel::benchmarks {
namespace {

double secondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int64_t peakRssMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

Measurement::Moment Measurement::now() {
  return {secondsOf(CLOCK_MONOTONIC), secondsOf(CLOCK_PROCESS_CPUTIME_ID)};
}

void Measurement::sourceStarted() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!started_) first_ = warm_ = now();
  started_ = true;
}

void Measurement::sourceWarm() {
  std::lock_guard<std::mutex> lock(mutex_);
  warm_ = now();
}

void Measurement::sinkEnded(uint64_t checksum, int64_t outputs) {
  std::lock_guard<std::mutex> lock(mutex_);
  checksum_ += checksum;
  outputs_ += outputs;
  last_ = now();
}

std::string Measurement::report(const std::string& workload, int parallelism,
                                const std::string& extra) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const double all_s = last_.wall_s - first_.wall_s;
  const double steady_records = static_cast<double>(records_) * 2 / 3;
  double load = 0;
  getloadavg(&load, 1);
  char text[1024];
  std::snprintf(text, sizeof(text),
                "{\"engine\":\"wiesel\",\"workload\":\"%s\",\"parallelism\":%d,\"records\":%lld,"
                "\"seconds\":%.3f,\"records_per_s\":%.0f,\"steady_records_per_s\":%.0f,"
                "\"cpu_s\":%.2f,\"steady_records_per_cpu_s\":%.0f,\"checksum\":\"%016llx\","
                "\"outputs\":%lld,\"peak_rss_mb\":%lld%s,\"load\":%.2f}",
                workload.c_str(), parallelism, static_cast<long long>(records_), all_s,
                static_cast<double>(records_) / all_s,
                steady_records / (last_.wall_s - warm_.wall_s), last_.cpu_s - first_.cpu_s,
                steady_records / (last_.cpu_s - warm_.cpu_s),
                static_cast<unsigned long long>(checksum_), static_cast<long long>(outputs_),
                static_cast<long long>(peakRssMb()), extra.c_str(), load);
  return text;
}

}  // namespace wiesel::benchmarks
