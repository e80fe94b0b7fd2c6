// What it costs that a crash of the code under test is contained (tools/supervise.hpp): the same campaign in a worker
// process, with the journal from which it would go on after a crash, and in a child process that nobody watches.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/machine.hpp"
#include "tools/campaign_file.hpp"
#include "tools/supervise.hpp"

namespace benchmarks {

// CPU time of this process and of those that it has waited for.
inline double cpu_with_children_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }
  return sum;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// How fast the work is in a worker process, beside how fast it is in a child that nobody watches: both begin with the
// memory of this process and have to copy what they write to. What the watching parent takes counts too.
//
// Whatever else the machine does slows down one moment more than another. So the turns are short, and each pair of
// neighbours gives a ratio of its own, one first in this pair and the other in the next. The median counts.
inline double contained_beside_plain(const std::function<void(gainsay::CampaignJournal*)>& work) {
  const auto plain = [&] {
    const pid_t child = ::fork();
    GAINSAY_CHECK(child >= 0, "a process can be made");
    if (child == 0) {
      work(nullptr);
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  };
  const auto contained = [&] {
    (void)gainsay::tools::supervised({}, [&] {
      gainsay::tools::CampaignFile journal(gainsay::tools::current_attempt().journal, {});
      work(&journal);
      return 0;
    });
  };
  const auto cpu_of = [](const std::function<void()>& turn) {
    const double start = cpu_with_children_seconds();
    turn();
    return cpu_with_children_seconds() - start;
  };
  std::vector<double> ratios;
  for (int pair = 0; pair < 60; ++pair) {
    const bool contained_first = pair % 2 == 1;
    const double first = contained_first ? cpu_of(contained) : cpu_of(plain);
    const double second = contained_first ? cpu_of(plain) : cpu_of(contained);
    ratios.push_back(contained_first ? second / first : first / second);
  }
  return median(std::move(ratios));
}

}  // namespace benchmarks
