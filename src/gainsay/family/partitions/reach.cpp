#include "gainsay/family/partitions/reach.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gainsay/base/check.hpp"

namespace gainsay::family {

CutTests tests_of(const PartitionFamily& family) {
  CutTests tests;
  for (const Partition& partition : family) tests.push_back({partition});
  return tests;
}

CutTests bridged_tests(const PartitionFamily& family) {
  CutTests tests;
  for (const Partition& partition : family) {
    for (std::uint32_t bridge = 0; bridge < partition.blocks(); ++bridge)
      tests.push_back({partition, bridge});
  }
  return tests;
}

Counted count_met(const std::vector<Goal>& goals, const CutTests& tests) {
  Counted counted;
  counted.goals = goals.size();
  for (std::size_t g = 0; g < goals.size(); ++g) {
    const auto times =
        static_cast<std::uint64_t>(std::count_if(tests.begin(), tests.end(), [&](const CutTest& test) {
          return met_by(test.partition, goals[g], test.bridge);
        }));
    counted.least = g == 0 ? times : std::min(counted.least, times);
    counted.met += times > 0 ? 1 : 0;
    if (times == 0 && !counted.missed) counted.missed = goals[g];
  }
  return counted;
}

std::vector<std::uint32_t> masks_of(const std::vector<Goal>& goals, const CutTests& tests) {
  GAINSAY_CHECK(goals.size() <= Reach::goals_max, "few goals");
  std::vector<std::uint32_t> masks;
  for (const CutTest& test : tests) {
    std::uint32_t mask = 0;
    for (std::size_t g = 0; g < goals.size(); ++g) {
      if (met_by(test.partition, goals[g], test.bridge)) mask |= std::uint32_t{1} << g;
    }
    masks.push_back(mask);
  }
  return masks;
}

Reach::Reach(std::size_t goals, const std::vector<std::uint32_t>& masks, double also) : goals_(goals) {
  GAINSAY_CHECK(goals <= goals_max && !masks.empty(), "few goals, some tests");
  const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << goals) - 1);
  // How many tests lie within each set; a test misses A if it lies within the complement of A.
  std::vector<std::uint64_t> within(std::size_t{all} + 1, 0);
  for (const std::uint32_t mask : masks) {
    GAINSAY_CHECK(mask <= all, "goals that there are");
    ++within[mask];
  }
  for (std::size_t bit = 0; bit < goals; ++bit) {
    for (std::uint32_t set = 0; set <= all; ++set) {
      if ((set >> bit & 1U) != 0) within[set] += within[set ^ (std::uint32_t{1} << bit)];
    }
  }
  misses_.resize(within.size());
  for (std::uint32_t set = 0; set <= all; ++set) {
    const double missed = static_cast<double>(within[all ^ set]) / static_cast<double>(masks.size());
    misses_[set] = 1 - also * (1 - missed);
  }
}

double Reach::chance_of(std::size_t goal) const {
  GAINSAY_CHECK(goal < goals_, "one of the goals");
  return 1 - misses_[std::size_t{1} << goal];
}

double Reach::all_met_after(std::uint64_t tests) const {
  if (goals_ == 0) return 1;
  long double sum = 0;
  for (std::size_t set = 0; set < misses_.size(); ++set) {
    const long double term =
        std::pow(static_cast<long double>(misses_[set]), static_cast<long double>(tests));
    sum += (std::popcount(set) % 2 == 0) ? term : -term;
  }
  return static_cast<double>(std::clamp(sum, 0.0L, 1.0L));
}

std::optional<std::uint64_t> Reach::tests_for(double confidence) const {
  for (std::size_t goal = 0; goal < goals_; ++goal) {
    if (misses_[std::size_t{1} << goal] >= 1) return std::nullopt;
  }
  std::uint64_t enough = 1;
  while (all_met_after(enough) < confidence) {
    if (enough > std::uint64_t{1} << 60U) return std::nullopt;
    enough *= 2;
  }
  std::uint64_t few = enough / 2;
  while (enough - few > 1) {
    const std::uint64_t middle = few + (enough - few) / 2;
    (all_met_after(middle) < confidence ? few : enough) = middle;
  }
  return enough;
}

}  // namespace gainsay::family
