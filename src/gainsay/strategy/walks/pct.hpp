// pct: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010), with actors in the place of threads.
//
// Every actor gets a random priority when it is first met, the top one included; an event of the highest actor
// that can go is next. d - 1 change points are drawn from [1, n] before the run; the actor that would make step
// k_i falls to priority i. Where several events of the chosen actor are possible, one is drawn uniformly.
//
// An actor with tasks has a priority for each of them: an event belongs to the task that waits for it when it is first
// seen, and to the actor where none does.
//
// The bound 1/(actors * n^(d-1)) holds where the events of an actor come in one order, as the steps of a
// thread do: under mailbox order, without two timers or a timer and a message at once. Elsewhere there is
// none, and it is said so; `pctcp` is for that. Faults are drawn apart. Data choices are not steps.
#pragma once

#include <memory>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/actor_numbers.hpp"
#include "gainsay/strategy/walks/change_points.hpp"
#include "gainsay/strategy/walks/new_events.hpp"
#include "gainsay/strategy/walks/pending_mirror.hpp"
#include "gainsay/strategy/walks/possible.hpp"

namespace gainsay {

struct PctOptions {
  std::uint32_t depth = 2;
  std::uint64_t n = 0;
  double faults = 0.0625;

  static void describe(Describe<PctOptions>& d) {
    d.field(&PctOptions::depth, "depth of the bugs that the bound covers").range(1, 1000);
    d.field(&PctOptions::n, "maximum number of steps in an execution; 0: learned").range(0, 1e12);
    d.field(&PctOptions::faults, "probability that a step is a fault, if one is possible").range(0, 1);
  }
};

class PctStrategy final : public Strategy {
 public:
  explicit PctStrategy(PctOptions options) : options_(options), campaign_(options.depth, options.n) {}

  Needs needs() const override { return {.scout = campaign_.needs_scout()}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void end(const RunEnd& end) override;
  Guarantee guarantee() const override;
  Learner* learner() override { return &campaign_; }

 private:
  struct Highest {
    std::uint32_t number = 0;
    std::size_t events = 0;  // that are possible there
  };

  std::size_t choose_of_actors(const ChoicePoint& point);
  std::size_t choose_of_tasks(const ChoicePoint& point);
  Highest highest_task();
  std::uint32_t number(ActorId actor);
  void look(const ChoicePoint& point);
  void list_tasks(const EventSource& source, std::size_t from);
  void rank(ActorId actor, std::uint64_t priority);
  std::size_t draw(std::size_t count);

  PctOptions options_;
  PriorityCampaign campaign_;

  // The current run.
  ActorNumbers numbers_;
  std::vector<std::uint64_t> priorities_;  // by number of the actor or task; not 0
  std::vector<ActorId> ranks_;             // actors, the highest priority first; while there are no tasks
  std::vector<std::uint64_t> ranked_;      // their priorities
  NewEvents news_;
  std::uint64_t met_ = 0;  // actors that have a priority, by id; those of great ids are not in it
  std::uint64_t steps_ = 0;
  bool crowded_ = false;
  bool asked_ = false;
  std::uint64_t fault_points_ = 0;  // steps at which a fault might have been drawn
  bool stop_drawn_ = false;
  // The world knows which events are an actor's. Whose task an event belongs to, nobody but this strategy remembers.
  bool has_tasks_ = false;
  PendingMirror<std::uint32_t> tasks_;  // the number of the task, or of the actor
  Possible possible_;                   // of the current choice
};

StrategyInfo pct_strategy();

}  // namespace gainsay
