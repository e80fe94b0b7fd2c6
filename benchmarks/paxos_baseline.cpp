// Prints what the hand-written Paxos of paxos_baseline.hpp does, one JSON object per line.
//
//   paxos_baseline walk P A [none|lowest] [runs] [seed]    steps/s of the random walk, by CPU time
//   paxos_baseline explore P A [none|lowest]               exact counts of the naive state search
#include "paxos_baseline.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "machine.hpp"

namespace {

using benchmarks::cpu_seconds;

int usage() {
  std::fputs(
      "usage: paxos_baseline walk P A [none|lowest] [runs] [seed]\n"
      "       paxos_baseline explore P A [none|lowest]\n",
      stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace paxos_baseline;
  if (argc < 4) return usage();
  const std::string_view verb = argv[1];
  const std::string_view bug = argc > 4 ? argv[4] : "none";
  const Config config{.proposers = std::atoi(argv[2]),
                      .acceptors = std::atoi(argv[3]),
                      .bug = bug == "lowest" ? Bug::lowest : Bug::none};
  if (config.proposers < 1 || config.acceptors < 1 || config.proposers + config.acceptors > actors_max ||
      (bug != "lowest" && bug != "none"))
    return usage();

  const double start = cpu_seconds();
  if (verb == "walk") {
    const std::uint64_t runs = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 2'000'000;
    const std::uint64_t seed = argc > 6 ? std::strtoull(argv[6], nullptr, 10) : 1;
    const WalkResult r = walk(config, seed, runs);
    const double cpu_s = cpu_seconds() - start;
    std::printf(
        "{\"loop\":\"walk\",\"proposers\":%d,\"acceptors\":%d,\"bug\":\"%s\",\"seed\":%llu,\"runs\":%llu,"
        "\"steps\":%llu,\"buggy_runs\":%llu,\"last_receivers\":%llu,\"cpu_s\":%.3f,\"steps_per_cpu_s\":%.0f}"
        "\n",
        config.proposers, config.acceptors, bug.data(), static_cast<unsigned long long>(seed),
        static_cast<unsigned long long>(r.runs), static_cast<unsigned long long>(r.steps),
        static_cast<unsigned long long>(r.buggy_runs), static_cast<unsigned long long>(r.last_receivers),
        cpu_s, static_cast<double>(r.steps) / cpu_s);
    return 0;
  }
  if (verb == "explore") {
    const ExploreResult r = explore(config);
    const double cpu_s = cpu_seconds() - start;
    std::printf(
        "{\"loop\":\"explore\",\"proposers\":%d,\"acceptors\":%d,\"bug\":\"%s\",\"states\":%llu,"
        "\"transitions\":%llu,\"depth\":%llu,\"quiescent_states\":%llu,\"violating_states\":%llu,"
        "\"cpu_s\":%.3f}\n",
        config.proposers, config.acceptors, bug.data(), static_cast<unsigned long long>(r.states),
        static_cast<unsigned long long>(r.transitions), static_cast<unsigned long long>(r.depth),
        static_cast<unsigned long long>(r.quiescent_states),
        static_cast<unsigned long long>(r.violating_states), cpu_s);
    return 0;
  }
  return usage();
}
