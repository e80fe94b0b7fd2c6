#include "gainsay/strategy/searches/reduction.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {

ReducingSearch::ReducingSearch(std::string name, const SearchOptions& options, bool sleeps)
    : name_(std::move(name)), options_(options), sleeps_(sleeps), rng_(options.first) {}

std::optional<Keep> ReducingSearch::begin(const RunInfo& run) {
  if (!started_) {
    started_ = true;
    if (run.world.timed)
      throw UserError(fmt::format(
          "strategy '{}': partial-order reduction does not support simulated time; use --strategy dfs "
          "or a random strategy",
          name_));
    if (run.world.queues)
      throw UserError(
          fmt::format("strategy '{}': partial-order reduction does not support queue order; use --strategy "
                      "dfs or a random strategy, or mailbox order",
                      name_));
    stack_.begin(run.world, choose_rules(run.world));
    prepare(run.world);
    return Keep{};
  }
  for (std::size_t state = stack_.states(); state-- > 0;) {
    Node& node = nodes_[state];
    if (node.chosen != nothing) {
      if (const auto keep = next_answers(state)) return keep;
      node.branches[node.chosen].done = true;
    }
    const std::uint32_t next = next_branch(state);
    if (next == nothing) continue;
    GAINSAY_CHECK(next < node.branches.size(), "a branch of this state");
    stack_.return_to(state);
    node.chosen = next;
    node.branches[next].wanted = true;
    node.answers.clear();
    resumed_ = state;
    resuming_ = true;
    return Keep{state, 0};
  }
  return std::nullopt;
}

// The same step with the next answers, the last one first.
std::optional<Keep> ReducingSearch::next_answers(std::size_t state) {
  Odometer<Answer>& answers = nodes_[state].answers;
  if (state >= stack_.steps() || !answers.advance()) return std::nullopt;
  const std::size_t kept = answers.size() - 1;
  answers.seek(kept);
  stack_.return_to(state);
  started(state);
  return Keep{state, 1 + kept};
}

bool ReducingSearch::take_share(unsigned share, unsigned shares) {
  GAINSAY_CHECK(!started_ && share < shares, "a share is taken before the first run");
  if (shares > 1 && (!can_split() || options_.deviations >= 0 || options_.preemptions >= 0)) return false;
  share_ = share;
  shares_ = shares;
  return true;
}

std::size_t ReducingSearch::choose(const ChoicePoint& point) {
  if (point.is_value()) {
    asked();
    GAINSAY_CHECK(stack_.states() == stack_.steps() + 1, "a handler asks during a step");
    Odometer<Answer>& answers = nodes_[stack_.steps()].answers;
    const Answer& answer =
        answers.at_end() ? answers.add(new_answer(stack_.steps(), point.size())) : answers.read();
    if (answer.offered != point.size()) throw Divergence{point.step()};
    return answer.value();
  }
  GAINSAY_CHECK(point.step() == stack_.steps(), "states are reached one after the other");
  const std::size_t state = point.step();
  if (resuming_) {
    resuming_ = false;
    if (state != resumed_ || !stack_.is_same(stack_.state(state), point)) throw Divergence{state};
    ask_commutations(state, point);
    started(state);
    return nodes_[state].chosen;
  }
  const SearchStack::State& opened = stack_.open(point);
  Node& node = make_node(state);
  if (sleeps_ && state > 0) fall_asleep(state);
  at_state(state);
  if (shares_ > 1 && state == split_state) {
    mine_ = parts_++ % shares_ == share_;
    if (!mine_) return blocked_run;
  }
  if (options_.depth > 0 && state >= options_.depth) {
    cut_ = true;
    return cut_run;
  }
  GAINSAY_CHECK(node.branches.size() == opened.enabled.size(), "a branch for each alternative");
  const std::uint32_t first = first_branch(state);
  if (first == nothing) {
    const bool all_asleep = std::all_of(node.branches.begin(), node.branches.end(),
                                        [](const Branch& branch) { return branch.asleep; });
    if (!all_asleep) cut_ = true;
    return all_asleep ? blocked_run : cut_run;
  }
  node.first = first;
  node.chosen = first;
  node.branches[first].wanted = true;
  // Where an execution may stop, what else could happen instead is another execution.
  if (opened.has_stop || (shares_ > 1 && state < split_state)) {
    for (Branch& branch : node.branches) branch.wanted = true;
  }
  ask_commutations(state, point);
  started(state);
  return first;
}

