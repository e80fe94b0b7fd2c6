#include "tools/cli_test.hpp"
#include "tools/cli_test_scenarios.hpp"

namespace gainsay::cli_test {
namespace {

// ---------------------------------------------------------------------------------------------------------------

TEST_F(CommandLine, ExploreCountsStates) {
  const Said said = gainsay_with({"explore", "paxos", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, StartsWith("No violation in all 98,160 states of paxos: the search is complete\n"));
  EXPECT_THAT(said.out, HasSubstr("506,256"));
  EXPECT_THAT(said.out, HasSubstr("fingerprints: with probability at most 2.6e-10"));
}

TEST_F(CommandLine, ExploreFindsAShortestCounterexample) {
  for (const Words& more : {Words{}, Words{"--exact"}, Words{"--workers", "2"}}) {
    Words words = {"explore", "flush_race", "--option",         "bug=overtake",
                   "--json",  "--out",      in_folder("traces")};
    words.insert(words.end(), more.begin(), more.end());
    const Said said = gainsay_with(words);
    EXPECT_EQ(said.code, 1) << said.err;
    const json result = json::parse(said.out);
    for (const char* key : {"scenario", "options", "states", "transitions", "depth", "complete", "elapsed_s",
                            "workers", "violations", "collision_probability", "end_states", "handler_calls",
                            "exact", "memory_bytes", "incomplete_because", "warnings"}) {
      EXPECT_TRUE(result.contains(key)) << key;
    }
    const json& violation = result["violations"][0];
    EXPECT_EQ(violation["message"], "log arrived after flush");
    EXPECT_EQ(violation["steps"], 4);  // request, terminate, flush, log
    EXPECT_EQ(violation["trace_file"], in_folder("traces/flush_race-overtake-check-explore.trace"));
    EXPECT_EQ(gainsay_with({"replay", violation["trace_file"]}).code, 1);
  }
}

TEST_F(CommandLine, ExploreThatIsCutIsUnknown) {
  const Said said =
      gainsay_with({"explore", "test_forever", "--max-states", "1000", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.out, HasSubstr("the search is incomplete (--max-states)"));
  EXPECT_EQ(gainsay_with({"explore", "paxos", "--max-depth", "5", "--out", in_folder("traces")}).code, 3);
}

TEST_F(CommandLine, CtrlCEndsAnExploration) {
  pressed = false;
  const Said said = gainsay_with({"explore", "test_impatient", "--json", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 3);
  const json result = json::parse(said.out);
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_EQ(result["complete"], false);
}

}  // namespace
}  // namespace gainsay::cli_test
