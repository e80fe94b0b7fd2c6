// Strategy: decides which event is next. It sees events, causality and choices, but never an actor's state.
//
// The runner calls `begin` before every execution, `choose` at every decision that is not part of the kept prefix,
// and `end` after it. There are two kinds of decisions: which enabled event is next, and the value of a handler's
// choice. Data choices are not steps. Each strategy object is used by one thread; a parallel campaign creates one
// for each worker and numbers the runs.
//
// A strategy must have `begin` and `choose`. Two optional roles are separate interfaces: a Learner learns from
// earlier runs, and a Reducer leaves out executions that others represent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "gainsay/strategy/choice_point.hpp"
#include "gainsay/strategy/effect_flags.hpp"
#include "gainsay/strategy/learner.hpp"
#include "gainsay/strategy/reducer.hpp"
#include "gainsay/strategy/run.hpp"
#include "gainsay/trace/results.hpp"

namespace gainsay {

// What the runner must provide; everything else costs nothing.
struct Needs {
  bool backtracking = false;  // keeps prefixes: snapshots or re-execution
  bool executed = false;      // wants `executed` calls
  bool scout = false;         // wants one run before the first, to learn from
  bool in_order = false;      // one object must make all runs, in their order: one worker
  bool two_times = false;     // of what a clock may show, the earliest and the latest; searches have it so
  // If liveness is checked, an execution that only returns to an earlier world may end there (Ending::blocked).
  bool leaves_out_repeats = false;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual Needs needs() const { return {}; }
  // The prefix to keep, or nothing when there is nothing left to explore.
  virtual std::optional<Keep> begin(const RunInfo& run) = 0;
  // An index below point.size(), or `blocked_run` or `cut_run`.
  virtual std::size_t choose(const ChoicePoint& point) = 0;
  // When an execution is followed: the recorded clock value, within the range. Nothing if none is followed; then the
  // runner draws a time and asks `choose` for the draws.
  virtual std::optional<std::int64_t> recorded_time(std::size_t step, std::int64_t earliest_ns,
                                                    std::int64_t latest_ns) {
    (void)step, (void)earliest_ns, (void)latest_ns;
    return std::nullopt;
  }
  // After each step that was not kept.
  virtual void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) {
    (void)event, (void)flags, (void)created;
  }
  virtual void end(const RunEnd& end) { (void)end; }
  // Whether the schedule is fair from here to the end of this execution: an event that must happen and stays enabled
  // is eventually chosen, and the expected number of steps until then is finite as long as the number of competing
  // events is bounded. Fair rounds are counted only if this holds.
  virtual bool fair() const { return false; }
  // What a campaign without a violation has shown. For a Learner: by the runs that it was taught.
  virtual Guarantee guarantee() const { return {}; }

  // The optional roles; null if the strategy does not have one.
  virtual Learner* learner() { return nullptr; }
  virtual Reducer* reducer() { return nullptr; }
};

}  // namespace gainsay
