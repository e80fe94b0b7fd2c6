#include "gainsay/execution/campaign/hunt.hpp"

#include <chrono>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/same_result.test.hpp"
#include "gainsay/execution/run/document.hpp"
#include "gainsay/trace/trace_file.hpp"

namespace gainsay::hunt_test {
namespace {

using std::chrono::milliseconds;

struct Mark {
  int n = 0;
};

// Complains about some of the orders in which four messages may arrive.
struct Judgemental {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark, Context& ctx) {
    got.push_back(mark.n);
    ctx.check(got != std::vector<int>{3, 2}, "three before two");            // 1 execution in 12
    ctx.check(got != std::vector<int>{0, 1, 3}, "almost in order");          // 1 in 24
    ctx.check(got.size() < 4 || got[3] != 0 || ctx.flip(), "zero is last");  // about 1 in 8
  }
};

Scenario four_messages() {
  return Scenario::of("four_messages", [](World& world) {
    const auto actor = world.spawn<Judgemental>("actor");
    for (int i = 0; i < 4; ++i) world.send(actor, Mark{i});
    world.reached("done", actor, [actor](View v) { return v[actor].got.size() == 4; });
    world.reached("backwards", actor, [actor](View v) {
      return v[actor].got == std::vector<int>{2, 3, 1, 0};
    });
  });
}

std::string trace_text(const TraceDocument& document) {
  std::ostringstream out;
  write_trace(out, document);
  return out.str();
}

// Every violation, followed live from its document, shows again and is written down the same, byte for byte.
void expect_replays(const Scenario& scenario, const HuntResult& result) {
  const Blueprint blueprint = scenario.build();
  for (const FoundViolation& found : result.violations) {
    Replay replay =
        replay_steps(blueprint, decisions_of(found.document, blueprint), found.document.steps_max);
    EXPECT_FALSE(replay.diverged_at) << replay.divergence;
    EXPECT_EQ(replay.outcome.violation, found.violation);
    EXPECT_EQ(first_difference(found.document, replay.document), std::nullopt);
    replay.document.set_header(found.document.header());
    replay.document.run = found.document.run;
    EXPECT_EQ(trace_text(replay.document), trace_text(found.document));
  }
}

// --- the result does not depend on how it is computed ---

TEST(Hunt, DoesNotDependOnTheNumberOfJobs) {
  for (const std::uint64_t runs : {1, 5, 63, 64, 65, 200, 1000}) {
    for (const bool keep_going : {false, true}) {
      SCOPED_TRACE(testing::Message() << runs << " runs, keep going " << keep_going);
      HuntOptions options{.runs = runs, .seed = 3, .keep_going = keep_going};
      const HuntResult one = hunt(four_messages(), {}, options);
      expect_replays(four_messages(), one);
      if (keep_going) {
        EXPECT_EQ(one.runs, runs);
      }
      for (const unsigned jobs : {2U, 3U}) {
        options.jobs = jobs;
        expect_same(one, hunt(four_messages(), {}, options));
      }
    }
  }
}

// Many seeds, so that the first bug is met in chunks of every kind, also by workers that are ahead of others.
TEST(Hunt, TheLowestBuggyRunWins) {
  const Scenario rare = Scenario::of("rare", [](World& world) {
    const auto actor = world.spawn<Judgemental>("actor");
    for (int i = 0; i < 4; ++i) world.send(actor, Mark{10 + i});
    world.always("rare", actor, [actor](View v) -> Complaint {
      if (v[actor].got == std::vector<int>{13, 11, 10, 12}) return "one in 24";
      return {};
    });
  });
  std::set<std::uint64_t> chunks;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const HuntResult one = hunt(rare, {}, {.runs = 5'000, .seed = seed});
    expect_same(one, hunt(rare, {}, {.runs = 5'000, .seed = seed, .jobs = 3}));
    // Missing it in 5,000 runs: (23/24)^5000 = 4e-93.
    ASSERT_TRUE(one.first_bug_run);
    EXPECT_EQ(one.runs, *one.first_bug_run + 1);
    EXPECT_EQ(one.buggy_runs, 1U);
    EXPECT_EQ(one.violations[0].document.run, *one.first_bug_run);
    chunks.insert(*one.first_bug_run / 64);
    const HuntResult all = hunt(rare, {}, {.runs = 5'000, .seed = seed, .keep_going = true});
    EXPECT_EQ(all.first_bug_run, one.first_bug_run);
    EXPECT_EQ(all.violations[0].document, one.violations[0].document);
  }
  EXPECT_GT(chunks.size(), 1U);
}

TEST(Hunt, DependsOnTheSeedAlone) {
  const auto with_seed = [](std::uint64_t seed) {
    return hunt(four_messages(), {}, {.runs = 100, .seed = seed, .keep_going = true});
  };
  expect_same(with_seed(1), with_seed(1));
  std::set<std::pair<std::uint64_t, std::uint64_t>> results;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const HuntResult result = with_seed(seed);
    results.emplace(result.buggy_runs, result.steps);
  }
  EXPECT_GT(results.size(), 3U);
}

TEST(Hunt, DoesNotDependOnTheMemo) {
  for (const char* strategy : {"random", "dfs"}) {
    HuntOptions options{.strategy = strategy, .keep_going = true};
    if (options.strategy == "random") options.runs = 500;
    const HuntResult memo = hunt(four_messages(), {}, options);
    options.memo = false;
    expect_same(memo, hunt(four_messages(), {}, options));
    options.backtracking = Backtracking::reexecution;
    expect_same(memo, hunt(four_messages(), {}, options));
    options.memo = true;
    expect_same(memo, hunt(four_messages(), {}, options));
    // Nothing may stay in memory from one chunk of runs to the next.
    options.most_bytes = 0;
    expect_same(memo, hunt(four_messages(), {}, options));
    options.backtracking = Backtracking::snapshots;
    expect_same(memo, hunt(four_messages(), {}, options));
  }
}

// --- counts ---

// 4! orders. Those that begin 3 2 (2 of them) end after two steps as one execution; 0 1 3 (1) ends after
// three, one as before; those that end with 0 ask: 3! = 6 of them, of which 3 2 1 0 is cut before. So 24 - 2
// + 1, and 5 more.
TEST(Hunt, SearchesCountExecutions) {
  const HuntResult all = hunt(four_messages(), {}, {.strategy = "dfs", .keep_going = true});
  EXPECT_EQ(all.runs, 28U);
  EXPECT_EQ(all.distinct_traces, 28U);  // all at one actor
  EXPECT_EQ(all.buggy_runs, 1U + 1U + 5U);
  EXPECT_TRUE(all.search);
  EXPECT_TRUE(all.complete);
  EXPECT_FALSE(all.complete_for.empty());
  EXPECT_EQ(all.exit_code(), 1);
  ASSERT_EQ(all.violations.size(), 3U);
  for (const FoundViolation& found : all.violations) {
    EXPECT_EQ(found.runs, found.violation.message == "zero is last" ? 5U : 1U);
  }
  EXPECT_EQ(all.guarantee.statement, "every execution within the bounds, exactly once");
  expect_replays(four_messages(), all);
}

Scenario harmless(int messages) {
  return Scenario::of("harmless", [messages](World& world) {
    const auto actor = world.spawn<Judgemental>("actor");
    for (int i = 0; i < messages; ++i) world.send(actor, Mark{10 + i});
  });
}

TEST(Hunt, ASearchIsCompleteOrSaysThatItIsNot) {
  const HuntResult all = hunt(harmless(3), {}, {.strategy = "dfs"});
  EXPECT_EQ(all.runs, 6U);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.exit_code(), 0);
  const HuntResult some = hunt(harmless(3), {}, {.strategy = "dfs", .runs = 5});
  EXPECT_EQ(some.runs, 5U);
  EXPECT_FALSE(some.complete);
  EXPECT_TRUE(some.complete_for.empty());
  EXPECT_EQ(some.exit_code(), 3);
  const HuntResult bug = hunt(four_messages(), {}, {.strategy = "dfs"});
  EXPECT_FALSE(bug.complete);
  EXPECT_EQ(bug.exit_code(), 1);
  EXPECT_EQ(bug.runs, bug.first_bug_run.value() + 1);
}

TEST(Hunt, EveryRunThatCountsCanBeWatched) {
  for (const char* strategy : {"random", "dfs"}) {
    std::uint64_t steps = 0;
    std::uint64_t buggy_runs = 0;
    HuntOptions how{.strategy = strategy, .runs = 200, .keep_going = true};
    how.watch = [&](const Execution& execution, const RunOutcome& outcome) {
      EXPECT_EQ(execution.steps(), outcome.steps);
      steps += outcome.steps;
      buggy_runs += outcome.violation ? 1 : 0;
    };
    const HuntResult result = hunt(four_messages(), {}, how);
    EXPECT_EQ(steps, result.steps);
    EXPECT_EQ(buggy_runs, result.buggy_runs);
    EXPECT_GT(buggy_runs, 0U);
  }
}

TEST(Hunt, CountsAreShownWhileItRuns) {
  HuntProgress progress;
  const HuntResult result =
      hunt(four_messages(), {}, {.runs = 777, .jobs = 2, .keep_going = true, .progress = &progress});
  EXPECT_EQ(progress.runs, result.runs);
  EXPECT_EQ(progress.steps, result.steps);
  EXPECT_EQ(progress.buggy_runs, result.buggy_runs);
  EXPECT_EQ(progress.distinct_traces, result.distinct_traces);
}

// --- what a result is worth ---

struct Echo {
  using Receives = Messages<Mark>;
  void on(const Mark& mark, Context& ctx) { ctx.send(ctx.self(), mark); }
};

Scenario endless() {
  return Scenario::of("endless", [](World& world) {
    world.send(world.spawn<Echo>("echo"), Mark{});
    world.finally("never", [](View) -> Complaint { return "nobody comes here"; });
  });
}

TEST(Hunt, AStepBoundIsNeverAPass) {
  for (const char* strategy : {"random", "dfs"}) {
    const HuntResult result = hunt(endless(), {}, {.strategy = strategy, .runs = 10, .steps_max = 50});
    EXPECT_EQ(result.cut_runs, result.runs);
    EXPECT_EQ(result.steps, 50 * result.runs);
    EXPECT_EQ(result.steps_max_seen, 50U);
    EXPECT_TRUE(result.violations.empty());
    EXPECT_EQ(result.verdict(), Verdict::unknown);
    EXPECT_EQ(result.exit_code(), 3);
    EXPECT_FALSE(result.complete);
    ASSERT_EQ(result.warnings.size(), 2U);
    EXPECT_NE(result.warnings[0].find("cut off at the bound of 50 steps"), std::string::npos);
    EXPECT_NE(result.warnings[1].find("'finally' conditions were never checked"), std::string::npos);
  }
}

struct Gambler {
  using Receives = Messages<Mark>;
  bool lucky = true;
  void on(const Mark& mark, Context& ctx) {
    if (lucky) lucky = ctx.choose(8) > 0;
    if (!lucky) ctx.send(ctx.self(), mark);
  }
};

struct Doubler {
  using Receives = Messages<Mark>;
  int left = 3;
  void on(const Mark& mark, Context& ctx) {
    if (left == 0) return;
    --left;
    ctx.send(ctx.self(), mark);
    ctx.send(ctx.self(), mark);
  }
};

// 1, 2, 3, 4 pending events, then fewer: four at most in every run. A crash is one more alternative, stopping is none.
TEST(Hunt, CountsWhatAStrategyHadBeforeIt) {
  const auto scenario = [](bool crash) {
    return Scenario::of("doubler", [crash](World& world) {
      const auto doubler = world.spawn<Doubler>("doubler");
      world.send(doubler, Mark{});
      if (crash) world.faults().crash(1, doubler);
    });
  };
  const HuntResult calm = hunt(scenario(false), {}, {.runs = 10});
  EXPECT_EQ(calm.enabled_max_seen, 4U);
  EXPECT_EQ(calm.enabled_max_sum, 40U);
  const HuntResult rough = hunt(scenario(true), {}, {.runs = 100});
  EXPECT_EQ(rough.enabled_max_seen, 5U);
  EXPECT_LT(rough.enabled_max_sum, 500U);  // (15/16)^500: some crash comes before the fourth
}

// One run in eight does not end. All that are cut are said aloud; a search is incomplete by a single one.
TEST(Hunt, SomeCutRunsAreSaidAloud) {
  const Scenario scenario =
      Scenario::of("gambler", [](World& world) { world.send(world.spawn<Gambler>("g"), Mark{}); });
  const HuntResult random = hunt(scenario, {}, {.runs = 200, .steps_max = 20});
  EXPECT_GT(random.cut_runs, 0U);  // (7/8)^200 = 3e-12 that none is
  EXPECT_LT(random.cut_runs, 200U);
  ASSERT_EQ(random.warnings.size(), 2U);
  EXPECT_NE(random.warnings[0].find("this scenario checks nothing"), std::string::npos);
  EXPECT_NE(random.warnings[1].find("were cut"), std::string::npos);
  const HuntResult all = hunt(scenario, {}, {.strategy = "dfs", .steps_max = 20});
  EXPECT_EQ(all.runs, 8U);
  EXPECT_EQ(all.cut_runs, 1U);
  EXPECT_FALSE(all.complete);
  EXPECT_EQ(all.exit_code(), 3);
}

// Faults that were still possible at the bound were not tried: also that is a cut.
TEST(Hunt, ABoundBeforeTheLastFaultIsACut) {
  const Scenario scenario = Scenario::of("crash", [](World& world) {
    const auto actor = world.spawn<Judgemental>("actor");
    world.send(actor, Mark{1});
    world.faults().crash(1, actor);
  });
  EXPECT_FALSE(hunt(scenario, {}, {.strategy = "dfs", .steps_max = 1}).complete);
  const HuntResult all = hunt(scenario, {}, {.strategy = "dfs", .steps_max = 2});
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.runs, 3U);
}

TEST(Hunt, AGoalThatIsNeverReachedIsNoPass) {
  const auto with_goal = [](int n) {
    return Scenario::of("goal", [n](World& world) {
      const auto actor = world.spawn<Judgemental>("actor");
      for (int i = 0; i < 3; ++i) world.send(actor, Mark{10 + i});
      world.reached("first", actor,
                    [actor, n](View v) { return !v[actor].got.empty() && v[actor].got[0] == n; });
    });
  };
  for (const unsigned jobs : {1U, 3U}) {
    for (const char* strategy : {"random", "dfs"}) {
      // Missing 12 as the first of three in 200 runs: (2/3)^200 = 6e-36.
      const HuntResult good = hunt(with_goal(12), {}, {.strategy = strategy, .runs = 200, .jobs = jobs});
      EXPECT_TRUE(good.unreached_goals.empty());
      EXPECT_EQ(good.verdict(), Verdict::ok);
      const HuntResult vain = hunt(with_goal(99), {}, {.strategy = strategy, .runs = 200, .jobs = jobs});
      EXPECT_EQ(vain.unreached_goals, std::vector<std::string>{"first"});
      EXPECT_EQ(vain.verdict(), Verdict::unknown);
      EXPECT_EQ(vain.exit_code(), 3);
      ASSERT_EQ(vain.warnings.size(), 1U);
      EXPECT_NE(vain.warnings[0].find("goal 'first' was never reached"), std::string::npos);
    }
  }
}

TEST(Hunt, NoRunsAreNoPass) {
  const HuntResult result = hunt(harmless(2), {}, {.runs = 0});
  EXPECT_EQ(result.runs, 0U);
  EXPECT_EQ(result.exit_code(), 3);
}

// --- ends ---

TEST(Hunt, EndsWhenTheTimeIsUp) {
  for (const unsigned jobs : {1U, 2U}) {
    for (const Scenario& scenario : {harmless(4), endless()}) {
      const HuntResult result =
          hunt(scenario, {}, {.time = milliseconds(60), .steps_max = 1'000'000'000, .jobs = jobs});
      EXPECT_FALSE(result.interrupted);
      EXPECT_GE(result.elapsed_s, 0.06);
      EXPECT_LT(result.elapsed_s, 5);
      EXPECT_EQ(result.runs > 0, scenario.name() == "harmless");
    }
  }
  const HuntResult search = hunt(harmless(12), {}, {.strategy = "dfs", .time = milliseconds(60)});
  EXPECT_GT(search.runs, 0U);
  EXPECT_FALSE(search.complete);
  EXPECT_EQ(search.exit_code(), 3);
}

TEST(Hunt, EndsWhenItIsToldTo) {
  std::atomic<bool> stop{true};
  for (const char* strategy : {"random", "dfs"}) {
    const HuntResult at_once =
        hunt(harmless(12), {}, {.strategy = strategy, .runs = 1'000'000'000, .jobs = 2, .stop = &stop});
    EXPECT_TRUE(at_once.interrupted);
    EXPECT_LT(at_once.runs, 1'000'000'000U);
    EXPECT_EQ(at_once.exit_code(), 3);
  }
  // In the middle of an execution that never ends.
  for (const char* strategy : {"random", "dfs"}) {
    stop = false;
    std::thread later([&stop] {
      std::this_thread::sleep_for(milliseconds(50));
      stop = true;
    });
    const HuntResult result =
        hunt(endless(), {}, {.strategy = strategy, .steps_max = ~std::size_t{0}, .stop = &stop});
    later.join();
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(result.exit_code(), 3);
  }
}

// --- mistakes ---

TEST(Hunt, RefusesWhatDoesNotFit) {
  EXPECT_THROW(hunt(harmless(1), {}, {.strategy = "randon", .runs = 1}), UserError);
  EXPECT_THROW(hunt(harmless(1), {}, {.strategy_options = {{"over", "moons"}}, .runs = 1}), UserError);
  EXPECT_THROW(hunt(harmless(1), {{"nothing", "1"}}, {.runs = 1}), UserError);
  EXPECT_THROW(hunt(harmless(1), {}, {.runs = 1, .steps_max = 0}), UserError);
}

// Several workers would call it at once, in no order.
TEST(Hunt, WatchesOneJobOnly) {
  HuntOptions how{.runs = 10, .jobs = 2};
  how.watch = [](const Execution&, const RunOutcome&) {};
  try {
    hunt(harmless(1), {}, how);
    FAIL() << "two jobs were watched";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("needs jobs = 1, not 2"), std::string::npos) << error.what();
  }
}

class Explosive {
 public:
  using Receives = Messages<Mark>;
  Explosive() { throw std::runtime_error("no luck"); }
  void on(const Mark&) {}
};

// What user code throws where it should not is a finding on every thread, never the end of the program.
TEST(Hunt, ExceptionsOnThreadsAreFindings) {
  const Scenario scenario = Scenario::of("explosive", [](World& world) { world.wrap<Explosive>("e"); });
  for (const unsigned jobs : {1U, 3U}) {
    const HuntResult result = hunt(scenario, {}, {.runs = 500, .jobs = jobs});
    ASSERT_EQ(result.violations.size(), 1U);
    EXPECT_EQ(result.violations[0].violation.property, "exception");
    EXPECT_EQ(result.first_bug_run, 0U);
  }
}

class LastFirst final : public Strategy {
 public:
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override { return point.size() - 1; }
};

const RegisterStrategy registration(StrategyInfo::of<NoOptions>("hunt_test_last_first", "the last one first",
                                                                StrategyKind::random, [](const NoOptions&) {
                                                                  return std::make_unique<LastFirst>();
                                                                }));

TEST(Hunt, TakesAStrategyOfTheUser) {
  const HuntResult result =
      hunt(four_messages(), {}, {.strategy = "hunt_test_last_first", .runs = 3, .jobs = 2});
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].violation.message, "three before two");
  EXPECT_EQ(result.violations[0].document.strategy, "hunt_test_last_first");
}

}  // namespace
}  // namespace gainsay::hunt_test
