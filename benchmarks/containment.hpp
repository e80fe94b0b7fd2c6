// What it costs that a crash of the code under test is contained (tools/supervise.hpp): the same campaign in a worker
// process, with the journal from which it would go on after a crash, and in a child process that nobody watches.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

// CPU seconds of child processes during `run`.
inline double children_cpu_during(const std::function<void()>& run) {
  const double start = children_cpu_seconds();
  run();
  return children_cpu_seconds() - start;
}

// How fast the work is in a worker process, beside how fast it is in a child that nobody watches: both begin with the
// memory of this process and have to copy what they write to. In turns, and the fastest count.
inline double contained_beside_plain(const std::function<void(gainsay::CampaignJournal*)>& work) {
  double plain = std::numeric_limits<double>::max();
  double contained = plain;
  for (int turn = 0; turn < 7; ++turn) {
    plain = std::min(plain, children_cpu_during([&] {
                       const pid_t child = ::fork();
                       GAINSAY_CHECK(child >= 0, "a process can be made");
                       if (child == 0) {
                         work(nullptr);
                         ::_exit(0);
                       }
                       ::waitpid(child, nullptr, 0);
                     }));
    contained =
        std::min(contained, children_cpu_during([&] {
                   (void)gainsay::tools::supervised({}, [&] {
                     gainsay::tools::CampaignFile journal(gainsay::tools::current_attempt().journal, {});
                     work(&journal);
                     return 0;
                   });
                 }));
  }
  return plain / contained;
}

}  // namespace benchmarks
