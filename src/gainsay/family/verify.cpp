#include "gainsay/family/verify.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "gainsay/base/check.hpp"

namespace gainsay::family {
namespace {

using Positions = std::vector<std::uint32_t>;  // element -> place in the schedule

std::vector<Positions> positions(const Poset& poset, const Family& family) {
  std::vector<Positions> result;
  for (const Schedule& schedule : family) {
    GAINSAY_CHECK(is_schedule(poset, schedule), "a family consists of schedules of its poset");
    Positions position(poset.size());
    for (std::uint32_t i = 0; i < schedule.size(); ++i) position[schedule[i]] = i;
    result.push_back(std::move(position));
  }
  return result;
}

// Extends the tuple in every admissible way, and keeps the schedules that hit what there is so far.
bool search_miss(const Poset& poset, const std::vector<Positions>& places,
                 const std::vector<std::uint32_t>& alive, std::size_t d, Tuple& tuple) {
  if (tuple.size() == d) return alive.empty();
  for (Element x = 0; x < poset.size(); ++x) {
    const bool fits =
        std::none_of(tuple.begin(), tuple.end(), [&](Element y) { return poset.at_most(x, y); });
    if (!fits) continue;
    std::vector<std::uint32_t> still;
    for (const std::uint32_t schedule : alive) {
      if (tuple.empty() || places[schedule][tuple.back()] < places[schedule][x]) still.push_back(schedule);
    }
    tuple.push_back(x);
    if (search_miss(poset, places, still, d, tuple)) return true;
    tuple.pop_back();
  }
  return false;
}

void for_tuples(const Poset& poset, std::size_t d, bool admissible, Tuple& tuple,
                const std::function<void(const Tuple&)>& use) {
  if (tuple.size() == d) return use(tuple);
  for (Element x = 0; x < poset.size(); ++x) {
    const bool fits = std::none_of(tuple.begin(), tuple.end(),
                                   [&](Element y) { return admissible ? poset.at_most(x, y) : x == y; });
    if (!fits) continue;
    tuple.push_back(x);
    for_tuples(poset, d, admissible, tuple, use);
    tuple.pop_back();
  }
}

// The least set of schedules that covers all goals: depth first, deeper and deeper, on the goal with the
// fewest schedules left; goals that share no schedule are a lower bound.
class LeastCover {
 public:
  LeastCover(std::size_t goals, std::vector<std::vector<std::uint64_t>> covers)
      : goals_(goals), words_((goals + 63) / 64), covers_(std::move(covers)), covered_by_(goals) {
    drop_dominated();
    for (std::uint32_t s = 0; s < covers_.size(); ++s) {
      for (std::size_t goal = 0; goal < goals_; ++goal) {
        if (covers_[s][goal / 64] >> (goal % 64) & 1U) covered_by_[goal].push_back(s);
      }
    }
  }

  std::vector<std::uint32_t> solve() {
    std::vector<std::uint64_t> open(words_, 0);
    for (std::size_t goal = 0; goal < goals_; ++goal) open[goal / 64] |= std::uint64_t{1} << (goal % 64);
    for (std::size_t size = lower_bound(open);; ++size) {
      GAINSAY_CHECK(size <= goals_, "every goal is covered by some schedule");
      chosen_.clear();
      if (search(open, size)) break;
    }
    std::vector<std::uint32_t> original;
    for (const std::uint32_t s : chosen_) original.push_back(names_[s]);
    return original;
  }
  std::uint64_t nodes() const { return nodes_; }

 private:
  // A schedule that covers a subset of what another covers is never needed.
  void drop_dominated() {
    std::vector<std::vector<std::uint64_t>> kept;
    for (std::uint32_t s = 0; s < covers_.size(); ++s) {
      bool dominated = false;
      for (std::uint32_t t = 0; t < covers_.size() && !dominated; ++t) {
        if (s == t) continue;
        bool subset = true;
        for (std::size_t w = 0; w < words_ && subset; ++w) subset = (covers_[s][w] & ~covers_[t][w]) == 0;
        dominated = subset && (covers_[s] != covers_[t] || t < s);
      }
      if (dominated) continue;
      names_.push_back(s);
      kept.push_back(covers_[s]);
    }
    covers_ = std::move(kept);
  }

  std::size_t lower_bound(const std::vector<std::uint64_t>& open) const {
    std::vector<bool> used(covers_.size(), false);
    std::vector<std::size_t> order;
    for (std::size_t goal = 0; goal < goals_; ++goal) {
      if (open[goal / 64] >> (goal % 64) & 1U) order.push_back(goal);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return covered_by_[a].size() < covered_by_[b].size();
    });
    std::size_t bound = 0;
    for (const std::size_t goal : order) {
      const bool apart = std::none_of(covered_by_[goal].begin(), covered_by_[goal].end(),
                                      [&](std::uint32_t s) { return used[s]; });
      if (!apart) continue;
      ++bound;
      for (const std::uint32_t s : covered_by_[goal]) used[s] = true;
    }
    return bound;
  }

