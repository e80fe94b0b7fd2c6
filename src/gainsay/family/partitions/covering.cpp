#include "gainsay/family/partitions/covering.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/text.hpp"
#include "gainsay/family/partitions/chances.hpp"

namespace gainsay::family {
namespace {

PartitionFamily by_bits(std::size_t nodes, std::size_t first) {
  PartitionFamily family;
  const std::size_t last = first + nodes - 1;
  for (std::size_t bit = 0; bit < static_cast<std::size_t>(std::bit_width(last)); ++bit) {
    std::vector<std::uint32_t> block_of;
    for (std::size_t number = first; number <= last; ++number)
      block_of.push_back(static_cast<std::uint32_t>(number >> bit & 1U));
    family.emplace_back(block_of);
    GAINSAY_CHECK(family.back().blocks() == 2, "every bit is set in some number and not in all");
  }
  return family;
}

void require_two(std::size_t nodes) {
  if (nodes < 2) throw UserError("one node alone cannot be split from another");
}

}  // namespace

PartitionFamily splitting_by_bits_of_thesis(std::size_t nodes) {
  require_two(nodes);
  return by_bits(nodes, 1);
}

PartitionFamily splitting_by_bits(std::size_t nodes) {
  require_two(nodes);
  return by_bits(nodes, 0);
}

PartitionFamily minority_family(std::size_t nodes) {
  if (nodes < 3) throw UserError("a minority needs at least 3 nodes");
  const std::size_t size = (nodes - 1) / 2;
  PartitionFamily family;
  for (std::size_t first = 0; first < nodes; first += size) {
    std::vector<std::uint32_t> block_of(nodes, 0);
    // The last one may overlap with the one before it.
    const std::size_t from = std::min(first, nodes - size);
    for (std::size_t i = from; i < from + size; ++i) block_of[i] = 1;
    family.emplace_back(block_of);
  }
  return family;
}

CutTests candidates_of(const Notion& notion, std::size_t most) {
  const PartitionFamily all = all_partitions(notion.nodes, notion.blocks(), most);
  return notion.kind == Notion::Kind::bridge ? bridged_tests(all) : tests_of(all);
}

std::vector<std::vector<std::uint32_t>> goals_met(const std::vector<Goal>& goals,
                                                  const CutTests& candidates) {
  std::vector<std::vector<std::uint32_t>> met(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    for (std::uint32_t g = 0; g < goals.size(); ++g) {
      if (met_by(candidates[c].partition, goals[g], candidates[c].bridge)) met[c].push_back(g);
    }
  }
  return met;
}

std::vector<std::size_t> greedy_cover(std::size_t goals, const std::vector<std::vector<std::uint32_t>>& met) {
  std::vector<bool> done(goals, false);
  std::vector<std::size_t> chosen;
  for (std::size_t left = goals; left > 0;) {
    std::size_t best = 0;
    std::size_t most = 0;
    for (std::size_t c = 0; c < met.size(); ++c) {
      if (met[c].size() <= most) continue;
      const auto fresh = static_cast<std::size_t>(
          std::count_if(met[c].begin(), met[c].end(), [&](std::uint32_t g) { return !done[g]; }));
      if (fresh > most) {
        most = fresh;
        best = c;
      }
    }
    if (most == 0)
      throw UserError(fmt::format("{} of {} met by no partition of this kind",
                                  counted(left, "goal is", "goals are"), with_commas(goals)));
    for (const std::uint32_t g : met[best]) done[g] = true;
    left -= most;
    chosen.push_back(best);
  }
  return chosen;
}

namespace {

// Iterative deepening: the uncovered goal that fewest candidates meet is met by one of them.
class LeastCover {
 public:
  LeastCover(std::size_t goals, const std::vector<std::vector<std::uint32_t>>& met, std::uint64_t work)
      : met_(met), by_goal_(goals), times_(goals, 0), left_(goals), work_(work) {
    for (std::size_t c = 0; c < met.size(); ++c) {
      most_ = std::max(most_, met[c].size());
      for (const std::uint32_t g : met[c]) by_goal_[g].push_back(c);
    }
  }
  bool find(std::size_t size) {
    if (left_ == 0) return true;
    if (size * most_ < left_ || work_ == 0) return false;
    --work_;
    std::size_t hardest = times_.size();
    std::size_t hardest_count = 0;
    for (std::size_t g = 0; g < times_.size(); ++g) {
      if (times_[g] > 0 || (hardest < times_.size() && by_goal_[g].size() >= hardest_count)) continue;
      hardest = g;
      hardest_count = by_goal_[g].size();
    }
    GAINSAY_CHECK(hardest < times_.size(), "some goal is left");
    for (const std::size_t c : by_goal_[hardest]) {
      take(c, 1);
      chosen_.push_back(c);
      if (find(size - 1)) return true;
      chosen_.pop_back();
      take(c, -1);
    }
    return false;
  }
  bool gave_up() const { return work_ == 0; }
  const std::vector<std::size_t>& chosen() const { return chosen_; }

