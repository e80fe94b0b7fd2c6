// hitting: an offline family of schedules, followed as far as the system lets it (Niksic's thesis, 2018,
// chapter 5 and section 5.5).
//
// A random run shows some events and which of them caused which. That order is a poset; a d-hitting family of
// it (family/choose.hpp) has a schedule for every order of d events that their causes allow. The runs after
// the first follow one schedule each, by stable event ids: always the enabled event that the schedule puts
// first, events the first run did not have last, its answers to data choices given again. When the family is
// used up, another random run makes another one.
//
// Known order of events: created by, an actor's start before all else it handles, faults in the order of the
// first run. Other rules (fifo links, gates, simulated time) are not in it: there a schedule is not followed
// exactly, and the guarantee says how many were. With `prune`, only events that race (same receiver, no order
// between them) are put into tuples: far fewer schedules, enough for properties of single actors.
//
// A certain statement, not a bound: all admissible d-tuples of the first run's events were executed in their
// order, if every schedule was followed. Not fair. One worker, since the family is known only after the first
// run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/base/options.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/family/poset.hpp"
#include "gainsay/strategy/catalogue.hpp"
#include "gainsay/strategy/follow/script.hpp"
#include "gainsay/strategy/strategy.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay {

struct HittingOptions {
  std::uint32_t depth = 3;
  bool prune = false;

  static void describe(Describe<HittingOptions>& d) {
    d.field(&HittingOptions::depth, "number of events that are put into every order").range(1, 16);
    d.field(&HittingOptions::prune, "use only events that race with another event at their receiver");
  }
};

class HittingStrategy final : public Strategy, public Learner {
 public:
  // Elements of all schedules of a family at most; where it would have more, a smaller d is taken.
  static constexpr double entries_max = 2e7;
  // Events of a first run at most, where the order is not a forest, and where it is.
  static constexpr std::size_t order_size_max = 2'000;
  static constexpr std::size_t forest_size_max = 200'000;

  explicit HittingStrategy(HittingOptions options) : options_(options), walk_(RandomOptions{}) {}

  Needs needs() const override { return {.in_order = true}; }
  std::optional<Keep> begin(const RunInfo& run) override;
  std::size_t choose(const ChoicePoint& point) override;
  void end(const RunEnd& end) override;
  // Of all runs, where it has learned of them; else of those that this object has made.
  Guarantee guarantee() const override { return learned_ ? *learned_ : done_so_far(); }
  Learner* learner() override { return this; }
  std::unique_ptr<Lessons> take_lessons() override;
  void learn(const Lessons& all) override;

  // Of the last first run; elements are its steps.
  const family::Family& schedules() const { return family_; }
  std::uint64_t followed() const { return followed_; }  // schedules so far that were followed to the end
  std::uint64_t left() const { return left_; }          // and those that were not

 private:
  std::size_t follow(const ChoicePoint& point);
  void build_family();
  std::string statement() const;
  Guarantee done_so_far() const;

  HittingOptions options_;
  RandomStrategy walk_;  // makes the first runs
  Rng rng_{0};
  bool first_run_ = true;
  std::uint64_t run_ = 0;
  std::uint64_t seed_ = 0;

  std::vector<Step> steps_;  // of the last first run
  std::uint64_t steps_run_ = 0;
  family::Family family_;
  std::size_t next_ = 0;  // the schedule whose turn is next
  std::uint32_t depth_ = 0;
  std::string construction_;
  std::string too_large_;  // why the family is not what was asked for

  Script script_;          // the steps of the first run, in the order of the schedule that is followed
  std::size_t place_ = 0;  // of the event that should come next
  bool exact_ = true;      // so far every event came when it should

  std::uint64_t followed_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t first_left_ = 0;  // run
  std::uint64_t families_ = 0;
  std::string finished_;  // what was said of the last family that was used up
  std::optional<Guarantee> learned_;
};

StrategyInfo hitting_strategy();

}  // namespace gainsay
