// delay: delay-bounded scheduling (Emmi, Qadeer, Rakamaric, "Delay-Bounded Scheduling", POPL 2011).
//
// A deterministic scheduler puts the alternatives into an order and takes the first; a delay skips one. A schedule
// that departs from the deterministic one in few places costs few delays, and many bugs need few. Orders:
// `oldest` takes what was created first; `round_robin` goes round the receivers, oldest first for each. Taking
// the alternative of rank r costs r delays. Where a world may stop, stopping has rank 0; faults come last.
// With `agents` a delay skips a receiver with all that waits for it, and which of a receiver's events is taken costs
// nothing (the delay-bounded scheduler of DS2, which skips agents); so it is not fair.
//
// As a search: every execution that costs at most `delays`, exactly once; complete within that bound, and it
// says so. Data choices are free and are all tried. With `randomised=true` a random walk, as the schedulers for
// linearizability testing of actors in DS2 have it: at each step a number of delays is drawn uniformly from
// what is left of the budget. The walk is fair, and so is the search unless it skips agents: the base orders are, and
// delays end; not to faults that must happen in the end, which come last.
#pragma once

#include <cstdint>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/searches/decision_path.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

struct DelayOptions {
  enum class Order { oldest, round_robin, agents };
  std::uint32_t delays = 2;
  Order order = Order::oldest;
  bool randomised = false;

  static void describe(Describe<DelayOptions>& d) {
    d.field(&DelayOptions::delays, "maximum number of delays in an execution").range(0, 1'000'000);
    d.field(&DelayOptions::order, "the deterministic scheduler that is delayed");
    d.value(Order::oldest, "what was created first");
    d.value(Order::round_robin, "the next enabled receiver, its oldest event");
    d.value(Order::agents, "the next enabled receiver, any of its events; a delay skips a receiver");
    d.field(&DelayOptions::randomised, "a random walk within the budget instead of a search");
  }
};

// The deterministic order at one choice point.
class DelayOrder {
 public:
  explicit DelayOrder(DelayOptions::Order order) : order_(order) {}
  // The alternative of rank `rank`; `last` is the receiver of the step before.
  std::size_t at(const ChoicePoint& point, std::size_t rank, ActorId last);
  // What taking the alternative of this rank costs; never less than the one before.
  std::uint32_t cost(const ChoicePoint& point, std::size_t rank, ActorId last);
  // How many alternatives, from rank 0 on, cost at most so many delays.
  std::uint32_t within(const ChoicePoint& point, std::uint64_t delays, ActorId last);
  // The first rank that costs `delays`, going round where none does.
  std::size_t rank_of(const ChoicePoint& point, std::uint64_t delays, ActorId last);
  bool goes_round() const { return order_ != DelayOptions::Order::oldest; }

 private:
  bool skips_agents() const { return order_ == DelayOptions::Order::agents; }
  void sort(const ChoicePoint& point, ActorId last);
  void find_costs(const ChoicePoint& point, ActorId last);

  DelayOptions::Order order_;
  std::vector<std::pair<std::uint64_t, std::size_t>> ranks_;  // scratch: ordinary events, in their order
  std::vector<std::uint32_t> costs_;                          // scratch: by rank, where agents are skipped
};

class DelaySearch final : public Strategy {
 public:
  explicit DelaySearch(DelayOptions options) : options_(options), order_(options.order) {}

  Needs needs() const override { return {.backtracking = true}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  bool fair() const override { return !obliges_ && options_.order != DelayOptions::Order::agents; }
  Guarantee guarantee() const override;

 private:
  // Its answer is a rank (or a value); `among` leaves out the ranks that the budget does not pay for.
  struct Decision : PathDecision {
    explicit Decision(const ChoicePoint& point) : PathDecision(point) {}
    std::uint32_t spent = 0;  // delays before it
    ActorId last = nobody;    // receiver of the event before it
  };
  std::size_t carry_out(const Decision& decision, const ChoicePoint& point);

  DelayOptions options_;
  DelayOrder order_;
  DecisionPath<Decision> path_;
  std::uint32_t spent_ = 0;
  ActorId last_ = nobody;
  bool obliges_ = false;  // some fault must happen in the end
};

class DelayWalk final : public Strategy {
 public:
  explicit DelayWalk(DelayOptions options) : options_(options), order_(options.order) {}

  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  bool fair() const override { return !obliges_; }

 private:
  DelayOptions options_;
  DelayOrder order_;
  Rng rng_{0};
  bool obliges_ = false;  // some fault must happen in the end
  std::uint64_t left_ = 0;
  ActorId last_ = nobody;
};

StrategyInfo delay_strategy();

}  // namespace gainsay
