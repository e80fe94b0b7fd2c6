// shrink: smaller traces that show the same.
#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

TEST_F(CommandLine, EverySeededBugShrinksToATraceThatReplays) {
  struct Case {
    Words words;
    std::size_t shortest;  // what explore finds: nothing can be shorter
  };
  const Case cases[] = {
      {{"flush_race", "--option", "bug=overtake"}, 4},
      {{"flush_race", "--option", "bug=sandwich"}, 4},
      {{"two_phase_commit", "--option", "bug=stale_votes"}, 10},
      {{"bounded_async", "--option", "bug=early_release"}, 11},
      {{"paxos", "--option", "bug=lowest", "--option", "proposers=3", "--runs", "5000"}, 24},
  };
  for (const Case& each : cases) {
    Words words = each.words;
    words.push_back("--json");
    const json hunted = json::parse(hunt(words).out);
    const std::string trace = hunted["violations"][0]["trace_file"];
    const Said said = gainsay_with({"shrink", trace, "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    const json shrunk = json::parse(said.out);
    EXPECT_EQ(shrunk["violation"]["property"], hunted["violations"][0]["property"]);
    EXPECT_LE(shrunk["steps"], shrunk["steps_before"]);
    EXPECT_GE(shrunk["steps"], each.shortest) << trace;
    const Said again = gainsay_with({"replay", shrunk["small_trace_file"], "--json"});
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_EQ(json::parse(again.out)["same"], true);
  }
}

TEST_F(CommandLine, ShrinkLeavesOutWhatIsNotNeeded) {
  // Run 6 of seed 1 executes Flushed before the late Log: five steps where four do.
  const json hunted = json::parse(hunt({"flush_race", "--option", "bug=overtake", "--json"}).out);
  const Said said =
      gainsay_with({"shrink", hunted["violations"][0]["trace_file"], "--out", in_folder("small.trace")});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, StartsWith("5 steps became 4, with the same violation"));
  EXPECT_THAT(said.out, HasSubstr("log arrived after flush"));
  EXPECT_EQ(read_trace_file(in_folder("small.trace")).steps.size(), 4U);
}

TEST_F(CommandLine, ShrinkSimplifiesTheWorldWhereAsked) {
  const json hunted = json::parse(hunt({"paxos", "--option", "bug=lowest", "--option", "proposers=4",
                                        "--option", "acceptors=5", "--runs", "5000", "--json"})
                                      .out);
  ASSERT_FALSE(hunted["violations"].empty());
  const Said said = gainsay_with({"shrink", hunted["violations"][0]["trace_file"], "--simplify", "--time",
                                  "60s", "--json", "--out", in_folder("simple.trace")});
  ASSERT_EQ(said.code, 0) << said.err;
  const json simple = json::parse(said.out);
  // Two proposers are enough for nothing; the bug needs three ballots.
  EXPECT_EQ(simple["options"]["proposers"], 3);
  EXPECT_EQ(simple["options"]["acceptors"], 3);
  EXPECT_EQ(simple["simpler"].size(), 2U);
  EXPECT_EQ(gainsay_with({"replay", in_folder("simple.trace")}).code, 1);
}

TEST_F(CommandLine, ShrinkComplainsInOneLine) {
  const Said none = gainsay_with({"shrink"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("shrink needs a TRACE"));
  const Said missing = gainsay_with({"shrink", in_folder("nowhere.trace")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("nowhere.trace"));
  const std::string clean = changed_trace(race_trace(), [](TraceDocument& document) {
    document.violation.reset();
    document.violating_actor.clear();
    document.end = "quiescent";
  });
  const Said nothing = gainsay_with({"shrink", clean});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("nothing to shrink: the trace has no repeatable violation"));
}

}  // namespace
}  // namespace gainsay::cli_test
