// A forest of causes as a world, so that strategies are tested on orders of known size without actors: what an
// event causes is pending as soon as it has been executed. Also the statistics that such tests need.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay::forest {

constexpr std::size_t no_parent = ~std::size_t{0};

struct Node {
  std::size_t parent = no_parent;  // comes before the node in the list
  std::uint64_t receiver = 0;
};

using Forest = std::vector<Node>;
using Schedule = std::vector<std::size_t>;

inline Forest of_parents(const std::vector<std::size_t>& parents) {
  Forest forest;
  for (const std::size_t parent : parents) forest.push_back({parent, 0});
  return forest;
}

// Chains of so many events each, all beginning at once, one receiver per chain.
inline Forest of_chains(const std::vector<std::size_t>& lengths) {
  Forest forest;
  for (std::size_t chain = 0; chain < lengths.size(); ++chain) {
    for (std::size_t i = 0; i < lengths[chain]; ++i)
      forest.push_back({i == 0 ? no_parent : forest.size() - 1, chain});
  }
  return forest;
}

// Whether `above` is `node` or descends from it.
inline bool at_or_above(const Forest& forest, std::size_t above, std::size_t node) {
  while (above != node && forest[above].parent != no_parent) above = forest[above].parent;
  return above == node;
}

inline std::vector<std::size_t> children(const Forest& forest, std::size_t parent) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < forest.size(); ++i) {
    if (forest[i].parent == parent) list.push_back(i);
  }
  return list;
}

// Number of chains that the forest needs: as many as there are events that cause nothing.
inline std::size_t width(const Forest& forest) {
  std::size_t leaves = 0;
  for (std::size_t i = 0; i < forest.size(); ++i) leaves += children(forest, i).empty() ? 1 : 0;
  return leaves;
}

// Executes a forest under a strategy.
class World final : public EventSource {
 public:
  explicit World(Forest forest, bool mailbox = false) : forest_(std::move(forest)), mailbox_(mailbox) {
    for (std::size_t i = 0; i < forest_.size(); ++i) children_.push_back(children(forest_, i));
    roots_ = children(forest_, no_parent);
  }

  Schedule run(Strategy& strategy, std::uint64_t index, std::uint64_t seed = 1, bool scout = false) {
    RunInfo info{index, seed, 100'000, scout, {}};
    info.world.mailbox = mailbox_;
    (void)strategy.begin(info);
    pending_ = roots_;
    Schedule schedule;
    while (!pending_.empty()) {
      enabled_.clear();
      for (std::size_t i = 0; i < pending_.size(); ++i) {
        bool waits = false;
        for (std::size_t j = 0; mailbox_ && j < i; ++j)
          waits = waits || forest_[pending_[j]].receiver == forest_[pending_[i]].receiver;
        if (!waits) enabled_.push_back(i);
      }
      const std::size_t answer =
          strategy.choose(ChoicePoint::events(*this, schedule.size(), enabled_.size(), enabled_.size()));
      const std::size_t node = pending_.at(enabled_.at(answer));
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(enabled_[answer]));
      schedule.push_back(node);
      for (const std::size_t child : children_[node]) pending_.push_back(child);
    }
    strategy.end({Ending::quiescent, schedule.size()});
    return schedule;
  }

  // A scout, then `runs` runs; how often each schedule was taken.
  std::map<Schedule, std::uint64_t> frequencies(Strategy& strategy, std::uint64_t runs,
                                                std::uint64_t seed = 1) {
    scout(strategy, seed);
    std::map<Schedule, std::uint64_t> counts;
    for (std::uint64_t i = 0; i < runs; ++i) ++counts[run(strategy, i, seed)];
    return counts;
  }
  void scout(Strategy& strategy, std::uint64_t seed = 1) {
    std::unique_ptr<Lessons> all;
    for (std::uint64_t index = ~std::uint64_t{0}; strategy.needs().scout; --index) {
      run(strategy, index, seed, true);
      std::unique_ptr<Lessons> lessons = strategy.learner()->take_lessons();
      if (all) {
        all->merge(*lessons);
      } else {
        all = std::move(lessons);
      }
      strategy.learner()->learn(*all);
    }
  }

  // EventSource
  Event event_at(std::size_t index) const override { return pending_event(enabled_.at(index)); }
  std::optional<std::uint64_t> world_fingerprint() const override { return std::nullopt; }
  std::size_t pending_count() const override { return pending_.size(); }
  EventId pending_id(std::size_t position) const override { return EventId{pending_.at(position) + 1}; }
  Event pending_event(std::size_t position) const override {
    Event event;
    event.id = pending_id(position);
    event.receiver = ActorId{forest_[pending_[position]].receiver};
    return event;
  }
  std::size_t position_of(std::size_t index) const override { return enabled_.at(index); }

 private:
  Forest forest_;
  bool mailbox_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> roots_;
  std::vector<std::size_t> pending_;
  std::vector<std::size_t> enabled_;
};

// --- statistics ---

// A count whose expectation is runs * p lies below this with probability 99.9 % at the most: three point one
// standard deviations. REQUIRES: runs * p is not small.
inline double least_count(std::uint64_t runs, double p) {
  const double n = static_cast<double>(runs);
  return n * p - 3.1 * std::sqrt(n * p * (1 - p));
}

// Wilson and Hilferty's approximation of a quantile of chi-square: z = 4.75 is exceeded once in a million.
inline double chi_square_limit(std::size_t degrees, double z = 4.75) {
  const double k = static_cast<double>(degrees);
  const double a = 2 / (9 * k);
  return k * std::pow(1 - a + z * std::sqrt(a), 3);
}

// Demands that counts agree with probabilities; outcomes without a probability must not occur.
template <class Outcome>
void expect_distribution(const std::map<Outcome, std::uint64_t>& counts,
                         const std::map<Outcome, double>& probabilities, std::uint64_t runs) {
  double chi_square = 0;
  for (const auto& [outcome, probability] : probabilities) {
    const double expected = probability * static_cast<double>(runs);
    EXPECT_GT(expected, 5) << "too few runs for this test";
    const auto found = counts.find(outcome);
    const double seen = found == counts.end() ? 0 : static_cast<double>(found->second);
    chi_square += (seen - expected) * (seen - expected) / expected;
  }
  for (const auto& [outcome, count] : counts) EXPECT_TRUE(probabilities.contains(outcome)) << count;
  if (probabilities.size() > 1) {
    EXPECT_LT(chi_square, chi_square_limit(probabilities.size() - 1));
  }
}

}  // namespace gainsay::forest
