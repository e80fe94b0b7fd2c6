// pctcp: probabilistic concurrency testing with chain partitioning (Filip Niksic, "Combinatorial Constructions
// for Effective Testing", 2019, chapter 6, algorithm 1).
//
// Events are partitioned into chains of causes and effects while they appear. Every new chain gets a random
// priority, the top one included; the possible event of the highest chain is next. d - 1 change points, drawn
// from [1, n] before the run, label the events that are added at these moments; the chain of event number n_i
// falls to priority i, below all others. A run hits a bug of depth d with probability at least
// 1/(chains * n^(d-1)).
//
// Chains are those of algorithm 2 (family/chain_partition.hpp) over one of two orders. `order=causes`: an
// event comes after the one that caused it. Causes form a forest; there the algorithm continues the chain of
// an event with the first event that it causes and begins new chains with the others, so it uses as many
// chains as the forest is wide, in constant time and memory per pending event. Where links keep an order, an
// event also comes after what the same step sent to the same receiver before it, and continues that one's chain.
// An event has the same chain in every schedule in which it has the same place among the effects of its cause,
// as definition 6.6 (4) asks; where a handler's state decides what it sends first, that is an assumption, and
// it is named. `order=happened_before`: also after all that its sender had handled. Fewer chains in long
// executions, but the chain of an event then depends on the schedule, and condition (4) is an assumption.
//
// `exhaustive=true` makes one run for every schedule index (definition 6.7): a chain that is lowest, and d - 1
// change points. When all are done, every bug of depth d would have been hit.
//
// `late=after`: an event that is added after the n-th waits until none of the first n is possible, as in section
// 6.3.3; the bound is about the first n.
//
// Livelock rule (section 6.3.1): a chain that was chosen `livelock` times in a row while others waited is set
// aside until a new event is added to it. With `cycles` it is also set aside as soon as the world comes back, while
// the chain is chosen in a row, to where it was. Crashes and restarts are events of the order (section 6.3.3): a
// crash is possible from the start, a restart continues its crash's chain; budgets decide which of them
// happen. Other faults are drawn apart. Data choices are uniform and are not steps.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "gainsay/base/check.hpp"
#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/family/chain_partition.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/change_points.hpp"
#include "gainsay/strategy/walks/pending_mirror.hpp"
#include "gainsay/strategy/walks/possible.hpp"

namespace gainsay {

struct PctcpOptions {
  enum class Order { causes, happened_before };
  std::uint32_t depth = 2;
  std::uint64_t n = 0;
  Order order = Order::causes;
  enum class Late { any_time, after };
  Late late = Late::any_time;
  std::uint32_t livelock = 1000;
  bool cycles = false;
  double faults = 0.0625;
  bool exhaustive = false;

  static void describe(Describe<PctcpOptions>& d) {
    d.field(&PctcpOptions::depth, "depth of the bugs that the bound covers").range(1, 1000);
    d.field(&PctcpOptions::n, "maximum number of events in an execution; 0: learned").range(0, 1e12);
    d.field(&PctcpOptions::order, "which order is cut into chains");
    d.value(Order::causes, "an event comes after the event that caused it");
    d.value(Order::happened_before, "also after everything that its sender had handled");
    d.field(&PctcpOptions::livelock, "set a chain aside after this many steps in a row; 0: never");
    d.field(&PctcpOptions::late, "when events after the n-th are scheduled");
    d.value(Late::any_time, "by the priority of their chains");
    d.value(Late::after, "when none of the first n is enabled");
    d.field(&PctcpOptions::cycles, "set a chain aside when the world returns to an earlier state");
    d.field(&PctcpOptions::faults, "probability that a step is a fault, if one is possible").range(0, 1);
    d.field(&PctcpOptions::exhaustive, "one run for every schedule index of depth d, until all are done");
  }
};

class PctcpStrategy final : public Strategy {
 public:
  explicit PctcpStrategy(PctcpOptions options) : options_(options), campaign_(options.depth, options.n) {
    if (options.late == PctcpOptions::Late::after && options.n == 0)
      throw UserError("strategy 'pctcp': late=after needs n, the number of events that come first");
    if (options.exhaustive) campaign_.exhaust();
  }

