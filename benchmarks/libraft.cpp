// How fast Debian's libraft runs behind Gainsay, beside the bare loop that drives it without (libraft_baseline.hpp).
//
//   bench_libraft            three rows: the bare loop, a hunt without faults, the default campaign with all of them
//   bench_libraft --check    exits with 1 where a floor is not met
//
// Runs have at most 3,000 steps. Violations end many of them earlier, so what is asked of the campaign is counted in
// runs of 3,000 full steps: its steps in a second, divided by 3,000. Rows are measured in turns and the fastest turn
// counts, in CPU time of one core.
#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "benchmarks/libraft_baseline.hpp"
#include "benchmarks/machine.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/gainsay.hpp"

namespace {

using benchmarks::cpu_seconds;
using gainsay::HuntOptions;
using gainsay::HuntResult;
using gainsay::OptionTexts;

constexpr int turns = 5;
constexpr std::uint64_t steps_max = 3'000;
constexpr std::uint64_t seed = 1;

struct Speed {
  double steps = 0;      // per CPU second
  double runs = 0;       // per CPU second
  double mean_step = 0;  // steps of a run, on average
  std::uint64_t violated = 0;
};

void better(Speed& best, const Speed& speed) {
  if (speed.steps > best.steps) best = speed;
}

Speed bare(std::uint64_t runs) {
  const double start = cpu_seconds();
  std::uint64_t applied = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    benchmarks::BareCluster cluster(seed + run);
    for (std::uint64_t step = 0; step < steps_max; ++step) cluster.step();
    applied += cluster.applied();
  }
  const double spent = cpu_seconds() - start;
  if (applied < runs * 10) fmt::print("the bare loop commits next to nothing: {} entries\n", applied);
  return {static_cast<double>(runs * steps_max) / spent, static_cast<double>(runs) / spent,
          static_cast<double>(steps_max), 0};
}

Speed hunted(const OptionTexts& options, bool swarm, std::uint64_t runs) {
  HuntOptions how;
  how.runs = runs;
  how.seed = seed;
  how.steps_max = steps_max;
  how.keep_going = true;
  how.swarm = swarm;
  const double start = cpu_seconds();
  const HuntResult result = gainsay::hunt(gainsay::find_scenario("libraft"), options, how);
  const double spent = cpu_seconds() - start;
  return {static_cast<double>(result.steps) / spent, static_cast<double>(result.runs) / spent,
          static_cast<double>(result.steps) / static_cast<double>(result.runs), result.buggy_runs};
}

void print(const char* what, const Speed& speed) {
  fmt::print("  {:<44} {:>6.2f} M steps/s {:>7.0f} runs/s of {:>5.0f} steps, {} violated\n", what,
             speed.steps / 1e6, speed.runs, speed.mean_step, speed.violated);
}

bool floor_met(const char* what, double measured, double floor) {
  fmt::print("  {:<44} {:>6.2f}   floor {:.2f}   {}\n", what, measured, floor,
             measured >= floor ? "met" : "NOT MET");
  return measured >= floor;
}

}  // namespace

int main(int count, char** arguments) {
  const bool check = count > 1 && std::strcmp(arguments[1], "--check") == 0;
  fmt::print("{}, commit {}, seed {}\n", benchmarks::cpu_model(), benchmarks::commit(), seed);
  const OptionTexts quiet = {{"voters", "3"},      {"snapshots", "0"},       {"requests", "no"},
                             {"transfers", "no"},  {"changes", "no"},        {"closes", "no"},
                             {"disk_fails", "no"}, {"snapshot_fails", "no"}, {"send_fails", "no"},
                             {"crashes", "0"},     {"drops", "0"},           {"partitions", "0"},
                             {"majority", "no"},   {"old_terms", "no"}};
  Speed alone;
  Speed calm;
  Speed campaign;
  for (int turn = 0; turn < turns; ++turn) better(alone, bare(400));
  for (int turn = 0; turn < turns; ++turn) {
    better(calm, hunted(quiet, false, 200));
    better(campaign, hunted({}, true, 600));
  }
  print("bare loop, no faults", alone);
  print("hunt, no faults", calm);
  print("hunt --swarm, all faults", campaign);
  bool met = floor_met("no faults: millions of steps per second", calm.steps / 1e6, 1.0);
  const double full_runs = campaign.steps / static_cast<double>(steps_max);
  met = floor_met("all faults: hundreds of full runs per second", full_runs / 100, 3.0) && met;
  return check && !met ? 1 : 0;
}
