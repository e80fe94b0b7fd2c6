// Properties of endless executions, beside the monitors that say the same.
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::endless_properties_test {
namespace {

struct Tick {};

// Goes round its values for ever; `stuck` stays at the last one.
struct Wheel {
  using Receives = Messages<Tick>;
  std::vector<int> values;
  bool stuck = false;
  std::uint32_t at = 0;
  int value() const { return values[at]; }
  void on(const Tick&, Context& ctx) {
    if (at + 1 < values.size()) {
      ++at;
    } else if (!stuck) {
      at = 0;
    }
    ctx.send(ctx.self(*this), Tick{});
  }
};

Scenario wheel(std::vector<int> values, bool stuck, bool again_and_again, bool scoped) {
  return Scenario::of("wheel", [=](World& world) {
    const auto wheel = world.spawn("wheel", Wheel{values, stuck, 0});
    world.send(wheel, Tick{});
    const auto holds = [wheel](View view) -> Complaint {
      return view[wheel].value() == 1 ? Complaint{} : Complaint("the value is not 1");
    };
    if (again_and_again) {
      scoped ? world.always_eventually("one", wheel, holds) : world.always_eventually("one", holds);
    } else {
      scoped ? world.eventually_always("one", wheel, holds) : world.eventually_always("one", holds);
    }
  });
}

void expect_endless(const Scenario& scenario, bool wrong, const std::string& message) {
  const ExploreResult explored = explore(scenario, {}, {});
  ASSERT_EQ(explored.violations.size(), wrong ? 1U : 0U);
  EXPECT_EQ(explored.live.size(), wrong ? 0U : 1U);
  HuntOptions options;
  options.runs = 3;
  options.steps_max = 1000;
  const HuntResult hunted = hunt(scenario, {}, options);
  ASSERT_EQ(hunted.violations.size(), wrong ? 1U : 0U);
  options.strategy = "dfs";
  const HuntResult searched = hunt(scenario, {}, options);
  ASSERT_EQ(searched.violations.size(), wrong ? 1U : 0U);
  if (!wrong) return;
  for (const FoundViolation& found : {explored.violations[0], hunted.violations[0], searched.violations[0]}) {
    EXPECT_EQ(found.violation.property, "one");
    EXPECT_NE(found.violation.loop_from, no_step);
    EXPECT_EQ(found.violation.message.rfind(message, 0), 0U) << found.violation.message;
    EXPECT_EQ(*found.document.violation, found.violation);
  }
}

TEST(AlwaysEventually, HoldsAgainAndAgain) {
  for (const bool scoped : {true, false}) {
    expect_endless(wheel({0, 1, 2}, false, true, scoped), false, "");
    expect_endless(wheel({0, 1}, true, true, scoped), false, "");
    expect_endless(wheel({1, 0}, true, true, scoped), true,
                   "it can fail for ever: the value is not 1: steps");
    expect_endless(wheel({0, 2}, false, true, scoped), true, "it can fail for ever");
  }
}

TEST(EventuallyAlways, HoldsFromSomeMomentOn) {
  for (const bool scoped : {true, false}) {
    expect_endless(wheel({0, 2, 1}, true, false, scoped), false, "");
    expect_endless(wheel({1}, true, false, scoped), false, "");
    expect_endless(wheel({0, 1, 2}, false, false, scoped), true, "it can fail infinitely often");
    expect_endless(wheel({1, 0}, true, false, scoped), true,
                   "it can fail infinitely often: the value is not 1: steps");
  }
}

// Where an execution ends, both must hold.
struct Once {
  using Receives = Messages<Tick>;
  int value = 0;
  int then = 0;
  void on(const Tick&) { value = then; }
};

TEST(EndlessProperties, HoldWhereAnExecutionEnds) {
  for (const bool again_and_again : {true, false}) {
    for (const int then : {1, 2}) {
      const Scenario scenario = Scenario::of("once", [=](World& world) {
        const auto once = world.spawn("once", Once{0, then});
        world.send(once, Tick{});
        const auto holds = [once](View view) -> Complaint {
          return view[once].value == 1 ? Complaint{} : Complaint("the value is not 1");
        };
        again_and_again ? world.always_eventually("one", once, holds)
                        : world.eventually_always("one", once, holds);
      });
      const ExploreResult explored = explore(scenario, {}, {});
      ASSERT_EQ(explored.violations.size(), then == 1 ? 0U : 1U);
      if (then != 1) {
        EXPECT_EQ(explored.violations[0].violation.message,
                  "nothing can happen any more, but it does not hold: the value is not 1");
      }
      for (const char* strategy : {"dfs", "sdpor", "odpor", "dpor"}) {
        HuntOptions options;
        options.strategy = strategy;
        EXPECT_EQ(hunt(scenario, {}, options).violations.size(), then == 1 ? 0U : 1U) << strategy;
      }
    }
  }
}

// A property that throws does not hold, and says so.
TEST(EndlessProperties, WhatAPropertyThrowsIsItsComplaint) {
  const Scenario scenario = Scenario::of("throws", [](World& world) {
    world.send(world.spawn("once", Once{}), Tick{});
    world.always_eventually("one", [](View) -> Complaint { throw std::runtime_error("no"); });
  });
  const ExploreResult result = explore(scenario, {}, {});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_NE(result.violations[0].violation.message.find("the property threw: no"), std::string::npos);
}

// One that is looked at when others change would be judged by what they were: that is told before anything else.
TEST(EndlessProperties, ReadNothingButTheirScope) {
  for (const bool again_and_again : {true, false}) {
    const Scenario scenario = Scenario::of("strays", [=](World& world) {
      const auto watched = world.spawn("watched", Once{});
      const auto other = world.spawn("other", Once{});
      world.send(watched, Tick{});
      world.send(other, Tick{});
      const auto holds = [other](View v) -> Complaint { return (void)v[other], Complaint{}; };
      again_and_again ? world.always_eventually("one", watched, holds)
                      : world.eventually_always("one", watched, holds);
    });
    HuntOptions options;
    options.runs = 3;
    const ExploreResult explored = explore(scenario, {}, {});
    const HuntResult hunted = hunt(scenario, {}, options);
    ASSERT_EQ(explored.violations.size(), 1U);
    ASSERT_EQ(hunted.violations.size(), 1U);
    for (const FoundViolation& found : {explored.violations[0], hunted.violations[0]})
      EXPECT_EQ(found.violation.message,
                "the property reads other, which is not in its scope: add it there, or leave the scope out");
  }
}

// The steps of a loop say where the property holds and where it does not.
TEST(EndlessProperties, TracesSayWhereTheyHold) {
  const ExploreResult result = explore(wheel({0, 1, 2}, false, false, true), {}, {});
  ASSERT_EQ(result.violations.size(), 1U);
  std::string notes;
  for (const DocumentStep& step : result.violations[0].document.steps) {
    for (const std::string& note : step.notes) notes += note + "\n";
  }
  EXPECT_NE(notes.find("'one' holds now"), std::string::npos) << notes;
  EXPECT_NE(notes.find("'one' does not hold now: the value is not 1"), std::string::npos) << notes;
}

}  // namespace
}  // namespace gainsay::endless_properties_test
