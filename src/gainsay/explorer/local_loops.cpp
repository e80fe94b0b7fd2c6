#include "gainsay/explorer/local_loops.hpp"

#include <algorithm>
#include <numeric>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "gainsay/explorer/components.hpp"

namespace gainsay {

std::vector<LocalStep> local_steps(const Kernel& kernel) {
  std::vector<LocalStep> steps;
  kernel.each_leaves([&](CellId cell, EnvelopeId envelope, const Leaves& leaves) {
    for (const Leaf& leaf : leaves) {
      const Transition& transition = leaf.transition;
      LocalStep step{kernel.envelope(envelope).to, cell, transition.next, envelope, {}};
      step.put.assign(transition.outs().begin(), transition.outs().end());
      if (const Extras* extras = transition.extras; extras != nullptr) {
        step.put.insert(step.put.end(), extras->notifications.begin(), extras->notifications.end());
        for (const TimerOp& op : extras->timers) {
          if (op.cancelled == nullptr && !op.withdrawn) step.put.push_back(op.armed);
        }
      }
      steps.push_back(std::move(step));
    }
  });
  return steps;
}

namespace {

void drop_what_nobody_sends(std::vector<LocalStep>& steps) {
  boost::unordered_flat_set<EnvelopeId> put;
  for (const LocalStep& step : steps) put.insert(step.put.begin(), step.put.end());
  std::erase_if(steps, [&](const LocalStep& step) { return !put.contains(step.taken); });
}

// Steps from which the actor cannot come back.
void drop_one_way_steps(std::vector<LocalStep>& steps) {
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> numbers;  // of an actor in a state
  const auto number = [&](Slot slot, CellId cell) {
    const std::uint64_t key = (static_cast<std::uint64_t>(slot) << 32U) | cell;
    return numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  std::sort(steps.begin(), steps.end(), [](const LocalStep& a, const LocalStep& b) {
    return std::pair(a.slot, a.from) < std::pair(b.slot, b.from);
  });
  std::vector<std::uint32_t> from;
  std::vector<std::uint32_t> to;
  for (const LocalStep& step : steps) {
    from.push_back(number(step.slot, step.from));
    to.push_back(number(step.slot, step.to));
  }
  std::vector<std::uint32_t> begin(numbers.size(), 0);
  std::vector<std::uint32_t> end(numbers.size(), 0);
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    if (i == 0 || from[i] != from[i - 1]) begin[from[i]] = i;
    end[from[i]] = i + 1;
  }
  const std::vector<std::uint32_t> component = strong_components(
      static_cast<std::uint32_t>(numbers.size()), [&](std::uint32_t node) { return begin[node]; },
      [&](std::uint32_t node) { return end[node]; }, [&](std::uint32_t edge) { return to[edge]; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (component[from[i]] != component[to[i]]) continue;
    if (kept != i) steps[kept] = std::move(steps[i]);
    ++kept;
  }
  steps.resize(kept);
}

}  // namespace

void keep_steps_on_loops(std::vector<LocalStep>& steps) {
  for (std::size_t before = steps.size() + 1; before != steps.size();) {
    before = steps.size();
    drop_what_nobody_sends(steps);
    drop_one_way_steps(steps);
    GAINSAY_CHECK(steps.size() <= before, "steps are dropped only");
  }
}

}  // namespace gainsay
