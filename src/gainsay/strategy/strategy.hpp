// Strategy: who goes next. It sees events, causality and choices; never an actor's state.
//
// The runner asks `begin` before every execution, `choose` at every decision that is not part of the kept
// prefix, and calls `end` after it. Two kinds of decisions: which enabled event is next, and which value a
// handler's question gets. Data choices are not steps. A strategy is driven by one thread; parallel campaigns
// make one per worker and number the runs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gainsay/trace/results.hpp"
#include "gainsay/trace/trace.hpp"

namespace gainsay {

// The part of the previous execution that the next one begins with.
struct Keep {
  std::size_t steps = 0;  // complete steps
  std::size_t decisions =
      0;  // decisions of the step after them: 0 none, 1 its event, 1 + j its event and j data choices
};

// What a strategy may know of the world before it runs.
struct WorldTraits {
  bool mailbox = false;  // every message waits for all that were sent to its receiver before it
  bool gated = false;    // some actor refuses messages for a while
  bool timed = false;    // simulated time: events make each other wait
  std::array<std::uint32_t, event_kinds> budgets{};  // of faults, by their kind
  bool ordered = false;                              // some link keeps an order
  bool causal = false;                               // some link delivers in causal order
  bool mailboxes = false;                            // some link is one of a mailbox
  bool faulty = false;                               // faults are possible
  bool timer_budgets = false;
  bool timers_optional = false;    // an execution may end although timers are armed
  bool counts_steps = false;       // a cut ends after a number of steps: every step matters to it
  bool global_properties = false;  // invariants, goals or monitors that more than one actor decides
  bool histories = false;          // properties of what clients saw, for which real time counts
  bool history_order = false;      // and for some of them the order of all that clients saw
};

struct RunInfo {
  std::uint64_t index = 0;  // number of the run in the campaign
  std::uint64_t seed = 0;   // of the campaign
  std::size_t steps_max = 0;
  bool scout =
      false;  // the run before the campaign: it teaches how long executions are, and counts for nothing
  WorldTraits world{};
};

// The order that a pending message keeps with others to its receiver.
enum class Ordering : std::uint8_t { none, fifo, causal, mailbox };

// What the scenario says a message is about (World::key): under keyed dependence two deliveries at one actor are
// independent where their keys differ.
struct MessageKey {
  enum class Kind : std::uint8_t {
    unlisted,  // the scenario says nothing of this type
    key,
    any,   // depends on every key
    none,  // depends on nothing
  };
  Kind kind = Kind::unlisted;
  std::uint64_t key = 0;

  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// What searches need to know of a pending event besides what stands in Event.
struct EventTraits {
  Ordering ordering = Ordering::none;
  bool gated = false;  // its receiver may refuse it for a while
  MessageKey key{};
};

// Gives the events of a choice point on demand; implemented by the kernel.
class EventSource {
 public:
  virtual Event event_at(std::size_t index) const = 0;
  virtual std::optional<std::uint64_t> world_fingerprint() const = 0;
  // All that is pending, enabled or not, in the order of its creation: what is new stands at the end.
  virtual std::size_t pending_count() const = 0;
  virtual EventId pending_id(std::size_t position) const = 0;
  virtual Event pending_event(std::size_t position) const = 0;
  // Where the ordinary alternative `index` stands among them; grows with the index.
  virtual std::size_t position_of(std::size_t index) const = 0;
  virtual EventTraits traits_of(std::size_t position) const { return (void)position, EventTraits{}; }
  // Whether two enabled pending events, both of one value actor, may be swapped in the world as it is: the same
  // local state in the end, and the effects of each are the same in both orders. False where it is not known.
  virtual bool commute(std::size_t position, std::size_t other) const {
    return (void)position, (void)other, false;
  }

 protected:
  ~EventSource() = default;
};

// One decision. For events the ordinary ones come first, then faults, then, where the world is quiescent,
// `stop`.
class ChoicePoint {
 public:
  // A question of a handler: a value in [0, among).
  static ChoicePoint value(std::size_t step, std::size_t among) {
    return ChoicePoint(nullptr, step, among, among);
  }
  static ChoicePoint events(const EventSource& source, std::size_t step, std::size_t count,
                            std::size_t ordinary) {
    return ChoicePoint(&source, step, count, ordinary);
  }

  bool is_value() const { return source_ == nullptr; }
  std::size_t size() const { return size_; }
  std::size_t ordinary() const { return ordinary_; }
  std::size_t step() const { return step_; }
  Event event(std::size_t index) const { return source_->event_at(index); }
  // Of the world as it is now, where the world is a value.
  std::optional<std::uint64_t> fingerprint() const { return source_->world_fingerprint(); }
  const EventSource& source() const { return *source_; }