ReducingSearch::Answer ReducingSearch::new_answer(std::size_t state, std::size_t among) const {
  const auto offered = static_cast<std::uint32_t>(among);
  const std::optional<std::uint32_t> only = only_answer(state, nodes_[state].answers.size());
  if (!only) return {0, offered, offered, 0};
  if (*only >= offered) throw Divergence{state};
  return {0, 1, offered, *only};
}

ReducingSearch::Node& ReducingSearch::make_node(std::size_t state) {
  if (nodes_.size() <= state) nodes_.resize(state + 1);
  Node& node = nodes_[state];
  node.branches.assign(stack_.state(state).enabled.size(), Branch{});
  node.answers.clear();
  node.chosen = node.first = nothing;
  node.deviations = node.preemptions = 0;
  if (state > 0) {
    const Node& before = nodes_[state - 1];
    node.deviations = before.deviations + (before.chosen == before.first ? 0 : 1);
    node.preemptions = before.preemptions + preemption(state - 1, before.chosen);
  }
  return node;
}

// What slept before the last step, or was done there, sleeps here too if that step is independent of it.
void ReducingSearch::fall_asleep(std::size_t state) {
  GAINSAY_CHECK(state > 0 && stack_.steps() == state, "a step leads to this state");
  const Node& before = nodes_[state - 1];
  const SearchStack::State& old = stack_.state(state - 1);
  const Footprint& step = stack_.step(state - 1).footprint;
  for (std::uint32_t b = 0; b < before.branches.size(); ++b) {
    const Branch& branch = before.branches[b];
    if (b == before.chosen || !(branch.asleep || branch.done)) continue;
    if (stack_.known(old.enabled[b]).event.kind == EventKind::stop) continue;
    if (dependent(branch.touched, step, stack_.rules(), branch.commutes)) continue;
    const std::uint32_t here = branch_of(state, old.enabled[b]);
    if (here == nothing) continue;
    nodes_[state].branches[here].asleep = true;
    nodes_[state].branches[here].touched = branch.touched;
    nodes_[state].branches[here].violated = branch.violated;
  }
}

// Semantic dependence: which sleepers could be swapped with the chosen branch in this very state.
void ReducingSearch::ask_commutations(std::size_t state, const ChoicePoint& point) {
  if (!stack_.rules().semantic) return;
  Node& node = nodes_[state];
  const SearchStack::State& opened = stack_.state(state);
  for (std::uint32_t b = 0; b < node.branches.size(); ++b) {
    Branch& branch = node.branches[b];
    branch.commutes = false;
    if (b == node.chosen || !(branch.asleep || branch.done)) continue;
    if (b >= opened.ordinary || node.chosen >= opened.ordinary) continue;
    branch.commutes =
        point.source().commute(point.source().position_of(b), point.source().position_of(node.chosen));
  }
}

void ReducingSearch::executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) {
  const std::size_t step = stack_.steps();
  GAINSAY_CHECK(stack_.states() == step + 1, "a step follows its state");
  Node& node = nodes_[step];
  GAINSAY_CHECK(node.chosen < node.branches.size(), "the step was chosen here");
  const Handle handle = stack_.state(step).enabled[node.chosen];
  if (stack_.known(handle).event.id != event.id) throw Divergence{step};
  node.answers.cut();
  std::uint64_t answers = 0;
  for (const Answer& answer : node.answers.digits()) answers = mix(answers + 1, answer.value() + 1ULL);
  const SearchStack::Step& made = stack_.execute(handle, flags, created, answers);
  node.branches[node.chosen].touched.key = made.footprint.key;
  node.branches[node.chosen].touched.add(made.footprint);
  at_step(step);
}

