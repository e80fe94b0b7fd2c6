#include "gainsay/family/strong.hpp"

#include <algorithm>
#include <functional>

#include "gainsay/base/check.hpp"
#include "gainsay/family/chain_partition.hpp"
#include "gainsay/family/hitting.hpp"

namespace gainsay::family {

bool is_upgrowing(const Poset& poset) {
  for (Element x = 0; x < poset.size(); ++x) {
    for (Element y = 0; y < x; ++y) {
      if (poset.less(x, y)) return false;
    }
  }
  return true;
}

Upgrown upgrown(const Poset& poset) {
  std::vector<Element> order = first_schedule(poset);
  Poset renumbered = restriction(poset, order);
  return {std::move(renumbered), std::move(order)};
}

OnlineChains online_chains(const Poset& poset) {
  GAINSAY_CHECK(is_upgrowing(poset), "elements are revealed from below");
  ChainPartition partition;
  std::vector<ChainPartition::Past> pasts;
  OnlineChains result;
  for (Element y = 0; y < poset.size(); ++y) {
    ChainPartition::Past past;
    for (const Element x : poset.immediate_predecessors(y)) partition.join(past, pasts[x]);
    result.chain_of.push_back(partition.add(past).chain);
    pasts.push_back(std::move(past));
  }
  result.chains = partition.chains();
  return result;
}

Schedule strong_schedule(const Poset& poset, const OnlineChains& chains, const ScheduleIndex& index) {
  Schedule schedule;
  struct Single {
    std::size_t label;  // 1 .. d-1
    Element element;
  };
  std::vector<Single> singled;  // ascending labels
  for (Element x = 0; x < poset.size(); ++x) {
    const auto step = std::find(index.steps.begin(), index.steps.end(), x);
    const bool single_out = step != index.steps.end();
    const std::size_t label = single_out ? static_cast<std::size_t>(step - index.steps.begin()) + 1 : 0;
    std::size_t place = schedule.size();
    if (single_out || chains.chain_of[x] == index.chain) {
      // As late as possible: before the singled-out elements of greater labels that x is not above, from the
      // first one after which it is above none.
      for (std::size_t i = singled.size(); i-- > 0;) {
        if (singled[i].label < label || poset.less(singled[i].element, x)) break;
        place = static_cast<std::size_t>(std::find(schedule.begin(), schedule.end(), singled[i].element) -
                                         schedule.begin());
      }
    } else {
      // As early as possible: right after the last element below.
      while (place > 0 && !poset.less(schedule[place - 1], x)) --place;
    }
    schedule.insert(schedule.begin() + static_cast<std::ptrdiff_t>(place), x);
    if (!single_out) continue;
    const auto at =
        std::find_if(singled.begin(), singled.end(), [&](const Single& s) { return s.label > label; });
    singled.insert(at, {label, x});
  }
  return schedule;
}

Family strong_family(const Poset& poset, std::size_t d) {
  GAINSAY_CHECK(d > 0, "tuples have elements");
  const OnlineChains chains = online_chains(poset);
  Family family;
  ScheduleIndex index;
  const std::size_t steps = std::min(d - 1, poset.size());
  const std::function<void()> extend = [&] {
    if (index.steps.size() == steps) {
      for (index.chain = 0; index.chain < chains.chains; ++index.chain)
        family.push_back(strong_schedule(poset, chains, index));
      return;
    }
    for (Element step = 0; step < poset.size(); ++step) {
      if (std::find(index.steps.begin(), index.steps.end(), step) != index.steps.end()) continue;
      index.steps.push_back(step);
      extend();
      index.steps.pop_back();
    }
  };
  extend();
  make_distinct(family);
  return family;
}

}  // namespace gainsay::family
