#include "papers/searches/dpor_ds.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"
#include "gainsay/base/hash.hpp"

namespace gainsay {
namespace {

SearchOptions search_options(const DporDsOptions& options) {
  SearchOptions search;
  search.dependence = Dependence::receiver;
  search.depth = options.depth;
  search.first = options.first;
  return search;
}

std::uint64_t longer(std::uint64_t path, EventId id, std::uint64_t answers) {
  return mix(mix(path, id.raw), answers);
}

// Two more events, with any answers: never equal to a path, by the tag.
std::uint64_t and_two(std::uint64_t path, EventId first, EventId second) {
  constexpr std::uint64_t tag = 0x2e7e;
  return mix(mix(mix(path, tag), first.raw), second.raw);
}

const RegisterStrategy registration{dpor_ds_strategy()};

}  // namespace

StrategyInfo dpor_ds_strategy() {
  return StrategyInfo::of<DporDsOptions>(
      "dpor-ds",
      "reverses every pair at one actor; with a depth it is a heuristic and leaves trace classes out",
      StrategyKind::search, [](const DporDsOptions& options) { return std::make_unique<DporDs>(options); });
}

DporDs::DporDs(const DporDsOptions& options)
    : ReducingSearch("dpor-ds", search_options(options), false), naive_(options.naive) {
  if (options.depth > 0)
    never_complete("dpor-ds with a bound on steps is a heuristic: executions within the bound are left out");
}

std::string DporDs::shortcoming() const {
  const WorldTraits& world = stack().world();
  if (world.ordered || world.gated || world.faulty || world.timer_budgets || world.timers_optional)
    return "dpor-ds is complete only in unordered worlds without gates, faults and budgets";
  if (violated_)
    return "a violation cut executions short, and dpor-ds does not know what they would have done";
  if (vanished()) return "dpor-ds is complete only where every event happens in the end; some were cancelled";
  if (world.global_properties || world.histories)
    return "dpor-ds knows only same-receiver dependence, which these properties do not allow";
  return {};
}

std::string DporDs::statement() const {
  return options().depth > 0 ? "none: a heuristic search"
                             : "every trace class within the bounds, some several times";
}

void DporDs::at_state(std::size_t state) {
  if (trees_.size() <= state) trees_.resize(state + 1);
  Tree& tree = trees_[state];
  tree.forced.clear();
  tree.known.clear();
  if (state == 0) return;
  const SearchStack::Step& step = stack().step(state - 1);
  tree.path = longer(trees_[state - 1].path, stack().event_of(state - 1).id, step.answers);
  tree.again = explored_.contains(tree.path);
  const Handle last = step.handle;
  for (const Handle handle : stack().state(state - 1).enabled) {
    if (handle != last && !stack().state(state).is_enabled(handle)) note_vanished();
  }
}

std::uint32_t DporDs::first_branch(std::size_t state) {
  current_ = {};
  if (!script_.empty()) {
    current_ = std::move(script_.back());
    current_state_ = state;
    script_.pop_back();
    const Handle handle = stack().find(current_.id);
    const std::uint32_t branch = handle == no_handle ? nothing : branch_of(state, handle);
    if (branch != nothing) return branch;
    script_.clear();
    current_ = {};
  }
  // All that can follow was or will be executed where this state was reached before.
  if (trees_[state].again) put_to_sleep(state);
  return ReducingSearch::first_branch(state);
}

std::optional<std::uint32_t> DporDs::only_answer(std::size_t state, std::size_t question) const {
  const bool known = current_.answered && current_state_ == state && question < current_.answers.size();
  return known ? std::optional(current_.answers[question]) : std::nullopt;
}

std::uint32_t DporDs::next_branch(std::size_t state) {
  script_.clear();
  current_ = {};
  branched_at_ = state;
  if (naive_) return ReducingSearch::next_branch(state);
  Tree& tree = trees_[state];
  while (!tree.forced.empty()) {
    Sequence sequence = std::move(tree.forced.front());
    tree.forced.erase(tree.forced.begin());
    if (is_path(state, sequence)) continue;  // it has become one since it was put here
    const Handle handle = stack().find(sequence.front().id);
    const std::uint32_t branch = handle == no_handle ? nothing : branch_of(state, handle);
    if (branch == nothing || !affordable(state, branch)) continue;
    script_.assign(sequence.rbegin(), sequence.rend() - 1);
    current_ = std::move(sequence.front());
    current_state_ = state;
    return branch;
  }
  // Alternatives to stopping.
  return stack().state(state).has_stop && !tree.again ? ReducingSearch::next_branch(state) : nothing;
}

void DporDs::at_end(const RunEnd& end) {
  violated_ = violated_ || end.ending == Ending::violated;
  const std::size_t steps = stack().steps();
  if (stack().states() == steps && steps > 0 && stack().state(steps - 1).enabled.size() > 1) {
    // Whatever else was enabled before the last step is not any more.
    note_vanished();
  }
  if (!naive_) note_paths();
  for (std::size_t j = branched_at_; j < steps; ++j) {
    for (std::size_t i = j; i-- > 0;) {
      const Event& later = stack().event_of(j);
      if (stack().event_of(i).receiver != later.receiver || stack().before_creation(i, later)) continue;
      if (!stack().waited(i, stack().step(j).handle)) reverse(i, j);
    }
  }
}

void DporDs::note_paths() {
  std::uint64_t path = 0;
  std::uint64_t before = 0;  // without the last step
  // The step that was branched from may have got other answers only.
  const std::size_t from = branched_at_ == 0 ? 0 : branched_at_ - 1;
  for (std::size_t k = 0; k < stack().steps(); ++k) {
    const EventId id = stack().event_of(k).id;
    if (k > 0 && k >= from) explored_.insert(and_two(before, stack().event_of(k - 1).id, id));
    before = path;
    path = longer(path, id, stack().step(k).answers);
    if (k >= from) explored_.insert(path);
  }
}

bool DporDs::is_path(std::size_t state, const Sequence& sequence) const {
  GAINSAY_CHECK(sequence.size() >= 2, "a sequence ends with the two events that it reverses");
  std::uint64_t path = trees_[state].path;
  for (std::size_t k = 0; k + 2 < sequence.size(); ++k)
    path = longer(path, sequence[k].id, sequence[k].answers_hash);
  return explored_.contains(and_two(path, sequence[sequence.size() - 2].id, sequence.back().id));
}

DporDs::Sequence DporDs::sequence_of(std::size_t i, std::size_t j) const {
  Sequence sequence;
  const Event& later = stack().event_of(j);
  for (std::size_t k = i + 1; k < j; ++k) {
    if (!stack().before_creation(k, later)) continue;
    Forced& forced = sequence.emplace_back(Forced{stack().event_of(k).id, true, {}, stack().step(k).answers});
    for (const Answer& answer : node(k).answers.digits()) forced.answers.push_back(answer.value());
  }
  sequence.push_back({later.id, false, {}, 0});
  sequence.push_back({stack().event_of(i).id, false, {}, 0});
  return sequence;
}

void DporDs::reverse(std::size_t i, std::size_t j) {
  Sequence sequence = sequence_of(i, j);
  if (naive_) {
    const std::uint32_t branch = branch_of(i, stack().find(sequence.front().id));
    if (branch != nothing) node(i).branches[branch].wanted = true;
    return;
  }
  std::uint64_t hash = 0;
  for (const Forced& forced : sequence) hash = longer(hash, forced.id, forced.answers_hash);
  if (trees_[i].known.insert(hash).second && !is_path(i, sequence))
    trees_[i].forced.push_back(std::move(sequence));
}

}  // namespace gainsay
