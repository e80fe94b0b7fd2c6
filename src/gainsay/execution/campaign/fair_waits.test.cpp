// A strategy that calls itself fair lets nothing wait for long: measured, for every one of the catalogue.
//
// The world has n = 8 events that compete at any time: seven timers that re-arm themselves, and a message that is sent
// again when it arrives. A uniform choice lets an event wait for n steps on average; what is called fair may be 40x
// as slow (qlearning: exp(1 / (1 - 0.7)) = 28), and no wait of the 20 runs may be longer than 40 n ln(60,000) = 3,520
// steps, which a geometric wait of mean 40 n exceeds once in 60,000 times.
#include <cmath>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::fair_waits_test {
namespace {

struct Tick {};
struct Ticker {
  using Receives = Messages<Tick>;
  void on(const Tick&, Context& ctx) { ctx.after(Duration(1), Tick{}); }
};
struct Hop {};
struct Hopper {
  using Receives = Messages<Hop>;
  void on(const Hop&, Context& ctx) { ctx.send(ctx.self(*this), Hop{}); }
};

constexpr double competing = 8;
constexpr std::uint64_t runs = 20;
constexpr std::size_t steps_max = 3000;

Scenario tickers() {
  return Scenario::of("tickers", [](World& world) {
    for (const auto ticker : world.group<Ticker>("ticker", 7)) world.send(ticker, Tick{});
    world.send(world.spawn<Hopper>("hopper"), Hop{});
  });
}

struct Waits {
  double mean = 0;
  double longest = 0;
  bool fair = true;  // all runs were
};

Waits measure(const std::string& strategy, const OptionTexts& options) {
  HuntOptions hunted;
  hunted.strategy = strategy;
  hunted.strategy_options = options;
  hunted.runs = runs;
  hunted.steps_max = steps_max;
  hunted.unfair_steps_max = steps_max;
  double sum = 0;
  double count = 0;
  Waits waits;
  hunted.watch = [&](const Execution& execution, const RunOutcome& outcome) {
    waits.fair = waits.fair && outcome.fair;
    const auto& records = execution.records();
    for (std::size_t step = 0; step < records.size(); ++step) {
      const std::size_t since = records[step].parent == no_step ? 0 : records[step].parent + std::size_t{1};
      const auto wait = static_cast<double>(step - since + 1);
      sum += wait;
      count += 1;
      waits.longest = std::max(waits.longest, wait);
    }
    // What was never executed waited to the end: its parent has no child.
    std::vector<bool> has_child(records.size(), false);
    for (const StepRecord& record : records) {
      if (record.parent != no_step) has_child[record.parent] = true;
    }
    for (std::size_t step = 0; step < records.size(); ++step) {
      if (!has_child[step])
        waits.longest = std::max(waits.longest, static_cast<double>(records.size() - step));
    }
  };
  (void)hunt(tickers(), {}, hunted);
  waits.mean = sum / count;
  return waits;
}

TEST(FairWaits, WhoCallsItselfFairLetsNothingWaitLong) {
  std::size_t fair = 0;
  std::size_t starving = 0;
  for (const StrategyInfo* info : strategies()) {
    // nemesis needs a family of cuts; it is as fair as the strategy that it plays over.
    if (info->kind_with({}) == StrategyKind::search || info->name == "nemesis") continue;
    SCOPED_TRACE(info->name);
    const Waits waits = measure(info->name, {});
    if (waits.fair) {
      ++fair;
      EXPECT_LE(waits.mean, 40 * competing);
      EXPECT_LE(waits.longest, 40 * competing * std::log(60'000));
      // In a world whose events are bounded nothing may wait for most of a run.
      EXPECT_LT(waits.longest, steps_max / 2.0);
    } else {
      starving += waits.longest > steps_max / 2.0 ? 1 : 0;
    }
  }
  EXPECT_GE(fair, 2U);      // random and qlearning
  EXPECT_GE(starving, 2U);  // pct and pctcp at least: the test can fail
}

TEST(FairWaits, SurwAndMembersThatWeighAreNotFair) {
  EXPECT_FALSE(measure("surw", {}).fair);
  EXPECT_FALSE(measure("random", {{"over", "actors"}}).fair);
  EXPECT_FALSE(measure("qlearning", {{"gamma", "0.99"}}).fair);
  EXPECT_TRUE(measure("qlearning", {}).fair);
  EXPECT_TRUE(measure("delay", {{"randomised", "true"}}).fair);
}

}  // namespace
}  // namespace gainsay::fair_waits_test