  bool search(const std::vector<std::uint64_t>& open, std::size_t left) {
    ++nodes_;
    std::size_t hardest = goals_;
    std::size_t remaining = 0;
    for (std::size_t goal = 0; goal < goals_; ++goal) {
      if (!(open[goal / 64] >> (goal % 64) & 1U)) continue;
      ++remaining;
      if (hardest == goals_ || covered_by_[goal].size() < covered_by_[hardest].size()) hardest = goal;
    }
    if (remaining == 0) return true;
    if (left == 0 || lower_bound(open) > left) return false;
    for (const std::uint32_t s : covered_by_[hardest]) {
      std::vector<std::uint64_t> next = open;
      for (std::size_t w = 0; w < words_; ++w) next[w] &= ~covers_[s][w];
      chosen_.push_back(s);
      if (search(next, left - 1)) return true;
      chosen_.pop_back();
    }
    return false;
  }

  std::size_t goals_;
  std::size_t words_;
  std::vector<std::vector<std::uint64_t>> covers_;  // per schedule: the goals it covers
  std::vector<std::vector<std::uint32_t>> covered_by_;
  std::vector<std::uint32_t> names_;  // the schedules' numbers before dominated ones were dropped
  std::vector<std::uint32_t> chosen_;
  std::uint64_t nodes_ = 0;
};

std::optional<LeastFamily> least(const Poset& poset, const std::vector<Tuple>& goals,
                                 std::size_t schedules_max,
                                 const std::function<bool(const Schedule&, const Tuple&)>& covers) {
  Family all;
  const bool complete = for_all_schedules(poset, [&](const Schedule& schedule) {
    all.push_back(schedule);
    return all.size() <= schedules_max;
  });
  if (!complete) return std::nullopt;
  if (goals.empty()) return LeastFamily{{all.front()}, 0};
  std::vector<std::vector<std::uint64_t>> table;
  for (const Schedule& schedule : all) {
    std::vector<std::uint64_t> row((goals.size() + 63) / 64, 0);
    for (std::size_t goal = 0; goal < goals.size(); ++goal) {
      if (covers(schedule, goals[goal])) row[goal / 64] |= std::uint64_t{1} << (goal % 64);
    }
    table.push_back(std::move(row));
  }
  LeastCover cover(goals.size(), std::move(table));
  LeastFamily result;
  for (const std::uint32_t s : cover.solve()) result.family.push_back(all[s]);
  result.nodes = cover.nodes();
  return result;
}

}  // namespace

bool is_admissible(const Poset& poset, const Tuple& tuple) {
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    for (std::size_t j = i + 1; j < tuple.size(); ++j) {
      if (poset.at_most(tuple[j], tuple[i])) return false;
    }
  }
  return true;
}

bool hits(const Schedule& schedule, const Tuple& tuple) {
  std::size_t next = 0;
  for (const Element x : schedule) {
    if (next < tuple.size() && x == tuple[next]) ++next;
  }
  return next == tuple.size();
}

bool strongly_hits(const Poset& poset, const Schedule& schedule, const Tuple& tuple) {
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    bool after = false;
    for (const Element y : schedule) {
      after = after || y == tuple[i];
      if (!after) continue;
      bool forced = false;
      for (std::size_t j = i; j < tuple.size() && !forced; ++j) forced = poset.at_most(tuple[j], y);
      if (!forced) return false;
    }
  }
  return true;
}

std::optional<Tuple> missed_tuple(const Poset& poset, const Family& family, std::size_t d) {
  const std::vector<Positions> places = positions(poset, family);
  std::vector<std::uint32_t> all(family.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  Tuple tuple;
  if (search_miss(poset, places, all, d, tuple)) return tuple;
  return std::nullopt;
}

std::optional<Tuple> strongly_missed_tuple(const Poset& poset, const Family& family, std::size_t d) {
  for (const Schedule& schedule : family)
    GAINSAY_CHECK(is_schedule(poset, schedule), "a family consists of schedules of its poset");
  std::optional<Tuple> missed;
  Tuple tuple;
  for_tuples(poset, d, false, tuple, [&](const Tuple& goal) {
    if (missed) return;
    const bool hit = std::any_of(family.begin(), family.end(), [&](const Schedule& schedule) {
      return strongly_hits(poset, schedule, goal);
    });
    if (!hit) missed = goal;
  });
  return missed;
}

std::vector<Tuple> admissible_tuples(const Poset& poset, std::size_t d) {
  std::vector<Tuple> all;
  Tuple tuple;
  for_tuples(poset, d, true, tuple, [&](const Tuple& goal) { all.push_back(goal); });
  return all;
}

std::vector<Tuple> all_tuples(const Poset& poset, std::size_t d) {
  std::vector<Tuple> all;
  Tuple tuple;
  for_tuples(poset, d, false, tuple, [&](const Tuple& goal) { all.push_back(goal); });
  return all;
}

std::optional<LeastFamily> least_family(const Poset& poset, std::size_t d, std::size_t schedules_max) {
  return least(poset, admissible_tuples(poset, d), schedules_max, hits);
}

std::optional<LeastFamily> least_strong_family(const Poset& poset, std::size_t d, std::size_t schedules_max) {
  return least(poset, all_tuples(poset, d), schedules_max, [&](const Schedule& schedule, const Tuple& tuple) {
    return strongly_hits(poset, schedule, tuple);
  });
}

}  // namespace gainsay::family
