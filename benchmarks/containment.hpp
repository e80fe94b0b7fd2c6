// What it costs that a crash of the code under test is contained (tools/supervise.hpp): the same campaign in a worker
// process and in this one.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>

#include <sys/resource.h>

#include "benchmarks/machine.hpp"
#include "tools/supervise.hpp"

namespace benchmarks {

// CPU time of processes that have ended and were waited for.
inline double children_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// How fast the work is in a worker process, beside how fast it is without one. In turns, and the fastest count.
inline double contained_beside_plain(const std::function<void()>& work) {
  double plain = std::numeric_limits<double>::max();
  double contained = plain;
  for (int turn = 0; turn < 7; ++turn) {
    double start = cpu_seconds();
    work();
    plain = std::min(plain, cpu_seconds() - start);
    start = children_cpu_seconds();
    (void)gainsay::tools::supervised({}, [&] {
      work();
      return 0;
    });
    contained = std::min(contained, children_cpu_seconds() - start);
  }
  return plain / contained;
}

}  // namespace benchmarks
