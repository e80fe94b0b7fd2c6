#include "gainsay/family/hitting.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gainsay/base/check.hpp"
#include "gainsay/family/coverage.hpp"

namespace gainsay::family {
namespace {

std::vector<Element> all_elements(std::size_t n) {
  std::vector<Element> all(n);
  for (Element x = 0; x < n; ++x) all[x] = x;
  return all;
}

void require_elements(std::size_t d) {
  if (d == 0) throw UserError("d must be at least 1: a schedule hits a tuple of d elements");
}

// Calls `use` with each admissible tuple of `length` elements of `chosen`.
void for_admissible(const Poset& poset, std::span<const Element> chosen, std::size_t length, Tuple& tuple,
                    const std::function<void(const Tuple&)>& use) {
  if (tuple.size() == length) return use(tuple);
  for (const Element x : chosen) {
    if (std::any_of(tuple.begin(), tuple.end(), [&](Element y) { return poset.at_most(x, y); })) continue;
    tuple.push_back(x);
    for_admissible(poset, chosen, length, tuple, use);
    tuple.pop_back();
  }
}

// The tuple's elements, each after what is below it, then the rest; everything else in the order of `base`.
Schedule schedule_first(const Poset& poset, const Schedule& base, const Tuple& first) {
  Schedule schedule;
  schedule.reserve(base.size());
  std::vector<bool> done(base.size(), false);
  for (const Element a : first) {
    for (const Element x : base) {
      if (done[x] || !poset.at_most(x, a)) continue;
      done[x] = true;
      schedule.push_back(x);
    }
  }
  for (const Element x : base) {
    if (!done[x]) schedule.push_back(x);
  }
  return schedule;
}

Family families_of_tuples(const Poset& poset, std::span<const Schedule> bases, std::size_t length,
                          std::span<const Element> chosen) {
  Family family;
  Tuple tuple;
  // Shorter tuples have schedules of their own only where the chosen elements do not suffice for longer ones.
  const std::size_t longest = std::min(length, chosen.size());
  for_admissible(poset, chosen, longest, tuple, [&](const Tuple& first) {
    for (const Schedule& base : bases) family.push_back(schedule_first(poset, base, first));
  });
  make_distinct(family);
  return family;
}

// The permutations of an antichain: tuples are numbered, so that a table can count who hits them.
class TupleTable {
 public:
  TupleTable(std::size_t n, std::size_t d) : n_(n), d_(d) {
    std::size_t size = 1;
    for (std::size_t i = 0; i < d; ++i) size *= n;
    count_.assign(size, 0);
  }

  // Adds `change` to every d-tuple that the permutation hits; returns how many were zero before (or after).
  std::size_t add(const Schedule& schedule, int change) {
    zeros_ = 0;
    walk(schedule, 0, 0, 0, change);
    return zeros_;
  }
  // Whether all tuples it hits are hit by at least two.
  bool spare(const Schedule& schedule) const { return all_at_least(schedule, 0, 0, 0, 2); }
  std::optional<Tuple> missed() const {
    Tuple tuple;
    return find_missed(tuple, 0) ? std::optional(tuple) : std::nullopt;
  }

 private:
  void walk(const Schedule& schedule, std::size_t from, std::size_t depth, std::size_t code, int change) {
    if (depth == d_) {
      std::uint32_t& count = count_[code];
      if (count == 0) ++zeros_;
      count = static_cast<std::uint32_t>(static_cast<int>(count) + change);
      return;
    }
    for (std::size_t i = from; i + (d_ - depth) <= schedule.size(); ++i)
      walk(schedule, i + 1, depth + 1, code * n_ + schedule[i], change);
  }
  bool all_at_least(const Schedule& schedule, std::size_t from, std::size_t depth, std::size_t code,
                    std::uint32_t least) const {
    if (depth == d_) return count_[code] >= least;
    for (std::size_t i = from; i + (d_ - depth) <= schedule.size(); ++i) {
      if (!all_at_least(schedule, i + 1, depth + 1, code * n_ + schedule[i], least)) return false;
    }
    return true;
  }
  bool find_missed(Tuple& tuple, std::size_t code) const {
    if (tuple.size() == d_) return count_[code] == 0;
    for (Element x = 0; x < n_; ++x) {
      if (std::find(tuple.begin(), tuple.end(), x) != tuple.end()) continue;
      tuple.push_back(x);
      if (find_missed(tuple, code * n_ + x)) return true;
      tuple.pop_back();
    }
    return false;
  }

