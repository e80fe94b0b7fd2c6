#include "tools/cli_test.hpp"
#include "tools/cli_test_scenarios.hpp"

namespace gainsay::cli_test {
namespace {

// ----------------------------------------------------------------------------------------------------------------

TEST_F(CommandLine, AViolationIsDrawnAndComesWithItsReplayCommand) {
  const Said said = hunt({"test_race", "--option", "bug=first"});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err, "");
  EXPECT_THAT(said.out, StartsWith("VIOLATION in test_race: check: number 1 was overtaken\n"));
  EXPECT_THAT(said.out, HasSubstr("Ping{number: 2}"));
  const std::string file = in_folder("traces/test_race-first-check-portfolio-seed1-run");
  EXPECT_THAT(said.out, HasSubstr("  replay: gainsay replay " + file));
}

TEST_F(CommandLine, OptionsThatAreNotAsUsualAreInTheNameOfTheTrace) {
  const Said said = hunt(
      {"test_race", "--option", "racers=5", "--option", "bug=first", "--seed", "9", "--strategy", "dfs"});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(fs::exists(in_folder("traces/test_race-first-racers5-check-dfs-seed9-run24.trace")))
      << said.out;
}

TEST_F(CommandLine, ACleanHuntSaysWhatItMeansAndLeavesNoFolder) {
  const Said said = hunt({"test_race", "--runs", "100"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, StartsWith("No violation in 100 runs of test_race\n"));
  EXPECT_THAT(said.out, HasSubstr("none known"));
  EXPECT_FALSE(fs::exists(in_folder("traces")));
}

TEST_F(CommandLine, ACompleteSearchSaysSo) {
  const Said said = hunt({"test_race", "--strategy", "dfs", "--option", "racers=4"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out,
              StartsWith("No violation in all 24 executions of test_race: the search is complete\n"));  // 4!
}

TEST_F(CommandLine, ASearchThatIsCutIsUnknown) {
  const Said said = hunt({"test_race", "--strategy", "dfs", "--option", "racers=4", "--runs", "23"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(
      said.out,
      StartsWith("UNKNOWN: no violation in 23 executions of test_race, but the search is incomplete\n"));
}

TEST_F(CommandLine, HuntAsJsonHasWhatScriptsNeed) {
  for (const Words& words :
       {Words{"test_race", "--option", "bug=first", "--json"}, Words{"test_race", "--runs", "9", "--json"},
        Words{"test_race", "--strategy", "dfs", "--json"}}) {
    const json result = json::parse(hunt(words).out);
    for (const char* key :
         {"scenario",     "strategy",          "options",    "seed",      "runs",      "blocked_runs",
          "buggy_runs",   "first_bug_run",     "steps",      "steps_max", "elapsed_s", "complete",
          "complete_for", "distinct_traces",   "violations", "guarantee", "warnings",  "scouts",
          "starved_runs", "unfair_steps_bound"}) {
      EXPECT_TRUE(result.contains(key)) << key;
    }
    for (const json& violation : result["violations"]) {
      for (const char* key : {"property", "message", "runs", "trace_file"})
        EXPECT_TRUE(violation.contains(key)) << key;
      EXPECT_EQ(violation["first_run"], result["first_bug_run"]);
    }
    EXPECT_EQ(result["first_bug_run"].is_null(), result["violations"].empty());
    EXPECT_TRUE(result["guarantee"]["statement"].is_string());
  }
}

TEST_F(CommandLine, TheResultDoesNotDependOnTheNumberOfJobs) {
  for (const Words& words :
       {Words{"test_race", "--runs", "500"},
        Words{"test_race", "--runs", "500", "--option", "bug=both", "--option", "racers=4", "--keep-going"},
        Words{"paxos", "--runs", "3000", "--option", "bug=lowest", "--option", "proposers=3"},
        Words{"flush_race", "--runs", "1000", "--option", "bug=sandwich", "--keep-going"},
        Words{"paxos", "--runs", "500", "--strategy", "pctcp", "--depth", "3"},
        Words{"paxos", "--runs", "500", "--strategy", "surw", "--swarm", "--fair-after", "20"}}) {
    std::vector<json> results;
    std::vector<std::string> traces;
    for (const char* jobs : {"1", "2", "3"}) {
      Words all = words;
      all.insert(all.end(), {"--json", "--jobs", jobs});
      const Said said = hunt(all);
      results.push_back(json::parse(said.out));
      results.back().erase("elapsed_s");
      if (results.back()["scouts"].is_object()) results.back()["scouts"].erase("elapsed_s");
      traces.emplace_back();
      for (const json& violation : results.back()["violations"])
        traces.back() += file_text(violation["trace_file"]);
    }
    for (std::size_t i = 1; i < results.size(); ++i) {
      EXPECT_EQ(results[0], results[i]);
      EXPECT_EQ(traces[0], traces[i]);
    }
  }
}

TEST_F(CommandLine, KeepGoingFindsEveryKindAndDrawsTheFirst) {
  const Said said =
      hunt({"test_race", "--option", "bug=both", "--option", "racers=3", "--runs", "300", "--keep-going"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, StartsWith("2 VIOLATIONS in test_race; the first: "));
  EXPECT_THAT(said.out, HasSubstr("\ncheck: number 1 was overtaken\n"));
  EXPECT_THAT(said.out, HasSubstr("\ncheck: the last came second\n"));
  std::size_t commands = 0;
  for (std::size_t at = said.out.find("replay: "); at != std::string::npos;
       at = said.out.find("replay: ", at + 1))
    ++commands;
  EXPECT_EQ(commands, 2U);
}

TEST_F(CommandLine, AStrategyHasItsOwnOptions) {
  for (const char* option : {"over=actors", "strategy.over=actors"}) {
    EXPECT_EQ(hunt({"test_race", "--strategy", "random", "--runs", "5", "--option", option}).code, 0);
  }
}

TEST_F(CommandLine, CleanRunsOfAStrategyWithABoundSayHowSureOneMayBe) {
  const Said said = hunt({"flush_race", "--strategy", "pctcp", "--depth", "2", "--runs", "100"});
  EXPECT_EQ(said.code, 0);
  // The fixed form has two chains and five events. 29 = ln 0.05 / ln 0.9, 44 = ln 0.01 / ln 0.9.
  EXPECT_THAT(said.out,
              HasSubstr("a run hits a bug of depth 2 with probability at least 1/(2 chains * 5^1) = 0.1\n"));
  EXPECT_THAT(said.out, HasSubstr("no execution has more than 5 events or 2 chains\n"));
  EXPECT_THAT(said.out, HasSubstr("29 runs for 95 %, 44 runs for 99 %\n"));
  EXPECT_THAT(said.out, HasSubstr("would have been found by these 100 runs with"));
}

TEST_F(CommandLine, DepthsThatMakeNoSenseAreRefused) {
  for (const Words& words :
       {Words{"flush_race", "--depth", "0"}, Words{"flush_race", "--depth", "two"},
        Words{"flush_race", "--strategy", "pctcp", "--option", "depth=0"},
        Words{"flush_race", "--strategy", "pctcp", "--depth", "2", "--option", "depth=3"},
        Words{"flush_race", "--strategy", "dfs", "--fair-after", "3"},
        Words{"flush_race", "--strategy", "delay", "--swarm"},
        Words{"flush_race", "--option", "members=dfs"}}) {
    const Said said = hunt(words);
    EXPECT_EQ(said.code, 2) << said.out;
    EXPECT_THAT(said.err, StartsWith("gainsay: "));
  }
  EXPECT_THAT(hunt({"flush_race", "--depth", "0"}).err, HasSubstr("expected a whole number from 1 to 1000"));
  const Said small =
      hunt({"flush_race", "--strategy", "pctcp", "--depth", "2", "--option", "n=3", "--runs", "10"});
  EXPECT_THAT(small.out, HasSubstr("void"));
  EXPECT_THAT(small.out, HasSubstr("had more than n=3 events (the longest had 5)"));
}

TEST_F(CommandLine, ADelayBoundedSearchIsCompleteWithinItsBound) {
  const Said said = hunt({"flush_race", "--strategy", "delay", "--depth", "1"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("the search is complete within at most 1 delay\n"));
  const Said walk =
      hunt({"flush_race", "--strategy", "delay", "--option", "randomised=true", "--runs", "50"});
  EXPECT_THAT(walk.out, StartsWith("No violation in 50 runs of flush_race\n"));
}

TEST_F(CommandLine, AHandlerThatThrowsIsAViolation) {
  const Said said = hunt({"test_thrower"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, StartsWith("VIOLATION in test_thrower: exception: "));
  EXPECT_THAT(said.out.substr(0, said.out.find('\n')), HasSubstr("out of cheese"));
}

TEST_F(CommandLine, AHandlerThatCheatsIsNamed) {
  calls_so_far = 0;
  const Said said = hunt({"test_cheat", "--verify-determinism", "--json"});
  EXPECT_EQ(said.code, 1);
  const json violation = json::parse(said.out)["violations"][0];
  EXPECT_EQ(violation["property"], "nondeterminism");
  for (const char* named : {"actor cheat", "Go", "field count: "})
    EXPECT_THAT(violation["message"], HasSubstr(named));
  const Said again = gainsay_with({"replay", violation["trace_file"]});
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_THAT(again.out, StartsWith("replayed 1 step: same violation\n"));
}

TEST_F(CommandLine, OneThatNeverStopsIsBoundedAndNeverAPass) {
  const Said said = hunt({"test_forever", "--runs", "10", "--steps", "100"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(
      said.out,
      StartsWith(
          "UNKNOWN: no violation, but every run of test_forever was cut off at the bound of 100 steps\n"));
  EXPECT_THAT(said.out, HasSubstr("10 of 10 runs were cut"));
  EXPECT_EQ(hunt({"test_forever", "--strategy", "dfs", "--steps", "100"}).code, 3);
}

// -----------------------------------------------------------------------------------------

TEST_F(CommandLine, CtrlCPrintsTheSummarySoFar) {
  pressed = false;
  const Said said = hunt({"test_impatient", "--time", "1h", "--steps", "1000"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.out, StartsWith("INTERRUPTED: no violation in "));
  EXPECT_FALSE(fs::exists(in_folder("traces")));
}

}  // namespace
}  // namespace gainsay::cli_test
