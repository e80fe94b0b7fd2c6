// What an execution tells strategies, on every bundled system: what it finds of its pending events by rows of bits is
// what a pass over everything finds, and its fingerprints do not depend on what it remembers.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/strategy/walks/new_events.hpp"
#include "systems/system_test.hpp"

namespace event_source_test {
namespace {

using gainsay::ActorId;
using gainsay::ChoicePoint;
using gainsay::EventId;
using gainsay::EventSource;

struct Seen {
  std::uint64_t waiting = 0;  // choice points at which something pending is not possible
  std::uint64_t many = 0;     // with more pending events than a word has bits
  std::uint64_t tasks = 0;    // events that belong to a task
  std::uint64_t passed = 0;  // choice points at which all new events are known to be for actors that were met
};

// Chooses at random and asks everything in both ways. Some actors are starved, so that their events pile up.
class Comparing final : public gainsay::Strategy {
 public:
  Comparing(std::uint64_t seed, Seen& seen) : rng_(seed), seen_(seen) {}

  std::optional<gainsay::Keep> begin(const gainsay::RunInfo&) override {
    known_.clear();
    news_.clear();
    starved_ = rng_.below(4);
    return gainsay::Keep{};
  }
  std::size_t choose(const ChoicePoint& point) override {
    if (point.is_value()) return rng_.below(point.size());
    compare(point);
    const std::size_t index = rng_.below(point.size());
    if (index < point.ordinary() && point.event(index).receiver.raw % 4 == starved_ && rng_.chance(31, 32))
      return rng_.below(point.size());
    return index;
  }

 private:
  void compare(const ChoicePoint& point) {
    const EventSource& source = point.source();
    const std::size_t ordinary = point.ordinary();
    const std::size_t pending = source.pending_count();
    seen_.waiting += ordinary < pending ? 1 : 0;
    seen_.many += pending > 64 ? 1 : 0;
    std::vector<ActorId> receivers;
    for (std::size_t position = 0; position < pending; ++position) {
      const ActorId receiver = source.pending_receiver(position);
      const gainsay::Event event = source.pending_event(position);
      const gainsay::EventLink link = source.pending_link(position);
      ASSERT_TRUE(link.id == event.id && link.kind == event.kind && link.parent == event.parent);
      ASSERT_TRUE(link == source.EventSource::pending_link(position));
      if (std::find(receivers.begin(), receivers.end(), receiver) == receivers.end())
        receivers.push_back(receiver);
    }
    receivers.push_back(gainsay::nobody);
    for (const ActorId receiver : receivers) {
      const std::size_t count = source.EventSource::count_of(receiver, ordinary);
      ASSERT_EQ(source.count_of(receiver, ordinary), count);
      for (std::size_t nth = 0; nth < count; ++nth)
        ASSERT_EQ(source.nth_of(receiver, nth, ordinary),
                  source.EventSource::nth_of(receiver, nth, ordinary));
    }
    for (std::size_t from = 0; from < receivers.size(); ++from) {
      const std::span<const ActorId> some = std::span(receivers).subspan(from);
      const EventSource::Able expected = source.EventSource::first_able(some, ordinary);
      const EventSource::Able able = source.first_able(some, ordinary);
      ASSERT_EQ(able.which, expected.which);
      ASSERT_EQ(able.events, expected.events);
    }
    // Of a set of receivers it is said whether all that is new is theirs.
    std::vector<EventSource::Owner> made;
    source.owners_of_new(made);
    std::uint64_t makers = 0;
    bool has_task = false;
    for (const EventSource::Owner& owner : made) {
      has_task = has_task || owner.task != owner.receiver || owner.receiver.raw >= 64;
      makers |= std::uint64_t{1} << owner.receiver.raw % 64;
    }
    if (has_task) {
      ASSERT_FALSE(source.are_new_for(~std::uint64_t{0}));
    } else {
      seen_.passed += !made.empty() && source.are_new_for(makers) ? 1 : 0;
      for (std::uint64_t left = makers; left != 0; left &= left - 1)
        ASSERT_FALSE(source.are_new_for(~(left & (0 - left)))) << "of this receiver nobody has heard";
    }
    // Whoever is new is told, and of all that are told it is said whose they are.
    const std::vector<EventSource::Owner>& owners = news_.look(point);
    ASSERT_LE(owners.size(), pending);
    std::set<ActorId> told;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const std::size_t position = pending - owners.size() + i;
      ASSERT_EQ(owners[i].receiver, source.pending_receiver(position));
      ASSERT_EQ(owners[i].task, source.pending_task(position));
      seen_.tasks += owners[i].task != owners[i].receiver ? 1 : 0;
      told.insert(owners[i].receiver);
    }
    for (const ActorId receiver : receivers) {
      if (receiver == gainsay::nobody || !known_.insert(receiver).second) continue;
      ASSERT_TRUE(told.contains(receiver));
    }
  }

  gainsay::Rng rng_;
  Seen& seen_;
  std::set<ActorId> known_;
  gainsay::NewEvents news_;
  std::uint64_t starved_ = 0;
};

// Walks at random and keeps the fingerprint of one world on its way.
class Walking final : public gainsay::Strategy {
 public:
  explicit Walking(std::uint64_t seed) : rng_(seed) {}

  std::optional<gainsay::Keep> begin(const gainsay::RunInfo&) override { return gainsay::Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    if (!point.is_value() && point.step() == 12) fingerprint = point.fingerprint();
    return rng_.below(point.size());
  }

  std::optional<std::uint64_t> fingerprint;

 private:
  gainsay::Rng rng_;
};

TEST(EventSource, FindsByRowsWhatAPassOverEverythingFinds) {
  Seen seen;
  for (const gainsay::Scenario* scenario : gainsay::scenarios()) {
    SCOPED_TRACE(scenario->name());
    const gainsay::Blueprint blueprint = scenario->build({});
    gainsay::Execution execution(blueprint, {.steps_max = 400});
    for (std::uint64_t run = 0; run < 4; ++run) {
      Comparing strategy(run, seen);
      strategy.begin({});
      (void)execution.run(strategy, gainsay::Keep{});
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(seen.waiting, 1'000U);
  EXPECT_GT(seen.many, 500U);
  EXPECT_GT(seen.tasks, 10U);
  EXPECT_GT(seen.passed, 1'000U);
}

// Ids of cells are given anew after everything was forgotten.
TEST(EventSource, FingerprintsAreThoseOfAnExecutionThatRemembersNothing) {
  std::uint64_t compared = 0;
  for (const gainsay::Scenario* scenario : gainsay::scenarios()) {
    SCOPED_TRACE(scenario->name());
    const gainsay::Blueprint blueprint = scenario->build({});
    gainsay::Execution forgetful(blueprint, {.steps_max = 100});
    for (std::uint64_t run = 0; run < 20; ++run) {
      const auto walk = [&](gainsay::Execution& execution) {
        Walking strategy(run);
        (void)execution.run(strategy, gainsay::Keep{});
        return strategy.fingerprint;
      };
      gainsay::Execution fresh(blueprint, {.steps_max = 100});
      const std::optional<std::uint64_t> expected = walk(fresh);
      ASSERT_EQ(walk(forgetful), expected) << "run " << run;
      compared += expected ? 1 : 0;
      forgetful.tidy(0);
    }
  }
  EXPECT_GT(compared, 300U);
}

}  // namespace
}  // namespace event_source_test
