// The papers' searches through the campaign: classic counts, keys, both ways to go back.
#include <functional>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/world/small_worlds.test.hpp"
#include "gainsay/explorer/certify.hpp"
#include "gainsay/scenario/world.hpp"
#include "tools/cli_test.hpp"

namespace gainsay {
namespace {

HuntResult paper_search(const std::function<void(World&)>& body, const std::string& strategy,
                        HuntOptions how = {}) {
  how.strategy = strategy;
  how.keep_going = true;
  return hunt(Scenario::of("searched", body), {}, how);
}

struct Letter {
  int n = 0;
};
struct Box {
  using Receives = Messages<Letter>;
  std::vector<int> got;
  void on(const Letter& letter) { got.push_back(letter.n); }
};
void letters(World& world, int n) {
  const auto box = world.spawn<Box>("box");
  for (int i = 0; i < n; ++i) world.send(box, Letter{i});
}

// n! orders at one actor; with votes, each of n voters chose one of two besides.
TEST(PaperSearch, CountsTheClassesOfClassics) {
  for (const char* name : {"transdpor", "dpor-ds"}) {
    std::uint64_t factorial = 1;
    for (std::uint64_t n = 1; n <= 4; ++n) {
      factorial *= n;
      const HuntResult orders =
          paper_search([n](World& world) { letters(world, static_cast<int>(n)); }, name);
      EXPECT_TRUE(orders.complete) << name << ": " << orders.incomplete_because;
      EXPECT_EQ(orders.classes, factorial) << name;
      const HuntResult votes = paper_search([n](World& world) { small_worlds::voters(world, n); }, name);
      EXPECT_TRUE(votes.complete) << name;
      EXPECT_EQ(votes.classes, (1U << n) * factorial) << name;
    }
  }
}

// Without a key a message depends on nothing, and its orders are not tried.
TEST(PaperSearch, LiviolaTriesNoOrdersWithoutKeys) {
  const HuntResult keyless = paper_search([](World& world) { letters(world, 3); }, "liviola");
  EXPECT_EQ(keyless.runs, 1U);
  EXPECT_FALSE(keyless.complete);
  EXPECT_TRUE(keyless.heuristic);
}

TEST(PaperSearch, AHeuristicGetsNoCertificate) {
  const Scenario scenario = Scenario::of("searched", [](World& world) { letters(world, 3); });
  EXPECT_THAT(certified_hunt(scenario, {}, {.strategy = "ired"}).refused_because,
              testing::HasSubstr("heuristic"));
}

TEST(PaperSearch, BothWaysToGoBackAgree) {
  const auto body = [](World& world) { small_worlds::voters(world, 3); };
  for (const char* name : {"transdpor", "ired", "liviola", "dpor-ds"}) {
    HuntOptions again;
    again.backtracking = Backtracking::reexecution;
    const HuntResult snapshots = paper_search(body, name);
    const HuntResult reexecuted = paper_search(body, name, again);
    EXPECT_EQ(snapshots.runs, reexecuted.runs) << name;
    EXPECT_EQ(snapshots.trace_set_hash, reexecuted.trace_set_hash) << name;
  }
}

// e1 and e2 can come first, e2 leads to e3, e1 and e3 go to one actor: figure 3 of the paper of DPOR-DS.
struct Leads {};
struct Lead {
  using Receives = Messages<Leads>;
  Ref<Box> box{nobody};
  void on(const Leads&, Context& ctx) { ctx.send(box, Letter{3}); }
};
void figure_3(World& world) {
  const auto box = world.spawn<Box>("box");
  world.send(box, Letter{1});
  world.send(world.spawn("lead", Lead{box}), Leads{});
}

// Every execution of dpor-ds, as a list of steps with their answers.
std::vector<std::vector<std::uint64_t>> executions(const std::function<void(World&)>& body,
                                                   const std::string& naive) {
  std::vector<std::vector<std::uint64_t>> all;
  HuntOptions how;
  how.strategy_options = {{"naive", naive}};
  how.watch = [&](const Execution& execution, const RunOutcome&) {
    std::vector<std::uint64_t>& one = all.emplace_back();
    for (std::size_t step = 0; step < execution.steps(); ++step) {
      one.push_back(execution.records()[step].id.raw);
      for (const DataChoice& answer : execution.answers_of(step)) one.push_back(answer.answer);
    }
  };
  paper_search(body, "dpor-ds", how);
  return all;
}

TEST(PaperSearch, NoExecutionOfDporDsIsMadeTwice) {
  const std::map<std::string, std::function<void(World&)>> worlds = {
      {"letters", [](World& world) { letters(world, 5); }},
      {"voters", [](World& world) { small_worlds::voters(world, 3); }},
      {"figure 3", figure_3}};
  for (const auto& [name, body] : worlds) {
    for (const char* naive : {"false", "true"}) {
      const auto all = executions(body, naive);
      EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size()) << name << " naive=" << naive;
      const std::uint64_t dfs = paper_search(body, "dfs").runs;
      EXPECT_LE(all.size(), dfs) << name;
    }
  }
}

// The paper's text says 2 paths for the forced form; its pseudo-code makes 3 (dpor_ds.hpp).
TEST(PaperSearch, FigureThreeOfDporDs) {
  EXPECT_EQ(executions(figure_3, "true").size(), 3U);
  EXPECT_EQ(executions(figure_3, "false").size(), 3U);
  EXPECT_EQ(paper_search(figure_3, "sdpor").runs, 2U);
}

// All 4 * 3 ways to begin, each followed as often; the tails are drawn.
TEST(PaperSearch, AFrontierIsHandedOn) {
  for (const char* search : {"dfs", "dpor"}) {
    std::map<std::vector<std::uint64_t>, int> prefixes;
    std::set<std::vector<std::uint64_t>> whole;
    HuntOptions how;
    how.strategy_options = {{"search", search}, {"depth", "2"}, {"runs", "8"}};
    how.watch = [&](const Execution& execution, const RunOutcome&) {
      std::vector<std::uint64_t> steps;
      for (const StepRecord& record : execution.records()) steps.push_back(record.id.raw);
      ASSERT_EQ(steps.size(), 4U);
      whole.insert(steps);
      steps.resize(2);
      ++prefixes[steps];
    };
    const HuntResult result = paper_search([](World& world) { letters(world, 4); }, "frontier", how);
    EXPECT_EQ(prefixes.size(), 12U) << search;
    for (const auto& [prefix, times] : prefixes) EXPECT_EQ(times, 8) << search;
    EXPECT_GT(whole.size(), 18U) << search;  // 24 there are; 12 would be one tail for each beginning
    EXPECT_FALSE(result.complete);
    EXPECT_TRUE(result.heuristic);
  }
  HuntOptions deep;
  deep.strategy_options = {{"depth", "9"}, {"runs", "8"}};
  const HuntResult all = paper_search([](World& world) { letters(world, 4); }, "frontier", deep);
  EXPECT_EQ(all.runs, 24U);
  EXPECT_TRUE(all.complete);
}

// Figures 5 and 6 of DS2: m1 makes a send m3 to itself, m2 goes to b. TransDPOR takes the first receive after m1, m2,
// for what enabled m3 and has two schedules; IRed sees that b did not send it and has one.
struct M1 {};
struct M2 {};
struct M3 {};
struct Ds2A {
  using Receives = Messages<M1, M3>;
  int got = 0;
  void on(const M1&, Context& ctx) {
    ++got;
    ctx.send(Ref<Ds2A>{ctx.self()}, M3{});
  }
  void on(const M3&) { ++got; }
};
struct Ds2B {
  using Receives = Messages<M2>;
  int got = 0;
  void on(const M2&) { ++got; }
};

TEST(PaperSearch, FiguresFiveAndSixOfDs2) {
  const auto body = [](World& world) {
    world.send(world.spawn<Ds2A>("a"), M1{});
    world.send(world.spawn<Ds2B>("b"), M2{});
  };
  const auto runs = [&](const char* rule, const char* enablement) {
    HuntOptions how;
    how.strategy_options = {{"rule", rule}, {"enablement", enablement}};
    return paper_search(body, "ds2", how).runs;
  };
  EXPECT_EQ(runs("td", "false"), 2U);
  EXPECT_EQ(runs("ir", "false"), 1U);
  EXPECT_EQ(runs("dp", "false"), 2U);
  EXPECT_EQ(runs("td", "true"), 1U) << "with the test of the pseudo-code";
  EXPECT_EQ(paper_search(body, "transdpor").runs, 1U);
}

// DS2's rules in one world: three letters to a box by way of a post office that nobody else uses.
TEST(PaperSearch, RulesOfDs2AddWhatTheySay) {
  const auto body = [](World& world) { small_worlds::voters(world, 3); };
  const auto runs = [&](const char* rule) {
    HuntOptions how;
    how.strategy_options = {{"rule", rule}};
    const HuntResult result = paper_search(body, "ds2", how);
    EXPECT_FALSE(result.complete);
    return result.runs;
  };
  // dp adds all that td adds, and more.
  EXPECT_GE(runs("dp"), runs("td"));
  EXPECT_GE(runs("td"), runs("lv"));
}

struct LetterOptions {
  bool keys = true;
};
GAINSAY_SCENARIO(test_letters, "letters to one box, with keys or without", LetterOptions) {
  letters(world, 3);
  if (options.keys) world.key<Letter>([](const Letter&) { return 0; });
}

// A predicate of one's own: sums do not care about the order of additions, and do about that of a reset.
struct Add {
  int n = 0;
};
struct Reset {};
struct Sum {
  using Receives = Messages<Add, Reset>;
  int sum = 0;
  void on(const Add& add) { sum += add.n; }
  void on(const Reset&) { sum = 0; }
};
struct SumOptions {
  bool wrong = false;
};
GAINSAY_SCENARIO(test_sums, "additions and a reset, with a word about what depends on what", SumOptions) {
  const auto sum = world.spawn<Sum>("sum");
  for (int i = 1; i <= 3; ++i) world.send(sum, Add{i});
  world.send(sum, Reset{});
  world.dependence<Add, Add>([](const Add&, const Add&) { return false; });
  world.dependence<Add, Reset>(
      [wrong = options.wrong](const Add& add, const Reset&) { return !wrong || add.n > 3; });
}

TEST(PaperSearch, APredicateOfTheScenarioDecides) {
  const Scenario& scenario = find_scenario("test_sums");
  HuntOptions how;
  how.keep_going = true;
  how.strategy = "sdpor";
  how.dependence = "keyed";
  // Each of three additions before or after the reset.
  EXPECT_EQ(hunt(scenario, {}, how).runs, 8U);
  EXPECT_EQ(hunt(scenario, {{"wrong", "true"}}, how).runs, 1U);
  how.dependence = "receiver";
  EXPECT_EQ(hunt(scenario, {}, how).runs, 24U);
  for (const char* wrong : {"false", "true"}) {
    const cli_test::Said said = cli_test::gainsay_with(
        {"hunt", "test_sums", "--strategy", "sdpor", "--check-dependence", "--option",
         std::string("wrong=") + wrong, "--runs", "200", "--out=" + testing::TempDir() + "sums"});
    EXPECT_EQ(said.code, std::string(wrong) == "true" ? 1 : 0) << said.err << said.out;
  }
}

// What is not listed depends on nothing: a rule that two orders refute.
TEST(PaperSearch, ForgottenKeysAreRefutedForLiviola) {
  const std::string out = "--out=" + testing::TempDir() + "paper_search";
  const cli_test::Said said = cli_test::gainsay_with(
      {"hunt", "test_letters", "--strategy", "liviola", "--check-dependence", "--option", "keys=false", out});
  EXPECT_EQ(said.code, 1) << said.err << said.out;
}

}  // namespace
}  // namespace gainsay