void ReducingSearch::end(const RunEnd& end) {
  if (end.ending == Ending::interrupted) return;
  GAINSAY_CHECK(end.ending == Ending::violated || end.steps == stack_.steps(), "every step was seen");
  // A violation that is no step's own is found where nothing else can happen, or beyond the bounds.
  if (end.ending == Ending::violated && stack_.steps() > 0 && stack_.states() == stack_.steps()) {
    Node& last = nodes_[stack_.steps() - 1];
    GAINSAY_CHECK(last.chosen < last.branches.size(), "the last step was chosen");
    last.branches[last.chosen].violated = true;
  }
  at_end(end);
  if (shares_ > 1 && stack_.states() <= split_state) mine_ = parts_++ % shares_ == share_;
}

std::uint32_t ReducingSearch::branch_of(std::size_t state, Handle handle) const {
  const std::vector<Handle>& enabled = stack_.state(state).enabled;
  const auto found = std::find(enabled.begin(), enabled.end(), handle);
  return found == enabled.end() ? nothing : static_cast<std::uint32_t>(found - enabled.begin());
}

// 1 if the branch leaves an actor that could go on.
std::int32_t ReducingSearch::preemption(std::size_t state, std::uint32_t branch) const {
  if (state == 0 || branch == nothing) return 0;
  const ActorId last = stack_.event_of(state - 1).receiver;
  const SearchStack::State& here = stack_.state(state);
  if (stack_.known(here.enabled[branch]).event.receiver == last) return 0;
  return std::any_of(here.enabled.begin(), here.enabled.begin() + static_cast<std::ptrdiff_t>(here.ordinary),
                     [&](Handle handle) { return stack_.known(handle).event.receiver == last; })
             ? 1
             : 0;
}

bool ReducingSearch::affordable(std::size_t state, std::uint32_t branch) {
  const Node& node = nodes_[state];
  const bool deviates = node.first != nothing && branch != node.first;
  const bool fits =
      (options_.deviations < 0 || node.deviations + (deviates ? 1 : 0) <= options_.deviations) &&
      (options_.preemptions < 0 || node.preemptions + preemption(state, branch) <= options_.preemptions);
  if (!fits) cut_ = true;
  return fits;
}

std::uint32_t ReducingSearch::next_branch(std::size_t state) {
  const Node& node = nodes_[state];
  for (std::uint32_t b = 0; b < node.branches.size(); ++b) {
    const Branch& branch = node.branches[b];
    if (branch.wanted && !branch.done && !branch.asleep && affordable(state, b)) return b;
  }
  return nothing;
}

std::uint32_t ReducingSearch::first_branch(std::size_t state) {
  const Node& node = nodes_[state];
  std::vector<std::uint32_t> awake;
  for (std::uint32_t b = 0; b < node.branches.size(); ++b) {
    if (node.branches[b].asleep) continue;
    if (options_.preemptions >= 0 && node.preemptions + preemption(state, b) > options_.preemptions) continue;
    if (options_.first == 0 || (shares_ > 1 && state < split_state)) return b;
    awake.push_back(b);
  }
  if (awake.empty()) return nothing;
  // Ordinary events before faults: the first executions should be long ones.
  const auto ordinary = static_cast<std::size_t>(
      std::count_if(awake.begin(), awake.end(), [&](auto b) { return b < stack_.state(state).ordinary; }));
  return awake[rng_.below(ordinary > 0 ? ordinary : awake.size())];
}

SearchClaim ReducingSearch::claim() const {
  SearchClaim claim;
  const DependenceRules& rules = stack_.rules();
  claim.dependence = std::string(dependence_name(rules.policy));
  claim.complete_for = rules.sound_for();
  claim.heuristic = !heuristic_.empty();
  const std::string lacking = shortcoming();
  if (claim.heuristic) {
    claim.incomplete_because = heuristic_;
  } else if (cut_) {
    claim.incomplete_because = "a bound of the search (depth, deviations, preemptions) left executions out";
  } else if (!lacking.empty()) {
    claim.incomplete_because = lacking;
  }
  claim.complete = claim.incomplete_because.empty();
  if (rules.policy == Dependence::keyed)
    claim.notes.emplace_back("the scenario's keys were not checked (--check-dependence tests them)");
  return claim;
}

std::optional<std::uint64_t> ReducingSearch::run_class() const {
  if (stack_.rules().semantic) return std::nullopt;
  return stack_.class_hash();
}

Guarantee ReducingSearch::guarantee() const { return {statement(), std::nullopt}; }

}  // namespace gainsay