 private:
  void take(std::size_t c, int by) {
    for (const std::uint32_t g : met_[c]) {
      if (by > 0 && times_[g]++ == 0) --left_;
      if (by < 0 && --times_[g] == 0) ++left_;
    }
  }

  const std::vector<std::vector<std::uint32_t>>& met_;
  std::vector<std::vector<std::size_t>> by_goal_;
  std::vector<std::uint32_t> times_;
  std::size_t left_;
  std::size_t most_ = 0;
  std::uint64_t work_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

std::optional<std::vector<std::size_t>> least_cover(std::size_t goals,
                                                    const std::vector<std::vector<std::uint32_t>>& met,
                                                    std::uint64_t work) {
  const std::vector<std::size_t> greedy = greedy_cover(goals, met);
  LeastCover search(goals, met, work);
  for (std::size_t size = 1; size < greedy.size(); ++size) {
    if (search.find(size)) return search.chosen();
    if (search.gave_up()) return std::nullopt;
  }
  return greedy;
}

std::optional<CutTests> greedy_family(const Notion& notion) {
  constexpr double pairs_max = 4e7;  // of candidates and goals
  const bool bridge = notion.kind == Notion::Kind::bridge;
  const Big candidates_count = stirling(notion.nodes, notion.blocks()) * (bridge ? 3 : 1);
  const Big goals_count = goals_counted_once(notion);
  if (candidates_count * goals_count > Big(static_cast<std::uint64_t>(pairs_max))) return std::nullopt;
  const CutTests candidates = candidates_of(notion);
  const std::vector<Goal> goals = notion.goals();
  CutTests family;
  for (const std::size_t c : greedy_cover(goals.size(), goals_met(goals, candidates)))
    family.push_back(candidates[c]);
  return family;
}

std::optional<CutTests> least_family_of(const Notion& notion) {
  constexpr std::size_t nodes_max = 6;
  if (notion.nodes > nodes_max) return std::nullopt;
  const CutTests candidates = candidates_of(notion);
  const std::vector<Goal> goals = notion.goals();
  const auto cover = least_cover(goals.size(), goals_met(goals, candidates));
  if (!cover) return std::nullopt;
  CutTests family;
  for (const std::size_t c : *cover) family.push_back(candidates[c]);
  return family;
}

Covering covering_family(const Notion& notion) {
  if (notion.kind == Notion::Kind::split && notion.sides.size() == 2)
    return {tests_of(splitting_by_bits(notion.nodes)), "bits of the nodes' numbers (Remark 1, from 0)", true};
  if (notion.kind == Notion::Kind::isolate_minority)
    return {tests_of(minority_family(notion.nodes)), "minorities side by side", true};
  if (auto least = least_family_of(notion)) return {std::move(*least), "the smallest, by search", true};
  std::optional<CutTests> greedy = greedy_family(notion);
  const std::optional<PartitionFamily> hashed = hashed_family(notion);
  if (greedy && (!hashed || greedy->size() <= hashed->size())) return {std::move(*greedy), "greedy"};
  if (hashed) return {tests_of(*hashed), "polynomials over a finite field, then greedy"};
  throw UserError(
      fmt::format("no deterministic family of {} nodes that is {} is known; draw one without --deterministic",
                  with_commas(notion.nodes), notion.text()));
}

}  // namespace gainsay::family
