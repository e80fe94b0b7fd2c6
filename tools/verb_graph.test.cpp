#include "tools/cli_test.hpp"
#include "tools/cli_test_scenarios.hpp"

namespace gainsay::cli_test {
namespace {

TEST_F(CommandLine, GraphCountsStatesAndEdges) {
  const Said said = gainsay_with({"graph", "paxos", "--json", "--jobs", "2", "--out", in_folder("p.graph")});
  EXPECT_EQ(said.code, 0) << said.err;
  const json result = json::parse(said.out);
  EXPECT_EQ(result["states"], 98'160);
  EXPECT_EQ(result["edges"], 506'256);
  EXPECT_EQ(result["complete"], true);
  EXPECT_EQ(result["files"][0], in_folder("p.graph"));
  const Said again =
      gainsay_with({"graph", in_folder("p.graph"), "--path-to-state", "5", "--diff", in_folder("p.graph")});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, StartsWith("paxos: 98,160 states, 506,256 edges, 1 initial state\n"));
  EXPECT_THAT(again.out, HasSubstr("1. deliver "));
  EXPECT_THAT(again.out,
              HasSubstr("states 0 added, 0 removed, 98,160 kept; edges 0 added, 0 removed, 506,256 kept"));
}

TEST_F(CommandLine, GraphShowsAViolation) {
  const Said said = gainsay_with({"graph", "flush_race", "--option", "bug=overtake", "--out",
                                  in_folder("f.graph"), "--dot", in_folder("f.dot")});
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_THAT(said.out, HasSubstr("log arrived after flush"));
  EXPECT_THAT(file_text(in_folder("f.dot")), StartsWith("digraph states {"));
}

TEST_F(CommandLine, GraphNamesWhatIsWrongWithItsInput) {
  const auto complaint = [&](const Words& words) {
    const Said said = gainsay_with(words);
    EXPECT_EQ(said.code, 2);
    return said.err;
  };
  std::ofstream(in_folder("text.dot")) << "hello\n";
  EXPECT_THAT(complaint({"graph", in_folder("text.dot")}),
              HasSubstr("text.dot: line 1: expected a state graph"));
  EXPECT_THAT(complaint({"graph", in_folder("gone.dot")}), HasSubstr("no such file"));
  EXPECT_THAT(complaint({"graph"}), HasSubstr("graph needs a SOURCE"));
  EXPECT_THAT(complaint({"graph", "paxoss"}), HasSubstr("paxos"));
  EXPECT_THAT(complaint({"graph", "flush_race", "--invariant", "nobody"}),
              HasSubstr("has no property 'nobody'"));
  EXPECT_THAT(complaint({"cover", "flush_race", "--minimize", "pain"}),
              HasSubstr("expected tests, steps, or reset="));
  EXPECT_THAT(complaint({"cover", "flush_race", "--edges", "since", "x"}),
              HasSubstr("expected changed-since OLD"));
  EXPECT_THAT(complaint({"cover", "flush_race", "--max-length", "1", "--out", in_folder("a.suite")}),
              HasSubstr("--max-length '1': expected at least"));
}

TEST_F(CommandLine, GraphThatIsCutIsIncomplete) {
  const Said said =
      gainsay_with({"graph", "test_forever", "--max-states", "100", "--out", in_folder("a.graph"), "--json"});
  EXPECT_EQ(said.code, 3) << said.err;
  EXPECT_EQ(json::parse(said.out)["incomplete_because"], "--max-states");
}

TEST_F(CommandLine, CoverProvesItsSuiteMinimal) {
  ASSERT_EQ(gainsay_with({"graph", "flush_race", "--out", in_folder("f.graph")}).code, 0);
  const Said said =
      gainsay_with({"cover", in_folder("f.graph"), "--out", in_folder("f.suite"), "--print", "1"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("gap          0: no suite costs less"));
  EXPECT_THAT(said.out, HasSubstr("(100 %)"));
  EXPECT_THAT(said.out, HasSubstr("Test 1, from initial state 0:\n     1. "));
  for (const Words& more :
       {Words{"--minimize", "steps"}, Words{"--minimize", "reset=5"}, Words{"--max-length", "30"},
        Words{"--prune", "commuting"}, Words{"--sample", "20"}, Words{"--max-steps", "100000"},
        Words{"--edges", "changed-since", in_folder("f.graph")}}) {
    Words words = {"cover", in_folder("f.graph"), "--out", in_folder("f.suite"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Said each = gainsay_with(words);
    EXPECT_EQ(each.code, 0) << each.err;
    const json result = json::parse(each.out);
    EXPECT_LE(result["covered"], result["edges"]);
    EXPECT_TRUE(fs::exists(in_folder("f.suite")));
  }
}

// Killed while it explores, while it finds the flow, and while it reads the suite: it goes on where there is something
// to go on from, and the suite is the one that is made in one go, byte for byte.
TEST_F(CommandLine, CoverGoesOnAfterAKill) {
  const std::string file = in_folder("checkpoint");
  const auto with = [&](const Words& more) {
    Words words = {"cover", "two_phase_commit", "--quiet", "--json", "--option", "timeouts=0"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Said whole = gainsay_with(with({"--out", in_folder("whole.suite")}));
  ASSERT_EQ(whole.code, 0) << whole.err;
  const Words checkpointed =
      with({"--checkpoint", file, "--checkpoint-every", "1ms", "--out", in_folder("killed.suite")});
  const Words resumed = with({"--resume", file, "--out", in_folder("resumed.suite")});
  killed_with(checkpointed, [times = 0]() mutable { return ++times > 5; });
  if (!fs::exists(file)) {
    const Said nothing = gainsay_with(resumed);
    EXPECT_EQ(nothing.code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("expected a checkpoint written by cover --checkpoint"));
  }
  for (const int more : {0, 8, 40}) {
    fs::remove(file);
    killed_with(checkpointed, [&file, more, times = 0]() mutable {
      times += fs::exists(file) ? 1 : 0;
      return times > more;
    });
    fs::remove(in_folder("resumed.suite"));
    const Said gone_on = gainsay_with(resumed);
    EXPECT_EQ(gone_on.code, 0) << gone_on.err;
    EXPECT_EQ(file_text(in_folder("resumed.suite")), file_text(in_folder("whole.suite"))) << more;
  }
}

TEST_F(CommandLine, CoverRefusesAnotherCheckpoint) {
  const std::string file = in_folder("checkpoint");
  const auto with = [&](const Words& more) {
    Words words = {"cover", "flush_race", "--quiet", "--out", in_folder("a.suite")};
    words.insert(words.end(), more.begin(), more.end());
    return gainsay_with(words);
  };
  ASSERT_EQ(with({"--checkpoint", file}).code, 0);
  EXPECT_EQ(with({"--resume", file}).code, 0);
  EXPECT_EQ(with({"--resume", file, "--max-steps", "100000"}).code, 0);
  EXPECT_THAT(with({"--resume", file, "--option", "bug=overtake"}).err,
              HasSubstr("the checkpoint is from a different cover: its option bug is none, not overtake"));
  EXPECT_THAT(with({"--resume", file, "--minimize", "steps"}).err,
              HasSubstr("its --minimize is tests, not steps"));
  EXPECT_THAT(with({"--resume", file, "--checkpoint", in_folder("other")}).err,
              HasSubstr("use it without --checkpoint"));
  EXPECT_THAT(with({"--resume", file, "--sample", "2"}).err, HasSubstr("--sample cannot be used with"));
  // The graph beside it is another one.
  ASSERT_EQ(gainsay_with({"graph", "ctstore", "--quiet", "--out", file + ".graph"}).code, 0);
  EXPECT_THAT(with({"--resume", file}).err, HasSubstr("the checkpoint is for another state graph"));
  fs::remove(file + ".graph");
  EXPECT_THAT(with({"--resume", file}).err, HasSubstr("checkpoint.graph: "));
  EXPECT_THAT(gainsay_with({"explore", "flush_race", "--resume", file}).err,
              HasSubstr("not a checkpoint of explore"));
}

}  // namespace
}  // namespace gainsay::cli_test