 private:
  ChoicePoint(const EventSource* source, std::size_t step, std::size_t size, std::size_t ordinary)
      : source_(source), step_(step), size_(size), ordinary_(ordinary) {}

  const EventSource* source_;
  std::size_t step_;
  std::size_t size_;
  std::size_t ordinary_;
};

// What a step did, as far as orders of steps may matter to somebody.
struct EffectFlags {
  bool changed = false;  // the receiver's local state is another one now
  bool violated = false;
  bool invoked = false;        // a client began an operation
  bool responded = false;      // a client's operation ended
  std::uint64_t monitors = 0;  // that were notified, by their number; the last bit stands for all from 63 on
  std::uint64_t properties = 0;   // global ones that read what has changed, likewise
  std::uint32_t budget = 0;       // 1 + index of the budget that was drawn on; 0: none
  bool budget_exhausted = false;  // nothing is left of it now
};

// What `choose` may answer instead of an index: everything that can follow has been seen (`blocked_run`), or lies
// beyond a bound (`cut_run`). The execution ends there.
inline constexpr std::size_t blocked_run = ~std::size_t{0};
inline constexpr std::size_t cut_run = ~std::size_t{0} - 1;

// Thrown by a strategy that follows an earlier execution and meets a decision that was not there: user code
// is not deterministic (or the program is another one).
struct Divergence {
  std::size_t step = 0;
};

// How an execution ended.
enum class Ending : std::uint8_t {
  quiescent,  // nothing left to do
  violated,
  step_bound,   // cut
  interrupted,  // stopped from outside; says nothing
  blocked,      // by a reduction: what could follow has been seen
};

struct RunEnd {
  Ending ending = Ending::quiescent;
  std::size_t steps = 0;
  bool fair_suffix = false;  // somebody else, who is fair, chose from some step on
};

// What the runner must provide; everything else costs nothing.
struct Needs {
  bool backtracking = false;  // keeps prefixes: snapshots or re-execution
  bool executed = false;      // wants `executed` calls
  bool scout = false;         // wants one run before the first, to learn from
  bool in_order = false;      // one object must make all runs, in their order: one worker
};

// What runs taught, as a value. Lessons of consecutive runs merge into one; what a strategy is told to `learn`
// is what was merged at a fixed number of runs, so the result does not depend on who made which run.
class Lessons {
 public:
  virtual ~Lessons() = default;
  virtual std::unique_ptr<Lessons> clone() const = 0;
  // REQUIRES: `later` is of the same strategy with the same options.
  virtual void merge(const Lessons& later) = 0;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual Needs needs() const { return {}; }
  // The prefix to keep, or nothing when there is nothing left to explore.
  virtual std::optional<Keep> begin(const RunInfo& run) = 0;
  // An index below point.size().
  virtual std::size_t choose(const ChoicePoint& point) = 0;
  // After each step that was not kept.
  virtual void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) {
    (void)event, (void)flags, (void)created;
  }
  virtual void end(const RunEnd& end) { (void)end; }
  // What the runs since the last call taught; null: this strategy does not learn.
  virtual std::unique_ptr<Lessons> take_lessons() { return nullptr; }
  // All that has been taught so far. Called between runs; `guarantee` and `shares` speak of these lessons.
  virtual void learn(const Lessons& all) { (void)all; }
  // Whether the schedule is fair from here to the end of this execution: an ordinary event that stays enabled
  // is chosen sooner or later, with probability one. Liveness is judged only where this holds.
  virtual bool fair() const { return false; }
  // What the runs learned from are worth, were all of them clean.
  virtual Guarantee guarantee() const { return {}; }
  // Of searches that can be split: takes one of `shares` parts of the tree, the same classes in all for any number;
  // false: it cannot. Called before the first run.
  virtual bool take_share(unsigned share, unsigned shares) { return (void)share, shares == 1; }
  // Whether the last run counts; where a search is split, others may have made it.
  virtual bool owns_run() const { return true; }
  // Of searches, when they have ended.
  virtual SearchClaim claim() const { return {}; }
  // The class of the last run under the dependence in force (strategy/dependence.hpp); nothing: the kernel's own
  // trace class, which is that of same-receiver dependence.
  virtual std::optional<std::uint64_t> run_class() const { return std::nullopt; }
  // Of a strategy made of others: who did what.
  virtual std::vector<StrategyShare> shares() const { return {}; }
};

}  // namespace gainsay