  std::size_t n_;
  std::size_t d_;
  std::vector<std::uint32_t> count_;  // by the tuple's elements as digits to base n
  std::size_t zeros_ = 0;
};

Schedule random_permutation(std::size_t n, Rng& rng) {
  Schedule schedule = all_elements(n);
  for (std::size_t i = n; i > 1; --i) std::swap(schedule[i - 1], schedule[rng.below(i)]);
  return schedule;
}

// A random permutation that hits the tuple: its places are refilled in the wanted order.
Schedule random_permutation_with(std::size_t n, const Tuple& tuple, Rng& rng) {
  Schedule schedule = random_permutation(n, rng);
  std::size_t next = 0;
  for (Element& x : schedule) {
    if (std::find(tuple.begin(), tuple.end(), x) != tuple.end()) x = tuple[next++];
  }
  return schedule;
}

// The schedule of Theorem 5.10: what `omitted` marks comes last, both parts in the order of `base`; elements
// from `originals` on are dropped.
Schedule in_two_phases(const Schedule& base, const std::vector<bool>& omitted, std::size_t originals) {
  Schedule schedule;
  schedule.reserve(originals);
  for (const bool second : {false, true}) {
    for (const Element x : base) {
      if (x < originals && omitted[x] == second) schedule.push_back(x);
    }
  }
  return schedule;
}

}  // namespace

void make_distinct(Family& family) {
  std::sort(family.begin(), family.end());
  family.erase(std::unique(family.begin(), family.end()), family.end());
}

Family general_family(const Poset& poset, std::size_t d) {
  return general_family(poset, d, all_elements(poset.size()));
}

Family general_family(const Poset& poset, std::size_t d, std::span<const Element> chosen) {
  require_elements(d);
  const Schedule base = first_schedule(poset);
  return families_of_tuples(poset, {&base, 1}, d - 1, chosen);
}

Family dimension_two_family(const Poset& poset, const std::pair<Schedule, Schedule>& realiser,
                            std::size_t d) {
  return dimension_two_family(poset, realiser, d, all_elements(poset.size()));
}

Family dimension_two_family(const Poset& poset, const std::pair<Schedule, Schedule>& realiser, std::size_t d,
                            std::span<const Element> chosen) {
  require_elements(d);
  if (d == 1) return {realiser.first};
  const Schedule bases[] = {realiser.first, realiser.second};
  return families_of_tuples(poset, bases, d - 2, chosen);
}

AntichainFamily antichain_family(std::size_t n, std::size_t d, Rng& rng, double epsilon, double tuples_max) {
  require_elements(d);
  AntichainFamily result;
  result.lovasz_bound = antichain_lovasz_bound(n, d);
  result.verified = true;
  const Schedule forward = all_elements(n);
  if (d == 1 || n < 2) {
    result.family = {forward};
    return result;
  }
  if (d == 2) {
    result.family = {forward, Schedule(forward.rbegin(), forward.rend())};
    return result;
  }
  // Fewer elements than d: a family for all of them is one for every shorter tuple.
  const std::size_t length = std::min(n, d);
  const double tuples = std::pow(static_cast<double>(n), static_cast<double>(length));
  const double log_goals = log_falling_factorial(static_cast<double>(n), length);
  const double p = std::exp(-std::lgamma(static_cast<double>(length) + 1));
  if (tuples > tuples_max) {
    result.sampled = tests_needed(log_goals, p, epsilon);
    result.verified = false;
    result.epsilon = epsilon;
    for (std::uint64_t i = 0; i < result.sampled; ++i) result.family.push_back(random_permutation(n, rng));
    return result;
  }
  result.sampled = tests_that_exist(log_goals, p);
  TupleTable table(n, length);
  for (std::uint64_t i = 0; i < result.sampled; ++i) {
    result.family.push_back(random_permutation(n, rng));
    table.add(result.family.back(), 1);
  }
  while (const std::optional<Tuple> missed = table.missed()) {
    result.family.push_back(random_permutation_with(n, *missed, rng));
    table.add(result.family.back(), 1);
    ++result.repaired;
  }
  for (std::size_t i = 0; i < result.family.size();) {
    if (table.spare(result.family[i])) {
      table.add(result.family[i], -1);
      result.family.erase(result.family.begin() + static_cast<std::ptrdiff_t>(i));
      ++result.thinned;
    } else {
      ++i;
    }
  }
  GAINSAY_CHECK(!table.missed(), "thinning keeps every tuple");
  return result;
}

Family chain_with_independent_family(std::size_t n, std::size_t d) {
  require_elements(d);
  Family family;
  for (std::size_t place = 0; place <= n; ++place) {
    if (d <= 2 && place != 0 && (place != n || d == 1)) continue;
    Schedule schedule;
    for (Element x = 0; x <= n; ++x) {
      if (x == place) schedule.push_back(static_cast<Element>(n));
      if (x < n) schedule.push_back(x);
    }
    family.push_back(std::move(schedule));
  }
  return family;
}

Family series_parallel_family(const SpOrder& order) {
  const SpOrder extended = binary_semilattice(order);
  const Poset poset = extended.poset();
  const auto [left, right] = extended.realiser();
  const std::vector<std::uint32_t> layer = layers(poset);
  std::vector<std::uint32_t> place(poset.size());
  for (std::uint32_t i = 0; i < left.size(); ++i) place[left[i]] = i;
  // successors[x]: at most two, in the order of `left`.
  std::vector<std::vector<Element>> successors(poset.size());
  std::size_t layers_used = 0;
  for (Element x = 0; x < poset.size(); ++x) {
    successors[x] = poset.immediate_successors(x);
    GAINSAY_CHECK(successors[x].size() <= 2, "a binary semilattice");
    std::sort(successors[x].begin(), successors[x].end(),
              [&](Element a, Element b) { return place[a] < place[b]; });
    layers_used = std::max<std::size_t>(layers_used, layer[x] + 1);
  }
  Family family;
  for (std::uint32_t i = 0; i < layers_used; ++i) {
    for (const std::size_t j : {0U, 1U}) {
      std::vector<bool> omitted(poset.size(), false);
      for (Element x = 0; x < poset.size(); ++x) {
        if (layer[x] != i || successors[x].size() <= j) continue;
        for (Element y = 0; y < poset.size(); ++y)
          omitted[y] = omitted[y] || poset.at_most(successors[x][j], y);
      }
      family.push_back(in_two_phases(left, omitted, order.size()));
      family.push_back(in_two_phases(right, omitted, order.size()));
    }
  }
  make_distinct(family);
  return family;
}

Family tree_family_of_three(const Tree& tree) {
  const BinaryTree binary = binary_embedding(tree);
  Schedule traversals[2];
  for (const bool mirrored : {false, true}) {
    std::vector<Element> open{binary.root};
    while (!open.empty()) {
      const Element x = open.back();
      open.pop_back();
      traversals[mirrored].push_back(x);
      for (const int side : {mirrored ? 0 : 1, mirrored ? 1 : 0}) {
        if (binary.nodes[x].child[side] != no_parent) open.push_back(binary.nodes[x].child[side]);
      }
    }
  }
  Family family;
  for (std::uint32_t i = 0; i < binary.height; ++i) {
    for (const int j : {0, 1}) {
      std::vector<bool> omitted(binary.nodes.size(), false);
      for (const Element x : traversals[0]) {  // parents first
        for (const int side : {0, 1}) {
          const Element child = binary.nodes[x].child[side];
          if (child != no_parent) omitted[child] = omitted[x] || (binary.nodes[x].layer == i && side == j);
        }
      }
      for (const Schedule& base : traversals)
        family.push_back(in_two_phases(base, omitted, binary.originals));
    }
  }
  make_distinct(family);
  return family;
}

}  // namespace gainsay::family
