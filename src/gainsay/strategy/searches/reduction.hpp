// ReducingSearch: what all searches by partial-order reduction share.
//
// A depth-first search over a SearchStack. Every state of the current execution has a Node: which alternatives are
// wanted (the backtrack set), done and asleep. A derived strategy says which alternatives it wants, when a step was
// made, a state was reached or an execution has ended. Data choices of a step are all tried, one after the other,
// before the step is done. Sleep sets (Godefroid 1996): what is done at a state need not be started again below its
// later alternatives until something dependent happens; an execution that could only go on with sleepers is blocked.
//
// A search can be split if its source sets may be larger than needed: at the first states all alternatives are
// wanted, and the states below them, each with its sleep set, are given to the shares in turn. Sleep sets keep every
// class in one part. All shares count all parts and skip those of others, so they agree on the numbers of parts.
//
// Bounds (steps, deviations from first choices, preemptions) turn a complete search into an incomplete one; `claim`
// says so. Simulated time is refused: there every step makes others wait.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/odometer.hpp"
#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/searches/search_stack.hpp"
#include "gainsay/strategy/strategy.hpp"

namespace gainsay {

struct SearchOptions {
  Dependence dependence = Dependence::automatic;
  std::uint32_t depth = 0;
  std::int32_t deviations = -1;
  std::int32_t preemptions = -1;
  std::uint64_t first = 0;

  static void describe(Describe<SearchOptions>& d) {
    d.field(&SearchOptions::dependence, "which events are dependent");
    d.field(&SearchOptions::depth, "cut off executions after this many steps (0: never); then incomplete");
    d.field(&SearchOptions::deviations,
            "maximum number of steps that are not the first choice (-1: no limit)")
        .range(-1, 1'000'000);
    d.field(&SearchOptions::preemptions,
            "maximum number of steps that leave an actor that could continue (-1: no limit)")
        .range(-1, 1'000'000);
    d.field(&SearchOptions::first, "draw first choices from this seed (0: the oldest event first)");
  }
};

class ReducingSearch : public Strategy, public Reducer {
 public:
  Needs needs() const final { return {.backtracking = true, .executed = true}; }
  std::optional<Keep> begin(const RunInfo& run) final;
  std::size_t choose(const ChoicePoint& point) final;
  void executed(const Event& event, const EffectFlags& flags, std::span<const Event> created) final;
  void end(const RunEnd& end) final;
  Reducer* reducer() final { return this; }
  SearchClaim claim() const final;
  std::optional<std::uint64_t> run_class() const final;
  bool take_share(unsigned share, unsigned shares) final;
  bool owns_run() const final { return mine_; }
  Guarantee guarantee() const override;

 protected:
  ReducingSearch(std::string name, const SearchOptions& options, bool sleeps);

  struct Branch {
    bool wanted = false;
    bool done = false;
    bool asleep = false;
    bool violated = false;  // its step ended an execution: nothing was seen after it
    bool commutes = false;  // with the branch chosen now, in this state (semantic dependence)
    Footprint touched;      // by the executions of it so far, whatever was answered
  };
  struct Answer {
    std::uint32_t answer = 0;  // counted from `only`, among those that are tried
    std::uint32_t among = 1;
    std::uint32_t offered = 1;  // by the handler
    std::uint32_t only = 0;     // where one answer is all that is tried: this one

    std::uint32_t value() const { return answer + only; }
  };
  static constexpr std::uint32_t nothing = 0xffffffffU;
  struct Node {
    std::vector<Branch> branches;  // parallel to State::enabled
    Odometer<Answer> answers;      // of the step from here
    std::uint32_t chosen = nothing;
    std::uint32_t first = nothing;
    std::int32_t deviations = 0;  // spent before
    std::int32_t preemptions = 0;
  };

  // --- what a strategy adds ---
  virtual void prepare(const WorldTraits& world) { (void)world; }
  // A state was reached for the first time; it has its node.
  virtual void at_state(std::size_t state) { (void)state; }
  virtual void at_step(std::size_t step) { (void)step; }
  virtual void at_end(const RunEnd& end) { (void)end; }
  // The next branch to start, or `nothing`. The default takes the wanted ones in their order.
  virtual std::uint32_t next_branch(std::size_t state);
  // The branch of a new state, or `nothing` where all are asleep.
  virtual std::uint32_t first_branch(std::size_t state);
  virtual void started(std::size_t state) { (void)state; }
  // A handler asks a question.
  virtual void asked() {}
  // The only answer that is tried to the question (counted from 0) of the step from this state; nothing: all are.
  virtual std::optional<std::uint32_t> only_answer(std::size_t state, std::size_t question) const {
    (void)state, (void)question;
    return std::nullopt;
  }
  // Why an execution without cuts would still be incomplete; empty: it is complete.
  virtual std::string shortcoming() const { return {}; }
  virtual std::string statement() const = 0;
  virtual bool can_split() const { return false; }

  // --- what a strategy uses ---
  SearchStack& stack() { return stack_; }
  const SearchStack& stack() const { return stack_; }
  Node& node(std::size_t state) { return nodes_[state]; }
  const Node& node(std::size_t state) const { return nodes_[state]; }
  std::uint32_t branch_of(std::size_t state, Handle handle) const;
  bool affordable(std::size_t state, std::uint32_t branch);
  // What is asleep is not started, and a run that could only go on with sleepers is blocked.
  void put_to_sleep(std::size_t state) {
    for (Branch& branch : nodes_[state].branches) branch.asleep = true;
  }
  const SearchOptions& options() const { return options_; }
  void never_complete(std::string because) { heuristic_ = std::move(because); }
  // Policies the strategy replaces.
  virtual DependenceRules choose_rules(const WorldTraits& world) const {
    return rules_for(options_.dependence, world);
  }
  bool vanished() const { return vanished_; }
  void note_vanished() { vanished_ = true; }

 private:
  Node& make_node(std::size_t state);
  Answer new_answer(std::size_t state, std::size_t among) const;
  void fall_asleep(std::size_t state);
  void ask_commutations(std::size_t state, const ChoicePoint& point);
  std::int32_t preemption(std::size_t state, std::uint32_t branch) const;
  std::optional<Keep> next_answers(std::size_t state);

  std::string name_;
  SearchOptions options_;
  bool sleeps_;
  std::string heuristic_;
  SearchStack stack_;
  std::vector<Node> nodes_;  // the first stack_.states() are in use
  Rng rng_{0};
  bool started_ = false;
  std::size_t resumed_ = 0;  // the state whose next branch has been picked
  bool resuming_ = false;
  static constexpr std::size_t split_state = 4;  // of a split search: parts begin here
  unsigned share_ = 0;
  unsigned shares_ = 1;
  std::uint64_t parts_ = 0;  // met so far
  bool mine_ = true;         // the part of the last run
  bool cut_ = false;         // a bound left something out
  bool vanished_ = false;    // an enabled event went away without being executed
};

}  // namespace gainsay
