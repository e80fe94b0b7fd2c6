// Fair rounds: against their definition on random schedules, and why they are counted instead of steps.
#include "gainsay/execution/run/fair_rounds.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::fair_rounds_test {
namespace {

struct Moment {
  std::vector<std::uint64_t> enabled;
  std::uint64_t executed = 0;  // before it
  Heat heat = Heat::cold;
};

// Where the round that begins at `from` ends: the first moment by which everything that was enabled there has been
// executed, or was not enabled at some moment since. Nothing: it is not over.
std::optional<std::size_t> round_end(const std::vector<Moment>& moments, std::size_t from) {
  for (std::size_t end = from + 1; end < moments.size(); ++end) {
    const bool over =
        std::all_of(moments[from].enabled.begin(), moments[from].enabled.end(), [&](std::uint64_t event) {
          for (std::size_t i = from + 1; i <= end; ++i) {
            const auto& there = moments[i].enabled;
            if (moments[i].executed == event || std::find(there.begin(), there.end(), event) == there.end())
              return true;
          }
          return false;
        });
    if (over) return end;
  }
  return std::nullopt;
}

// Rounds in a row, up to the last moment, in each of which there was heat and never cold.
std::uint64_t hot_rounds(const std::vector<Moment>& moments) {
  std::uint64_t count = 0;
  std::size_t from = 0;
  while (true) {
    const auto end = round_end(moments, from);
    const std::size_t last = end.value_or(moments.size() - 1);
    bool hot = false;
    bool cold = false;
    for (std::size_t i = from; i <= last; ++i) {
      hot = hot || moments[i].heat == Heat::hot;
      cold = cold || moments[i].heat == Heat::cold;
    }
    if (cold) count = 0;
    if (!end) return count;
    if (!cold) count = hot ? count + 1 : 0;
    from = *end;
  }
}

TEST(FairRounds, AgreeWithTheDefinitionOnRandomSchedules) {
  std::uint64_t most = 0;
  for (std::uint64_t number = 1; number <= 2000; ++number) {
    Rng rng(number);
    const std::uint64_t events = 1 + rng.below(5);
    const std::uint64_t stays = 2 + rng.below(20);  // how long an event stays as it is
    std::vector<bool> possible(events + 1, true);
    Heat heat = static_cast<Heat>(rng.below(3));
    std::vector<Moment> moments;
    FairRounds rounds;
    HeatSpan span;
    for (std::uint32_t step = 0; step < 60; ++step) {
      Moment moment;
      if (step > 0) moment.executed = moments.back().enabled[rng.below(moments.back().enabled.size())];
      for (std::uint64_t event = 1; event <= events; ++event) {
        if (rng.chance(1, stays)) possible[event] = !possible[event];
        if (possible[event]) moment.enabled.push_back(event);
      }
      if (moment.enabled.empty()) moment.enabled.push_back(99);
      if (rng.chance(1, stays)) heat = static_cast<Heat>(rng.below(3));
      moment.heat = heat;
      span.feel(heat, step);
      moments.push_back(moment);
      if (step == 0) {
        rounds.begin(0, 1, moment.enabled);
      } else {
        rounds.note(moment.executed, moment.enabled, std::span(&span, 1), step);
      }
      ASSERT_EQ(rounds.hot_rounds(0), hot_rounds(moments)) << "schedule " << number << ", step " << step;
      most = std::max(most, rounds.hot_rounds(0));
    }
  }
  EXPECT_GT(most, 20U);
}

struct Wanted {};
struct Served {};
struct Service {
  using Observes = Messages<Wanted, Served>;
  bool wanted = false;
  void on(const Wanted&) { wanted = true; }
  void on(const Served&) { wanted = false; }
  bool hot() const { return wanted; }
};
struct Tick {
  int n = 0;
};
// Counts, so that no world comes back.
struct Ticker {
  using Receives = Messages<Tick>;
  int n = 0;
  void on(const Tick&, Context& ctx) { ctx.after(Duration(1), Tick{++n}); }
};
struct Hop {
  int left = 0;
};
struct Chain {
  using Receives = Messages<Hop>;
  bool works = true;
  bool begun = false;
  void on(const Hop& hop, Context& ctx) {
    if (!begun) ctx.notify<Service>(Wanted{});
    begun = true;
    if (works && hop.left == 0) return ctx.notify<Service>(Served{});
    ctx.send(ctx.self(*this), Hop{hop.left - 1});
  }
};

// A chain of 100 events beside many others: counted in steps it looks like a service that never comes. In rounds it
// cannot take longer than 100.
TEST(FairRounds, DoNotSuspectAChainBesideManyTickers) {
  for (const bool works : {true, false}) {
    const Blueprint blueprint = every_run::build([works](World& world) {
      world.monitor<Service>("service");
      world.send(world.spawn("chain", Chain{works, false}), Hop{100});
      for (const auto ticker : world.group<Ticker>("ticker", 40)) world.send(ticker, Tick{});
    });
    Execution execution(blueprint, {.steps_max = 40'000});
    RandomStrategy strategy({});
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      (void)strategy.begin({0, seed, 40'000});
      const RunOutcome outcome = execution.run(strategy, Keep{});
      EXPECT_EQ(outcome.violation.has_value(), !works) << "seed " << seed;
      if (outcome.violation) {
        EXPECT_TRUE(outcome.violation->is_suspicion());
        EXPECT_NE(outcome.violation->message.find("hot in each of 100 fair rounds"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace gainsay::fair_rounds_test
