// The strategy nemesis on small worlds: the order of its rounds, what it draws, and what it says of it.
#include "gainsay/strategy/walks/nemesis.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/execution/run/visibility.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::nemesis_test {
namespace {

using family::Cuts;
using family::Notion;
using family::Sampler;

struct Ask {};
struct Echo {};
struct Chime {};

// Answers an Ask by an Echo to its neighbour, and has a timer that never rests.
struct Bell {
  using Receives = Messages<Ask, Echo, Chime>;
  Group<Bell> bells;
  std::uint32_t place = 0;

  void on_start(Context& ctx) { ctx.after(std::chrono::seconds(1), Chime{}); }
  void on(const Ask&, Context& ctx) { ctx.send(bells[(place + 1) % bells.size()], Echo{}); }
  void on(const Echo&) {}
  void on(const Chime&, Context& ctx) { ctx.after(std::chrono::seconds(1), Chime{}); }
};

Blueprint bells(const Cuts& cuts, std::uint32_t asks, std::uint32_t rounds) {
  World world("bells");
  const auto all = world.group<Bell>("bell", cuts.nodes, [](std::size_t i, Group<Bell> group) {
    return Bell{.bells = group, .place = static_cast<std::uint32_t>(i)};
  });
  for (const Ref<Bell> bell : all) {
    for (std::uint32_t i = 0; i < asks; ++i) world.send(bell, Ask{});
  }
  std::vector<Actors> places;
  for (const Ref<Bell> bell : all) places.emplace_back(bell);
  world.faults().partitions(cuts, places, {.rounds = rounds, .drops = true});
  world.timers_keep_alive(false);
  return world.take();
}

struct Played {
  std::vector<std::vector<Step>> runs;
  std::vector<std::vector<std::size_t>> cuts;
  Guarantee guarantee;
};

Played play(const Blueprint& blueprint, const OptionTexts& options, std::uint64_t runs) {
  const std::unique_ptr<Strategy> strategy = nemesis_strategy().make(options);
  auto& nemesis = dynamic_cast<NemesisStrategy&>(*strategy);
  Execution execution(blueprint, {.steps_max = 10'000});
  Played played;
  for (std::uint64_t run = 0; run < runs; ++run) {
    RunInfo info{run, 1, 10'000};
    info.world = traits_of(blueprint);
    EXPECT_TRUE(strategy->begin(info));
    const RunOutcome outcome = execution.run(*strategy, Keep{});
    EXPECT_EQ(outcome.ending, Ending::quiescent);
    strategy->end({outcome.ending, outcome.steps});
    played.runs.push_back(execution.trace().steps);
    played.cuts.push_back(nemesis.cuts_made());
  }
  const std::unique_ptr<Lessons> lessons = strategy->learner()->take_lessons();
  strategy->learner()->learn(*lessons);
  played.guarantee = strategy->guarantee();
  return played;
}

// One letter for a step: (s)tart, (t)imer, (o)peration, other (m)essage, (l)ost, (c)ut, (h)eal.
std::string letters(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) {
    switch (step.event.kind) {
      case EventKind::start:
        text += 's';
        break;
      case EventKind::timer:
        text += 't';
        break;
      case EventKind::partition:
        text += 'c';
        break;
      case EventKind::heal:
        text += 'h';
        break;
      case EventKind::lost:
        text += 'l';
        break;
      default:
        text += step.event.sender == outside ? 'o' : 'm';
    }
  }
  return text;
}

// Lost and delivered messages alike.
std::string plain(const std::vector<Step>& steps) {
  std::string text = letters(steps);
  std::replace(text.begin(), text.end(), 'l', 'm');
  return text;
}

TEST(Nemesis, PlaysCutOperationsAndHeal) {
  const Cuts cuts = Cuts::of(Sampler::uniform(3, 2)).towards(Notion::split(3, 2));
  for (const auto& run :
       play(bells(cuts, 1, 1), {{"settle", "1"}, {"operations", "2"}, {"wait", "0"}}, 30).runs)
    EXPECT_EQ(plain(run), "sssctttomomhtttom");
  for (const auto& run :
       play(bells(cuts, 1, 2), {{"settle", "0"}, {"operations", "1"}, {"wait", "0"}}, 30).runs)
    EXPECT_EQ(plain(run), "ssscomhcomhom");
  for (const auto& run :
       play(bells(cuts, 1, 1),
            {{"settle", "0"}, {"operations", "1"}, {"wait", "2"}, {"before", "1"}, {"warmup", "1"}}, 30)
           .runs)
    EXPECT_EQ(plain(run),
              "sssttt"
              "omtttttt"
              "comtttttt"
              "hom");
  // Together: both begin before anything comes of them.
  for (const auto& run :
       play(bells(cuts, 1, 1), {{"settle", "0"}, {"wait", "0"}, {"concurrent", "true"}}, 30).runs)
    EXPECT_EQ(plain(run), "ssscoommhom");
  // By itself it gives everything the time of three periods.
  for (const auto& run : play(bells(cuts, 1, 1), {}, 30).runs)
    EXPECT_EQ(plain(run),
              "sssc"
              "ttttttttt"
              "omttttttttt"
              "omttttttttt"
              "httttttttt"
              "om");
}

// In a period every timer fires once, the one that was armed first is the first.
TEST(Nemesis, ClocksGoEquallyFast) {
  const Cuts cuts = Cuts::of(Sampler::uniform(4, 2));
  for (const std::vector<Step>& run :
       play(bells(cuts, 1, 1), {{"settle", "5"}, {"operations", "0"}}, 20).runs) {
    std::vector<ActorId> starts;
    std::vector<ActorId> chimes;
    for (const Step& step : run) {
      if (step.event.kind == EventKind::start) starts.push_back(step.event.receiver);
      if (step.event.kind == EventKind::timer) chimes.push_back(step.event.receiver);
    }
    ASSERT_EQ(chimes.size(), 40U);
    for (std::size_t i = 0; i < chimes.size(); ++i) EXPECT_EQ(chimes[i], starts[i % 4]);
  }
}

// Six standard deviations of a binomial count; seeds are fixed.
void expect_count(std::uint64_t count, std::uint64_t runs, double share) {
  const auto n = static_cast<double>(runs);
  EXPECT_NEAR(static_cast<double>(count), n * share, 6 * std::sqrt(n * share * (1 - share)));
}

TEST(Nemesis, DrawsCutsAndOperationsEvenly) {
  // Operations are drawn over receivers, however many messages each has.
  const Cuts cuts = Cuts::of(Sampler::uniform(4, 2));
  constexpr std::uint64_t runs = 7'000;
  const Played played = play(bells(cuts, 2, 1), {{"settle", "0"}, {"operations", "2"}}, runs);
  std::map<std::size_t, std::uint64_t> made;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> pairs;
  for (std::uint64_t run = 0; run < runs; ++run) {
    ++made[played.cuts[run].at(0)];
    std::vector<std::uint64_t> receivers;
    for (const Step& step : played.runs[run]) {
      if (step.event.sender == outside && step.event.kind == EventKind::deliver)
        receivers.push_back(step.event.receiver.raw);
    }
    ++pairs[{receivers.at(0), receivers.at(1)}];
  }
  ASSERT_EQ(made.size(), 7U);
  for (const auto& [cut, count] : made) expect_count(count, runs, 1.0 / 7);
  ASSERT_EQ(pairs.size(), 16U);
  for (const auto& [pair, count] : pairs) expect_count(count, runs, 1.0 / 16);
}

// Taken in turn, as many runs as there are combinations have made every one.
TEST(Nemesis, TakesCutsInTurn) {
  const Cuts cuts = Cuts::of(family::parse_story("zk a | * ; a | *", 4));
  const Played played = play(bells(cuts, 1, 1), {{"draw", "turn"}, {"settle", "0"}}, 12);
  std::map<std::vector<std::size_t>, int> times;
  for (const auto& made : played.cuts) ++times[made];
  EXPECT_EQ(times.size(), 12U);
  EXPECT_EQ(played.guarantee.statement,
            "12 rounds of partitions of sizes 2 and 2, then partitions of sizes 3 and 1, in turn; zk a | *, "
            "then a | * goals met so far: 12 of 12 goals, each at least 1 time");
}

// Five nodes, 2/5 in a minority: one run meets a given one with 1 - (3/5)^2 in two rounds. All five in 40 rounds: by
// inclusion and exclusion, nearly always.
TEST(Nemesis, SaysWhatItHasMet) {
  const Cuts cuts = Cuts::of(Sampler::balanced(5, 2)).towards(Notion::isolate_minority(5));
  const Played played = play(bells(cuts, 1, 2), {{"settle", "0"}}, 20);
  ASSERT_TRUE(played.guarantee.per_run);
  EXPECT_NEAR(*played.guarantee.per_run, 1 - 0.6 * 0.6, 1e-12);
  EXPECT_EQ(played.guarantee.runs, 20U);
  std::map<std::string, std::uint64_t> inputs(played.guarantee.inputs.begin(), played.guarantee.inputs.end());
  EXPECT_EQ(inputs["rounds"], 40U);
  EXPECT_EQ(inputs["goals"], 5U);
  std::vector<std::uint64_t> met(5, 0);
  for (const auto& made : played.cuts) {
    for (const std::size_t cut : made) {
      for (const std::uint32_t goal : cuts.phases[0][cut].meets) ++met[goal];
    }
  }
  EXPECT_EQ(inputs["met"],
            static_cast<std::uint64_t>(std::count_if(met.begin(), met.end(), [](auto n) { return n > 0; })));
  EXPECT_NE(played.guarantee.statement.find("with probability 0.4; 40 rounds meet all 5"), std::string::npos)
      << played.guarantee.statement;
  EXPECT_EQ(played.guarantee.shows_when, "a given goal of minority-isolating is met, for any operations");
  // A family without goals promises nothing.
  EXPECT_FALSE(play(bells(Cuts::of(Sampler::balanced(5, 2)), 1, 1), {}, 2).guarantee.per_run);
}

// The bound is tight: of 100,000 runs as many meet a given goal as it says, whichever goal it is.
TEST(Nemesis, MeetsEachGoalAsOftenAsItSays) {
  const Cuts cuts = Cuts::of(Sampler::balanced(5, 2)).towards(Notion::isolate_minority(5));
  constexpr std::uint64_t runs = 100'000;
  const Played played = play(bells(cuts, 1, 1), {{"settle", "0"}, {"operations", "0"}}, runs);
  ASSERT_TRUE(played.guarantee.per_run);
  EXPECT_NEAR(*played.guarantee.per_run, 0.4, 1e-12);
  std::vector<std::uint64_t> met(5, 0);
  for (const auto& made : played.cuts) {
    for (const std::uint32_t goal : cuts.phases[0][made.at(0)].meets) ++met[goal];
  }
  for (const std::uint64_t times : met) expect_count(times, runs, *played.guarantee.per_run);
}

TEST(Nemesis, OrdersARoundByOtherStrategies) {
  const Cuts cuts = Cuts::of(Sampler::uniform(3, 2));
  for (const char* inside : {"random", "pctcp", "pos"}) {
    for (const auto& run :
         play(bells(cuts, 1, 1), {{"inside", inside}, {"settle", "1"}, {"wait", "0"}}, 10).runs)
      EXPECT_EQ(plain(run), "sssctttomomhtttom") << inside;
  }
}

TEST(Nemesis, NeedsAFamily) {
  World world("none");
  world.spawn<Bell>("bell");
  const Blueprint blueprint = world.take();
  const std::unique_ptr<Strategy> strategy = nemesis_strategy().make({});
  RunInfo info;
  info.world = traits_of(blueprint);
  EXPECT_NE(complaint_of([&] { strategy->begin(info); }).find("needs a family of cuts"), std::string::npos);
}

}  // namespace
}  // namespace gainsay::nemesis_test