  Needs needs() const override { return {.scout = campaign_.needs_scout(), .in_order = options_.exhaustive}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void end(const RunEnd& end) override;
  Guarantee guarantee() const override;
  Learner* learner() override { return &campaign_; }

  // Of the current run; for tests and tables.
  std::uint64_t events_added() const { return added_; }
  std::uint64_t chains() const { return chains_; }

 private:
  static constexpr std::uint32_t no_chain = 0xffffffffU;
  static constexpr std::uint64_t set_aside = 0;  // below every change point's priority

  struct Item {
    std::uint64_t priority = 0;
    std::uint32_t chain = no_chain;
    std::uint32_t past = 0;  // where its past is kept (happened_before)
  };
  using Ranked = std::pair<std::uint64_t, PendingMirror<Item>::Slot>;  // by priority
  struct Crash {                                                       // a crash or restart that is possible
    EventId id;
    Item item;
  };
  struct Pick {
    std::size_t index = 0;
    Item* item = nullptr;  // null: nothing is possible
    bool alone = true;     // nothing else is possible
  };

  // An event that is pending has its place in the source; crashes and restarts have none.
  Item add_event(ActorId creator, const EventSource* source = nullptr, std::size_t position = 0);
  void place_by_cause(Item& item);
  bool place_by_link(Item& item, const EventLink& event);
  std::uint64_t new_chains_priority();
  void place_by_past(Item& item, ActorId creator);
  void happened(const Item& item, ActorId actor);
  void follow_crashes(const ChoicePoint& point);
  Pick highest(const ChoicePoint& point);
  void highest_of_many(Pick& pick);
  void rank(PendingMirror<Item>::Slot slot);
  void renumber_ranked();
  bool top_is_newer() const;
  Ranked& top() { return top_is_newer() ? newer_.front() : sorted_.back(); }
  void drop_top();
  void count_turns(const ChoicePoint& point, Pick& pick);
  bool came_back(const ChoicePoint& point);
  static void consider(Pick& pick, std::size_t index, Item& item);
  std::size_t perform(const ChoicePoint& point, std::size_t index);

  PctcpOptions options_;
  PriorityCampaign campaign_;

  // The current run.
  PendingMirror<Item> pending_;
  Possible possible_;  // of the current choice, where they are looked at one by one
  // Where many events are pending, they are ranked by priority: those that were there when the ranking was made in
  // a sorted list, those that came later in a heap. A new chain's priority is random, so most stay where they are.
  std::vector<Ranked> sorted_;  // ascending
  std::vector<Ranked> newer_;   // a heap
  bool top_left_ = false;       // the highest was executed
  std::optional<std::uint64_t>
      ranked_of_;  // the mirror's rebuild that the ranking belongs to; none: it is stale
  std::vector<Crash> crashes_;
  std::uint64_t added_ = 0;
  std::uint32_t chains_ = 0;
  Item parent_;  // the event that was executed last; its chain is free for its first effect
  ActorId parent_actor_ = nobody;
  EventKind parent_kind_ = EventKind::deliver;
  std::vector<std::uint64_t> worlds_;  // met since this chain is chosen in a row
  std::uint32_t last_chain_ = no_chain;
  std::uint32_t turns_ = 0;                                     // of it, in a row, while others waited
  std::vector<std::pair<std::uint32_t, std::uint64_t>> aside_;  // chains set aside, with their priorities
  bool livelocked_ = false;
  bool asked_ = false;
  bool started_ = false;            // the first choice was made
  bool branched_ = false;           // after that, a step caused several events
  bool draws_faults_ = false;       // some fault that is no event is possible in this world
  std::uint64_t fault_points_ = 0;  // steps at which one might have been drawn
  bool stop_drawn_ = false;

  // Worlds with ordered links, order=causes only.
  struct Sent {
    std::uint32_t parent;
    ActorId sender;
    ActorId receiver;
    std::uint32_t chain;
    std::uint64_t priority;
    std::uint64_t id;
  };
  bool ordered_ = false;
  std::vector<Sent> sent_;            // ordered messages that became pending since the last choice
  std::vector<std::uint64_t> tails_;  // by chain: the id of its last event
  std::uint64_t parent_id_ = 0;       // of parent_

  // happened_before only.
  using Past = family::ChainPartition::Past;
  family::ChainPartition partition_;
  std::map<ActorId, Past> actors_;  // what each has handled
  std::vector<Past> pasts_;         // of pending events
  std::vector<std::uint32_t> free_pasts_;
  std::vector<std::uint64_t> priorities_;  // of chains
};

StrategyInfo pctcp_strategy();

}  // namespace gainsay
