#include "papers/searches/dpor_ds.hpp"

#include <algorithm>

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

std::uint64_t longer(std::uint64_t path, EventId id) { return mix(path, id.raw); }

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
  trees_[state].forced.clear();
  trees_[state].paths.clear();
  if (state == 0) return;
  const Handle last = stack().step(state - 1).handle;
  for (const Handle handle : stack().state(state - 1).enabled) {
    if (handle != last && !stack().state(state).is_enabled(handle)) note_vanished();
  }
}

std::uint32_t DporDs::first_branch(std::size_t state) {
  if (!script_.empty()) {
    const Handle handle = stack().find(script_.back());
    script_.pop_back();
    const std::uint32_t branch = handle == no_handle ? nothing : branch_of(state, handle);
    if (branch != nothing) return branch;
    script_.clear();
  }
  return ReducingSearch::first_branch(state);
}

std::uint32_t DporDs::next_branch(std::size_t state) {
  script_.clear();
  branched_at_ = state;
  if (naive_) return ReducingSearch::next_branch(state);
  std::vector<Sequence>& forced = trees_[state].forced;
  while (!forced.empty()) {
    Sequence sequence = std::move(forced.front());
    forced.erase(forced.begin());
    const Handle handle = stack().find(sequence.front());
    const std::uint32_t branch = handle == no_handle ? nothing : branch_of(state, handle);
    if (branch == nothing || !affordable(state, branch)) continue;
    script_.assign(sequence.rbegin(), sequence.rend() - 1);
    return branch;
  }
  // Alternatives to stopping.
  return stack().state(state).has_stop ? ReducingSearch::next_branch(state) : nothing;
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
  for (std::size_t i = 0; i < stack().steps(); ++i) {
    std::uint64_t path = 0;
    for (std::size_t k = i; k < stack().steps(); ++k) {
      path = longer(path, stack().event_of(k).id);
      if (k >= branched_at_) trees_[i].paths.insert(path);
    }
  }
}

void DporDs::reverse(std::size_t i, std::size_t j) {
  Sequence sequence;
  const Event& later = stack().event_of(j);
  for (std::size_t k = i + 1; k < j; ++k) {
    if (stack().before_creation(k, later)) sequence.push_back(stack().event_of(k).id);
  }
  sequence.push_back(later.id);
  if (naive_) {
    const std::uint32_t branch = branch_of(i, stack().find(sequence.front()));
    if (branch != nothing) node(i).branches[branch].wanted = true;
    return;
  }
  sequence.push_back(stack().event_of(i).id);
  std::uint64_t path = 0;
  for (const EventId id : sequence) path = longer(path, id);
  if (trees_[i].paths.insert(path).second) trees_[i].forced.push_back(std::move(sequence));
}

}  // namespace gainsay
