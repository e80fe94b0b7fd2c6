// What it costs that a crash of the code under test is contained (tools/supervise.hpp): the same campaign in a worker
// process, with the journal from which it would go on after a crash, and in this process without one.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>

#include <sys/resource.h>

#include "benchmarks/machine.hpp"
#include "tools/campaign_file.hpp"
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
inline double contained_beside_plain(const std::function<void(gainsay::CampaignJournal*)>& work) {
  double plain = std::numeric_limits<double>::max();
  double contained = plain;
  for (int turn = 0; turn < 7; ++turn) {
    double start = cpu_seconds();
    work(nullptr);
    plain = std::min(plain, cpu_seconds() - start);
    start = children_cpu_seconds();
    (void)gainsay::tools::supervised({}, [&] {
      gainsay::tools::CampaignFile journal(gainsay::tools::current_attempt().journal, {});
      work(&journal);
      return 0;
    });
    contained = std::min(contained, children_cpu_seconds() - start);
  }
  return plain / contained;
}

}  // namespace benchmarks
