#include "gainsay/strategy/searches/optimal_dpor.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

StrategyInfo odpor_strategy() {
  return StrategyInfo::of<SearchOptions>(
      "odpor", "every trace class, exactly once: wakeup trees; complete", StrategyKind::search,
      [](const SearchOptions& options) { return std::make_unique<OptimalDpor>(options); });
}

void OptimalDpor::prepare(const WorldTraits& world) {
  SourceDpor::prepare(world);
  exact_ = transitive() && !world.gated && !world.causal && !world.timers_optional;
}

void OptimalDpor::at_state(std::size_t state) {
  if (trees_.size() <= state) trees_.resize(state + 1);
  trees_[state] = Trees{};
  // What the parent's tree prescribes after the answers that were given.
  if (state > 0) {
    const std::uint64_t answers = stack().step(state - 1).answers;
    for (WakeupTree::Below& below : trees_[state - 1].chosen.below) {
      if (below.answers == answers) trees_[state].waiting = std::move(*below.tree);
    }
  }
  // A gated actor may have been spawned.
  for (const Handle handle : stack().state(state).all_pending()) {
    if (stack().known(handle).traits.gated) asked();
  }
  SourceDpor::at_state(state);
}

std::uint32_t OptimalDpor::first_branch(std::size_t state) {
  GAINSAY_CHECK(state < trees_.size() && state + 1 == stack().states(), "the last state has its trees");
  Trees& trees = trees_[state];
  if (!trees.waiting.empty()) return next_branch(state);
  const std::uint32_t branch = SourceDpor::first_branch(state);
  if (branch == nothing) return branch;
  trees.chosen = {};
  trees.chosen.event.id = stack().known(stack().state(state).enabled[branch]).event.id;
  // Where an execution may stop, everything is wanted; the base says so by flags.
  return branch;
}

std::uint32_t OptimalDpor::next_branch(std::size_t state) {
  GAINSAY_CHECK(state < trees_.size() && state < stack().states(), "a state of this execution has its trees");
  Trees& trees = trees_[state];
  while (!trees.waiting.empty()) {
    WakeupTree::Child child = trees.waiting.take_front();
    const Handle handle = stack().find(child.event.id);
    const std::uint32_t branch = handle == no_handle ? nothing : branch_of(state, handle);
    if (branch == nothing) {
      GAINSAY_CHECK(!exact_ || vanished(), "what a wakeup tree prescribes can be executed");
      continue;
    }
    const Branch& known = node(state).branches[branch];
    if (known.done || known.asleep || !affordable(state, branch)) continue;
    trees.chosen = std::move(child);
    return branch;
  }
  // Wanted by flags: alternatives to stopping.
  const std::uint32_t branch = SourceDpor::next_branch(state);
  if (branch == nothing) return branch;
  trees.chosen = {};
  trees.chosen.event.id = stack().known(stack().state(state).enabled[branch]).event.id;
  return branch;
}

WakeupEvent OptimalDpor::event_of(std::size_t step) const {
  return {stack().event_of(step).id, stack().step(step).answers, stack().step(step).footprint};
}

// A single event, as steps that take others away want it.
void OptimalDpor::want(std::size_t state, Handle handle) {
  const std::uint32_t branch = branch_of(state, handle);
  if (branch == nothing || node(state).branches[branch].wanted) return;
  node(state).branches[branch].wanted = true;
}

void OptimalDpor::race(std::size_t earlier, std::size_t later) {
  if (!exact_) SourceDpor::race(earlier, later);
}

void OptimalDpor::asked() {
  was_exact_ = was_exact_ || exact_;
  exact_ = false;
}

void OptimalDpor::at_end(const RunEnd& end) {
  SourceDpor::at_end(end);
  if (vanished()) asked();  // the same as with questions
  if (exact_ || was_exact_) {
    for (std::size_t step = 0; step < stack().steps(); ++step) {
      for (const std::uint32_t earlier : stack().step(step).races) {
        if (exact_) {
          reverse(earlier, step);
        } else {
          SourceDpor::race(earlier, step);
        }
      }
    }
    was_exact_ = false;
  }
}

void OptimalDpor::reverse(std::size_t earlier, std::size_t later) {
  GAINSAY_CHECK(exact_ && earlier < later && later < stack().steps(), "a race of this execution");
  std::vector<WakeupEvent> v;
  // Over the whole execution, as the optimality asks; the later step comes last.
  for (std::size_t k = earlier + 1; k < stack().steps(); ++k) {
    if (k != later && !stack().before(earlier, k)) v.push_back(event_of(k));
  }
  v.push_back(event_of(later));
  const SearchStack::State& state = stack().state(earlier);
  std::size_t at = 0;
  for (std::uint32_t b = 0; b < node(earlier).branches.size(); ++b) {
    const Branch& branch = node(earlier).branches[b];
    if (!(branch.asleep || branch.done)) continue;
    if (!weak_initial(stack().known(state.enabled[b]).event.id, branch.touched, v, stack().rules(), at))
      continue;
    // What is independent of v and ended the execution has not shown what v leads to.
    if (branch.violated && at == v.size()) continue;
    return;
  }
  trees_[earlier].waiting.insert(std::move(v), stack().rules());
}

}  // namespace gainsay
