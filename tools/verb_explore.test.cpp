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
  for (const Words& more : {Words{}, Words{"--exact"}, Words{"--jobs", "2"}}) {
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

// What a search says but for how long it took and what it held.
json without_costs(const std::string& text) {
  json result = json::parse(text);
  for (const char* key : {"elapsed_s", "memory_bytes", "disk_bytes", "workers"}) result.erase(key);
  return result;
}

TEST_F(CommandLine, ExploreGoesOnFromACheckpoint) {
  const std::string file = in_folder("checkpoint");
  const Words search = {"explore", "two_phase_commit", "--option", "bug=stale_votes",
                        "--json",  "--quiet",          "--out",    in_folder("traces")};
  const auto with = [&](Words more) {
    more.insert(more.begin(), search.begin(), search.end());
    return gainsay_with(more);
  };
  const Said whole = with({});
  ASSERT_EQ(whole.code, 1) << whole.err;
  EXPECT_EQ(with({"--checkpoint", file, "--max-depth", "3"}).code, 3);
  EXPECT_EQ(with({"--resume", file, "--max-states", "2000", "--jobs", "2"}).code, 3);
  const Said gone_on = with({"--resume", file});
  EXPECT_EQ(gone_on.code, 1) << gone_on.err;
  EXPECT_EQ(without_costs(gone_on.out), without_costs(whole.out));
  // Another search, and what is no checkpoint.
  const Said other = gainsay_with({"explore", "two_phase_commit", "--resume", file});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("the checkpoint is from a different search: its option"));
  const Said none = gainsay_with({"explore", "paxos", "--resume", in_folder("none")});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("expected a checkpoint written by explore --checkpoint"));
}

TEST_F(CommandLine, ExploreGoesOnAfterAKill) {
  const std::string file = in_folder("checkpoint");
  const Words large = {"explore", "two_phase_commit", "--json", "--quiet", "--out", in_folder("traces")};
  const auto with = [&](Words more) {
    more.insert(more.begin(), large.begin(), large.end());
    return gainsay_with(more);
  };
  Words checkpointed = large;
  checkpointed.insert(checkpointed.end(), {"--checkpoint", file, "--checkpoint-every", "1ms"});
  killed_with(checkpointed, [&file] { return fs::exists(file); });
  ASSERT_TRUE(fs::exists(file));
  EXPECT_EQ(without_costs(with({"--resume", file}).out), without_costs(with({}).out));
}

