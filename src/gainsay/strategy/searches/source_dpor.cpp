#include "gainsay/strategy/searches/source_dpor.hpp"

#include <algorithm>

#include "gainsay/base/check.hpp"

namespace gainsay {

StrategyInfo sdpor_strategy() {
  return StrategyInfo::of<SearchOptions>(
      "sdpor", "every trace class: source sets and sleep sets; complete", StrategyKind::search,
      [](const SearchOptions& options) { return std::make_unique<SourceDpor>(options); });
}

void SourceDpor::prepare(const WorldTraits& world) {
  const DependenceRules& rules = stack().rules();
  transitive_ = !rules.properties && !rules.histories && !rules.clients && !rules.keyed && !rules.semantic &&
                !world.faulty && !world.timer_budgets && !world.mailboxes;
}

std::string SourceDpor::shortcoming() const {
  const WorldTraits& world = stack().world();
  if (stack().rules().keyed && (world.ordered || world.gated || world.faulty))
    return "message keys do not cover ordered links, gates and faults";
  return {};
}

bool SourceDpor::is_wanted(std::size_t state, Handle handle) const {
  const std::uint32_t branch = branch_of(state, handle);
  return branch != nothing && (node(state).branches[branch].wanted || node(state).branches[branch].asleep);
}

void SourceDpor::want(std::size_t state, Handle handle) {
  const std::uint32_t branch = branch_of(state, handle);
  if (branch != nothing) node(state).branches[branch].wanted = true;
}

void SourceDpor::want_one_of(std::size_t state, std::span<const std::uint32_t> v, Handle last) {
  GAINSAY_CHECK(state < stack().steps() && (v.empty() || v.front() > state), "steps after this state");
  stack().initials(v, firsts_);
  Handle candidate = no_handle;
  for (const std::uint32_t first : firsts_) {
    const Handle handle = stack().step(first).handle;
    if (is_wanted(state, handle)) return;
    if (candidate == no_handle && branch_of(state, handle) != nothing) candidate = handle;
  }
  if (last != no_handle && branch_of(state, last) != nothing) {
    if (is_wanted(state, last)) return;
    candidate = last;
  }
  if (candidate != no_handle) want(state, candidate);
}

void SourceDpor::want_all_initials(std::size_t state) {
  stack().unrelated(state, stack().steps(), scratch_);
  stack().initials(scratch_, firsts_);
  for (const std::uint32_t first : firsts_) {
    const Handle handle = stack().step(first).handle;
    if (!is_wanted(state, handle)) want(state, handle);
  }
}

void SourceDpor::at_step(std::size_t step) {
  GAINSAY_CHECK(step + 1 == stack().steps(), "the last step");
  if (widely_.size() <= step) widely_.resize(step + 1);
  widely_[step] = stack().step(step).flags.budget_exhausted;
  touching_.resize(std::max(touching_.size(), step + 1));
  touching_[step] = false;
  for (const std::uint32_t earlier : stack().step(step).races) race(earlier, step);
}

bool SourceDpor::meet_at_receiver(std::size_t earlier, std::size_t later) const {
  const DependenceRules& rules = stack().rules();
  return stack().event_of(earlier).receiver == stack().event_of(later).receiver &&
         (!rules.keyed || keys_meet(stack().step(earlier).footprint.key, stack().step(later).footprint.key,
                                    rules.unlisted_is_free));
}

void SourceDpor::race(std::size_t earlier, std::size_t later) {
  GAINSAY_CHECK(earlier < later && later < stack().steps(), "two steps of this execution");
  if (transitive_ || !meet_at_receiver(earlier, later)) {
    stack().unrelated(earlier, later, scratch_);
  } else {
    const Event& event = stack().event_of(later);
    // Only what surely comes before it, wherever it stands.
    scratch_.clear();
    for (std::size_t k = earlier + 1; k < later; ++k) {
      if (stack().before_creation(k, event)) scratch_.push_back(static_cast<std::uint32_t>(k));
    }
    may_touch_more(earlier);
  }
  scratch_.push_back(static_cast<std::uint32_t>(later));
  want_one_of(earlier, scratch_);
}

// Of the steps that do not follow the one after `state`: those that touch more than their receiver, with the steps that
// they follow. All initials of these are wanted.
void SourceDpor::want_touching(std::size_t state) {
  stack().unrelated(state, stack().steps(), scratch_);
  std::vector<std::uint32_t> kept;  // newest first
  for (std::size_t k = scratch_.size(); k-- > 0;) {
    const std::uint32_t step = scratch_[k];
    const Footprint& footprint = stack().step(step).footprint;
    if (footprint.count > 1 || footprint.everything ||
        std::any_of(kept.begin(), kept.end(),
                    [&](std::uint32_t later) { return stack().before(step, later); }))
      kept.push_back(step);
  }
  std::reverse(kept.begin(), kept.end());
  stack().initials(kept, firsts_);
  for (const std::uint32_t first : firsts_) {
    const Handle handle = stack().step(first).handle;
    if (!is_wanted(state, handle)) want(state, handle);
  }
}

// --- what steps take away ---

void SourceDpor::at_state(std::size_t state) {
  if (state > 0) want_vanished(state - 1, stack().state(state).enabled);
}

void SourceDpor::want_vanished(std::size_t step, std::span<const Handle> still_enabled) {
  GAINSAY_CHECK(step + 1 == stack().steps() && step < widely_.size(), "the last step");
  ++mark_;
  marks_.resize(std::max<std::size_t>(marks_.size(), stack().known_count()), 0);
  for (const Handle handle : still_enabled) marks_[handle] = mark_;
  const std::vector<Handle>& enabled = stack().state(step).enabled;
  for (const Handle handle : enabled) {
    if (marks_[handle] == mark_ || handle == stack().step(step).handle) continue;
    if (stack().known(handle).event.kind == EventKind::stop) continue;
    note_vanished();
    if (!is_wanted(step, handle)) want(step, handle);
    if (!transitive_) widely_[step] = true;
  }
}

void SourceDpor::want_late(std::size_t end) {
  GAINSAY_CHECK(end == stack().steps() && end <= widely_.size(), "all steps of this execution");
  for (Handle handle = 0; handle < stack().known_count(); ++handle) {
    const SearchStack::Known& known = stack().known(handle);
    if (known.event.kind != EventKind::deliver || !(known.traits.gated || !known.looked_at)) continue;
    const std::uint32_t parent = known.event.parent;
    if (parent == no_step) continue;
    const std::size_t until = known.executed == no_step ? end : known.executed;
    for (std::size_t i = 0; i < std::min<std::size_t>(parent, until); ++i) {
      if (stack().event_of(i).receiver != known.event.receiver || stack().before_creation(i, known.event) ||
          stack().event_of(i).kind == EventKind::start)
        continue;
      if (!transitive_) {
        widely_[i] = true;
        continue;
      }
      scratch_.clear();
      for (std::size_t k = i + 1; k <= parent; ++k) {
        if (k == parent || stack().before(k, parent)) scratch_.push_back(static_cast<std::uint32_t>(k));
      }
      want_one_of(i, scratch_);
    }
  }
}

void SourceDpor::at_end(const RunEnd& end) {
  const std::size_t steps = stack().steps();
  if (steps == 0) return;
  if (stack().states() == steps) {
    // Nothing was enabled any more, or a violation ended it.
    if (end.ending == Ending::violated) {
      for (const Handle handle : stack().state(steps - 1).enabled) {
        if (!is_wanted(steps - 1, handle)) want(steps - 1, handle);
      }
    } else {
      want_vanished(steps - 1, {});
    }
  }
  want_late(steps);
  const WorldTraits& world = stack().world();
  // Where sleepers stand for what commutes in one state, the execution that a blocked one stands for may have been
  // made with other steps before the optional one.
  const bool ended = end.ending == Ending::quiescent || end.ending == Ending::violated ||
                     (end.ending == Ending::blocked && stack().rules().semantic);
  for (std::size_t i = 0; i < steps; ++i) {
    if (widely_[i]) want_all_initials(i);
    if (touching_[i] && !widely_[i]) want_touching(i);
    const EventKind kind = stack().event_of(i).kind;
    const bool optional = is_fault(kind) || (world.timers_optional && kind == EventKind::timer);
    if (!optional || !ended) continue;
    stack().unrelated(i, steps, scratch_);
    want_one_of(i, scratch_);
  }
}

}  // namespace gainsay
