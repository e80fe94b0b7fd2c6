// Hunts of worlds whose timers re-arm without end: unfair schedules that starve somebody are cut early, and the summary
// says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/same_result.test.hpp"
#include "gainsay/execution/campaign/scouts.hpp"

namespace gainsay::unfair_runs_test {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

struct Tick {};
struct Stop {};
struct Go {};

struct Ticker {
  using Receives = Messages<Tick, Stop>;
  void on_start(Context& ctx) { ctx.after(Duration(1), Tick{}); }
  void on(const Tick&, Context& ctx) { ctx.after(Duration(1), Tick{}); }
  void on(const Stop&, Context& ctx) { ctx.halt(); }
};

struct Boss {
  using Receives = Messages<Go>;
  std::vector<Ref<Ticker>> tickers;
  void on(const Go&, Context& ctx) {
    for (const Ref<Ticker> ticker : tickers) ctx.send(ticker, Stop{});
  }
};

// A fair execution ends as soon as the boss has had its turn; while a ticker goes first it never has.
Scenario restless(bool stops = true) {
  return Scenario::of("restless", [stops](World& world) {
    const auto tickers = world.group<Ticker>("ticker", 2, [](std::size_t) { return Ticker{}; });
    const auto boss = world.spawn<Boss>("boss", Boss{.tickers = {tickers.begin(), tickers.end()}});
    if (stops) world.send(boss, Go{});
  });
}

TEST(UnfairRuns, AreCutWhereTheyStarveSomebody) {
  const HuntResult result = hunt(restless(), {}, {.strategy = "pct", .runs = 60});
  // The boss is the lowest of three in a third of the runs; a change point may lift it out.
  EXPECT_GT(result.starved_runs, 5U);
  EXPECT_LT(result.starved_runs, 50U);
  EXPECT_EQ(result.cut_runs, result.starved_runs);
  EXPECT_EQ(result.steps_max_seen, unfair_steps_least);
  EXPECT_EQ(result.scouts.unfair_steps_max, unfair_steps_least);
  EXPECT_EQ(result.verdict(), Verdict::ok);
}

TEST(UnfairRuns, TheTimerIsNamed) {
  const HuntResult result = hunt(restless(), {}, {.strategy = "pct", .runs = 60});
  EXPECT_THAT(result.warnings, Contains(HasSubstr("starved an actor for 750 steps or more")));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("Tick of 'ticker")));
  EXPECT_THAT(result.warnings, Each(Not(HasSubstr("were cut off at the bound"))));
}

TEST(UnfairRuns, DoNotSlowDownAPortfolio) {
  const HuntResult result = hunt(restless(), {}, {.strategy = "portfolio", .runs = 160});
  EXPECT_GT(result.starved_runs, 0U);
  EXPECT_EQ(result.cut_runs, result.starved_runs);
  EXPECT_LE(result.steps, 160U * unfair_steps_least);
  EXPECT_GT(result.scouts.runs, 4U);  // four fair ones, and those that members ask for
  EXPECT_GT(result.scouts.fair_steps_max, 0U);
  EXPECT_LT(result.scouts.fair_steps_max, 1'000U);
  for (const unsigned jobs : {2U, 3U})
    expect_same(result, hunt(restless(), {}, {.strategy = "portfolio", .runs = 160, .jobs = jobs}));
}

TEST(FairRuns, HaveTheWholeBound) {
  const HuntResult result = hunt(restless(false), {}, {.strategy = "random", .runs = 3, .steps_max = 5'000});
  EXPECT_EQ(result.cut_runs, 3U);
  EXPECT_EQ(result.starved_runs, 0U);
  EXPECT_EQ(result.steps, 15'000U);
  EXPECT_EQ(result.scouts.runs, 0U);  // nobody asks
  EXPECT_THAT(result.warnings, Contains(HasSubstr("timers Tick of 'ticker")));
}

// Where fair executions do not end either, unfair ones get as many steps.
TEST(UnfairRuns, HaveTheWholeBoundWhereFairOnesNeedIt) {
  const HuntResult result = hunt(restless(false), {}, {.strategy = "pct", .runs = 3, .steps_max = 5'000});
  EXPECT_EQ(result.scouts.unfair_steps_max, std::nullopt);
  EXPECT_EQ(result.cut_runs, 3U);
  EXPECT_EQ(result.starved_runs, 0U);
  EXPECT_EQ(result.steps, 15'000U);
}

TEST(UnfairRuns, TheBoundCanBeGiven) {
  const HuntResult result =
      hunt(restless(), {}, {.strategy = "pct", .runs = 60, .unfair_steps_max = 100, .seed = 2});
  EXPECT_EQ(result.scouts.unfair_steps_max, 100U);
  EXPECT_EQ(result.scouts.fair_steps_max, 0U);  // nobody had to look
  EXPECT_LT(result.steps_max_seen,
            200U);  // whoever was starved had a turn at last, and the rest came to its end
  EXPECT_GT(result.starved_runs, 0U);
  const HuntResult never =
      hunt(restless(), {}, {.strategy = "pct", .runs = 20, .steps_max = 3'000, .unfair_steps_max = 3'000});
  EXPECT_EQ(never.starved_runs, 0U);
  EXPECT_EQ(never.steps_max_seen, 3'000U);
  EXPECT_THROW(hunt(restless(), {}, {.strategy = "pct", .runs = 1, .unfair_steps_max = 0}), UserError);
}

TEST(UnfairRuns, AFairSuffixNeedsNoCut) {
  const HuntResult result = hunt(restless(), {}, {.strategy = "pct", .fair_after = 4'000, .runs = 30});
  EXPECT_EQ(result.scouts.unfair_steps_max, std::nullopt);
  EXPECT_EQ(result.cut_runs, 0U);
  EXPECT_GT(result.steps_max_seen, 4'000U);
}

// However long executions may be, a scout is not.
TEST(Scouts, AreBounded) {
  const HuntResult result = hunt(
      restless(false), {}, {.strategy = "pct", .runs = 1, .steps_max = 30'000, .unfair_steps_max = 30'000});
  EXPECT_EQ(result.scouts.runs, 1U);
  EXPECT_EQ(result.scouts.steps, scout_steps_max);
  EXPECT_EQ(result.steps, 30'000U);
}

}  // namespace
}  // namespace gainsay::unfair_runs_test