TEST_F(CommandLine, ExploreThatIsCutIsUnknown) {
  const Said said =
      gainsay_with({"explore", "test_forever", "--max-states", "1000", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.out, HasSubstr("the search is incomplete (--max-states)"));
  EXPECT_EQ(gainsay_with({"explore", "paxos", "--max-depth", "5", "--out", in_folder("traces")}).code, 3);
}

// Three acceptors are alike, proposers have their own ballots.
TEST_F(CommandLine, ExploreVisitsOneStateOfEachOrbit) {
  const Said said = gainsay_with({"explore", "paxos", "--symmetry", "--json", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 0) << said.err;
  const json result = json::parse(said.out);
  EXPECT_EQ(result["symmetries"], 6);
  EXPECT_EQ(result["symmetric"], "acceptor.{0,1,2}");
  EXPECT_EQ(result["states"], 17'525);
  EXPECT_THAT(result["warnings"].dump(),
              HasSubstr("proposer.0 and proposer.1 are not interchangeable: index"));
  const Said text = gainsay_with({"explore", "paxos", "--symmetry", "--out", in_folder("traces")});
  EXPECT_THAT(text.out, HasSubstr("acceptor.{0,1,2}: 6 permutations"));
}

TEST_F(CommandLine, ExploreWithSymmetryFindsTheSameBug) {
  const Said said = gainsay_with({"explore", "paxos", "--option", "bug=lowest", "--option", "proposers=3",
                                  "--symmetry", "--json", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 1) << said.err;
  const json result = json::parse(said.out);
  EXPECT_EQ(gainsay_with({"replay", result["violations"][0]["trace_file"]}).code, 1);
}

TEST_F(CommandLine, ExploreRefusesSymmetryWhereThereIsNone) {
  const Said said = gainsay_with({"explore", "flush_race", "--symmetry", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("--symmetry: no two actors of scenario 'flush_race' can be exchanged"));
  const Said causal =
      gainsay_with({"explore", "two_phase_commit", "--symmetry", "--out", in_folder("traces")});
  EXPECT_EQ(causal.code, 2);
  EXPECT_THAT(causal.err, HasSubstr("causal delivery keeps the order"));
}

TEST_F(CommandLine, ExploreStopsAfterATime) {
  const Said said = gainsay_with({"explore", "test_forever", "--time", "50ms", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.out, HasSubstr("the search is incomplete (--time)"));
  EXPECT_THAT(said.out, HasSubstr("not expanded"));
}

TEST_F(CommandLine, ExploreKeepsBits) {
  const Said said = gainsay_with(
      {"explore", "paxos", "--bitstate", "--max-memory", "64MiB", "--json", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 3) << said.err;
  const json result = json::parse(said.out);
  EXPECT_EQ(result["bitstate"], true);
  EXPECT_EQ(result["incomplete_because"], "--bitstate");
  EXPECT_NEAR(result["states"].get<double>(), 98'160, 5);
  EXPECT_LT(result["expected_omissions"].get<double>(), 0.01);
  for (const char* key : {"omission_probability", "frontier", "disk_bytes"})
    EXPECT_TRUE(result.contains(key)) << key;
}

TEST_F(CommandLine, CtrlCEndsAnExploration) {
  pressed = false;
  const Said said = gainsay_with({"explore", "test_impatient", "--json", "--out", in_folder("traces")});
  EXPECT_EQ(said.code, 3);
  const json result = json::parse(said.out);
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_EQ(result["complete"], false);
}

// What the page of an exploration says: the path to the violation is one of the graph, from its first state to the bad
// one, and handlers and levels are counted.
TEST_F(CommandLine, ExploreWritesAPage) {
  const std::string page = in_folder("space.html");
  const Said said = gainsay_with({"explore", "flush_race", "--option", "bug=overtake", "--keep-going",
                                  "--quiet", "--out", in_folder("traces"), "--html", page});
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_THAT(said.err, HasSubstr("wrote " + page));
  const std::string text = file_text(page);
  const std::string begin = "id=\"data\">";
  const std::size_t at = text.find(begin) + begin.size();
  const json data = json::parse(text.substr(at, text.find("</script>", at) - at));
  EXPECT_EQ(data["kind"], "space");
  EXPECT_EQ(data["violations"].size(), 1U);
  const json& violation = data["violations"][0];
  // Behind a handler that fails there is no state, so its step is no edge.
  EXPECT_EQ(violation["steps"], 4);
  ASSERT_EQ(violation["path"].size(), 3U);
  std::uint64_t node = 0;
  for (const json& edge : violation["path"]) {
    EXPECT_EQ(data["graph"]["edges"][edge.get<std::size_t>()][0], node);
    node = data["graph"]["edges"][edge.get<std::size_t>()][1];
  }
  EXPECT_EQ(violation["node"], node);
  // Step for step the events of the trace.
  const TraceDocument trace = read_trace_file(violation["trace_file"]);
  for (std::size_t i = 0; i < 3; ++i) {
    const json& edge = data["graph"]["edges"][violation["path"][i].get<std::size_t>()];
    const std::string event = data["graph"]["texts"][edge[2].get<std::size_t>()];
    EXPECT_THAT(event, HasSubstr(trace.steps[i].to)) << i;
    EXPECT_THAT(event, HasSubstr(trace.steps[i].message)) << i;
  }
  std::uint64_t states = 0;
  for (const json& level : data["levels"]) states += level[0].get<std::uint64_t>();
  EXPECT_EQ(states, data["states"]);
  EXPECT_FALSE(data["called"]["handlers"].empty());
}

}  // namespace
}  // namespace gainsay::cli_test
