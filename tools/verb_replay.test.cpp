// replay and show: what reads traces.
#include <algorithm>
#include <set>

#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

// -----------------------------------------------------------------------------------------------------

TEST_F(CommandLine, EveryTraceOfEverySeededBugReplays) {
  std::size_t replayed = 0;
  // Their executions are long or their bugs rare; their own tests replay what they find.
  const std::set<std::string> slow = {"cassandra_paxos",
                                      "chain_replication",
                                      "chord",
                                      "extent_manager",
                                      "fabric",
                                      "failure_detector",
                                      "migrating_table",
                                      "multi_paxos",
                                      "raft",
                                      "replicating_storage",
                                      "viewstamped_replication",
                                      "viewstamped_replication_code",
                                      "zookeeper_election"};
  const json systems = json::parse(gainsay_with({"list", "--json"}).out);
  for (const json& system : systems) {
    const std::string name = system["name"];
    if (name.starts_with("test_") && name != "test_race") continue;
    if (slow.contains(name)) continue;
    for (const json& bug : system["bugs"]) {
      Words words = {name, "--runs", "3000", "--keep-going", "--json", "--option", bug["option"]};
      if (name == "paxos") words.insert(words.end(), {"--option", "proposers=3"});
      if (name == "register_dr") words.insert(words.end(), {"--option", "harness=2r+2w"});
      const Said said = hunt(words);
      EXPECT_EQ(said.code, 1) << name << " " << bug["option"];
      const json result = json::parse(said.out);
      for (const json& violation : result["violations"]) {
        const Said again = gainsay_with({"replay", violation["trace_file"], "--json"});
        EXPECT_EQ(again.code, 1) << again.err;
        EXPECT_EQ(json::parse(again.out)["violation"]["message"], violation["message"]);
        EXPECT_EQ(json::parse(again.out)["same"], true);
        ++replayed;
      }
    }
  }
  EXPECT_GE(replayed, 5U);
}

TEST_F(CommandLine, AReplaySaysThatItIsTheSame) {
  const Said said = gainsay_with({"replay", race_trace()});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.out, StartsWith("replayed 1 step: same violation\n"));
  EXPECT_THAT(said.out, HasSubstr("number 1 was overtaken"));
}

TEST_F(CommandLine, AReplayStopsWhereAsked) {
  const json hunted = json::parse(hunt({"flush_race", "--option", "bug=overtake", "--json"}).out);
  const std::string trace = hunted["violations"][0]["trace_file"];
  const std::size_t all = read_trace_file(trace).steps.size();
  ASSERT_GT(all, 1U);
  for (const char* how : {"--verbose", "--exact"}) {
    const Said some = gainsay_with({"replay", trace, "--until", "1", how});
    EXPECT_EQ(some.code, 0) << some.err;
    EXPECT_THAT(some.out, StartsWith("replayed 1 step: no violation, as recorded"));
    EXPECT_THAT(some.out, HasSubstr("stopped after step 1 (--until)"));
  }
  EXPECT_EQ(gainsay_with({"replay", trace, "--until", std::to_string(all)}).code, 1);
  const Said beyond = gainsay_with({"replay", trace, "--until", "1000"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.err, HasSubstr("is after the last step"));
}

TEST_F(CommandLine, ATraceWithoutViolationReplaysCleanly) {
  // No verb writes such a trace; other programs of the library may. The clean order is 1, then 2.
  const Said wrong = hunt({"test_race", "--option", "bug=both", "--option", "racers=2", "--keep-going",
                           "--runs", "99", "--json"});
  std::string file;
  const json result = json::parse(wrong.out);
  for (const json& violation : result["violations"]) {
    if (violation["message"] == "the last came second") file = violation["trace_file"];
  }
  ASSERT_NE(file, "");
  const std::string clean = changed_trace(file, [](TraceDocument& document) {
    document.options = {{"bug", "none"}, {"racers", "2"}};
    document.violation.reset();
    document.violating_actor.clear();
    document.end = "quiescent";
  });
  const Said said = gainsay_with({"replay", clean});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, StartsWith("replayed 2 steps: no violation, as recorded"));
}

TEST_F(CommandLine, ACutOrEditedTraceIsRefusedWithItsLine) {
  const std::string good = race_trace();
  const std::string text = file_text(good);
  const std::string file = in_folder("bad.trace");
  const auto expect_refused = [&](const std::string& content, const std::string& where) {
    std::ofstream(file, std::ios::trunc) << content;
    for (const char* verb : {"replay", "show"}) {
      const Said said = gainsay_with({verb, file});
      EXPECT_EQ(said.code, 2) << content;
      EXPECT_THAT(said.err, StartsWith(fmt::format("gainsay: {}:{}: ", file, where)));
      EXPECT_EQ(said.err.find('\n'), said.err.size() - 1);
    }
  };
  for (std::size_t size = 0; size < text.size(); size += 37) {
    std::ofstream(file, std::ios::trunc) << text.substr(0, size);
    EXPECT_EQ(gainsay_with({"replay", file}).code, 2) << size;
  }
  expect_refused(text.substr(0, text.size() - 5), "3");
  std::string edited = text;
  edited.replace(edited.find("number: 2"), 9, "number: 1");
  expect_refused(edited, "2");
}

TEST_F(CommandLine, ATraceOfAnotherProgramNamesTheFirstStepThatDiffers) {
  const std::string good = race_trace();
  const auto expect_refused = [&](auto change, const std::string& complaint) {
    const std::string file = changed_trace(good, change);
    const Said said = gainsay_with({"replay", file, "--exact"});
    EXPECT_EQ(said.code, 2) << complaint;
    EXPECT_EQ(said.out, "");
    EXPECT_THAT(said.err, StartsWith(fmt::format("gainsay: {}: {}", file, complaint)));
    EXPECT_EQ(said.err.find('\n'), said.err.size() - 1);
  };
  expect_refused(
      [](TraceDocument& d) { d.scenario = "test_rice"; },
      "the trace is for scenario 'test_rice', which this program does not have, did you mean 'test_race'?");
  expect_refused([](TraceDocument& d) { d.options.emplace_back("lanes", "3"); },
                 "scenario 'test_race' has no option 'lanes'");
  expect_refused([](TraceDocument& d) { d.scenario = "test_forever", d.options.clear(); },
                 "step 1 differs: ");
  expect_refused([](TraceDocument& d) { d.options = {{"bug", "none"}}; }, "step ");
  expect_refused([](TraceDocument& d) { d.steps[0].changes = {"seen: 0 -> 7"}; },
                 "step 1 differs: 'deliver Ping{number: 2} from outside to judge' changed seen: 0 -> 7 in "
                 "the trace and seen: 0 "
                 "-> 1 in this execution");
  expect_refused([](TraceDocument& d) { d.steps[0].id.raw ^= 1U; }, "step 1 differs: ");
  expect_refused([](TraceDocument& d) { d.violation->message = "something else"; }, "step ");
}

// What does not matter is not looked at: notes, changes, texts, ids.
TEST_F(CommandLine, AReplayToleratesWhatDoesNotMatter) {
  const std::string good = race_trace();
  const auto expect_reproduced = [&](auto change, const std::string& note) {
    const Said said = gainsay_with({"replay", changed_trace(good, change)});
    EXPECT_EQ(said.code, 1) << note << said.err;
    EXPECT_THAT(said.out, StartsWith("replayed 1 step: same violation\n"));
    EXPECT_THAT(said.out, HasSubstr(note));
  };
  expect_reproduced([](TraceDocument& d) { d.steps[0].changes = {"seen: 0 -> 7"}; }, "");
  expect_reproduced([](TraceDocument& d) { d.steps[0].notes = {"something else"}; }, "");
  expect_reproduced([](TraceDocument& d) { d.steps[0].id.raw ^= 1U; }, "");
  expect_reproduced([](TraceDocument& d) { d.violation->message = "something else"; },
                    "the recorded message was: something else");
  // Of several messages of one type the one that was the same event then: here its id says so.
  expect_reproduced([](TraceDocument& d) { d.steps[0].message = "Ping{number: 2, added: 7}"; },
                    "1 message has changed since: step 1 is 'Ping{number: 2, added: 7}' in the trace and\n");
}

TEST_F(CommandLine, AReplayOfAMendedProgramSaysSo) {
  const std::string mended = changed_trace(race_trace(), [](TraceDocument& d) {
    d.options = {{"bug", "none"}, {"racers", "2"}};
  });
  const Said said = gainsay_with({"replay", mended});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, StartsWith("replayed 1 step: no longer violated\n"));
  EXPECT_THAT(said.out, HasSubstr("the trace showed: check: number 1 was overtaken"));
  const Said as_json = gainsay_with({"replay", mended, "--json"});
  EXPECT_EQ(json::parse(as_json.out)["outcome"], "no longer violated");
  EXPECT_EQ(json::parse(as_json.out)["verdict"], "ok");
}

TEST_F(CommandLine, AReplayThatCannotBeFollowedIsUnknown) {
  const std::string other = changed_trace(race_trace(), [](TraceDocument& d) { d.steps[0].to = "somebody"; });
  const Said said = gainsay_with({"replay", other});
  EXPECT_EQ(said.code, 3) << said.err;
  EXPECT_THAT(said.out, StartsWith("UNKNOWN: the trace cannot be followed, it diverges at step 1\n"));
  EXPECT_THAT(said.out, HasSubstr("'deliver Ping{number: 2} from outside to somebody' is not possible here"));
  EXPECT_THAT(said.out, HasSubstr("find the bug again: gainsay hunt test_race --option bug=first"));
}

TEST_F(CommandLine, RegressReplaysAFolder) {
  const std::string good = race_trace();
  const std::string folder = in_folder("traces");
  fs::copy_file(changed_trace(good,
                              [](TraceDocument& d) {
                                d.options = {{"bug", "none"}, {"racers", "2"}};
                              }),
                folder + "/mended.trace");
  EXPECT_EQ(gainsay_with({"regress", folder}).code, 1);
  const std::string report = in_folder("report.xml");
  fs::remove(good);
  const Said clean = gainsay_with({"regress", folder, "--junit", report});
  EXPECT_EQ(clean.code, 0);
  EXPECT_THAT(clean.out, HasSubstr("1 trace: 0 violated, 1 not violated, 0 unknown, 0 bad\n"));
  EXPECT_THAT(file_text(report), HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\""));
  std::ofstream(folder + "/a<b.trace") << "nonsense";
  const Said bad = gainsay_with({"regress", folder, "--junit", report});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.out, HasSubstr("bad trace: "));
  EXPECT_THAT(file_text(report), HasSubstr("a&lt;b.trace\">\n    <error message=\"bad trace: "));
  EXPECT_EQ(gainsay_with({"regress", in_folder("nothing")}).code, 2);
}

TEST_F(CommandLine, ShowNeedsNoScenario) {
  const std::string file =
      changed_trace(race_trace(), [](TraceDocument& d) { d.scenario = "of_another_program"; });
  const Said picture = gainsay_with({"show", file, "--width", "60"});
  EXPECT_EQ(picture.code, 0);
  EXPECT_THAT(picture.out, HasSubstr("of_another_program"));
  EXPECT_THAT(picture.out, HasSubstr("Ping{number: 2}"));
  EXPECT_EQ(picture.out.find('\x1b'), std::string::npos);
  EXPECT_NE(gainsay_with({"show", file, "--color", "always"}).out.find('\x1b'), std::string::npos);
  const std::string ascii = gainsay_with({"show", file, "--ascii"}).out;
  EXPECT_TRUE(
      std::all_of(ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
  EXPECT_NE(gainsay_with({"show", file, "--no-changes"}).out, picture.out);
  EXPECT_THAT(gainsay_with({"show", file, "--list"}).out, HasSubstr("Ping{number: 2}"));
  const json document = json::parse(gainsay_with({"show", file, "--json"}).out);
  EXPECT_EQ(document["steps"][0]["message"], "Ping{number: 2}");
  EXPECT_EQ(document["violation"]["step"], 1);
}

// Bytes that are not UTF-8 are replaced before anything is compared: the bug is the same bug.
TEST_F(CommandLine, TextsThatAreNotUtf8AreReplayedAndShrunk) {
  for (const Words& words :
       {Words{"hunt", "test_latin", "--json"}, Words{"explore", "test_latin", "--json"}}) {
    Words all = words;
    all.insert(all.end(), {"--out", in_folder("traces")});
    const Said said = gainsay_with(all);
    ASSERT_EQ(said.code, 1) << said.err;
    const json violation = json::parse(said.out)["violations"][0];
    EXPECT_EQ(violation["property"], "check");
    EXPECT_EQ(violation["message"], "caf\xef\xbf\xbd");
    EXPECT_EQ(gainsay_with({"replay", violation["trace_file"]}).code, 1);
  }
}

// Nor does a zero byte end a text.
TEST_F(CommandLine, TextsWithAZeroByteAreWhole) {
  for (const char* verb : {"hunt", "explore"}) {
    const Said said = gainsay_with({verb, "test_nul", "--json", "--out", in_folder("traces")});
    ASSERT_EQ(said.code, 1) << said.err;
    const json violation = json::parse(said.out)["violations"][0];
    EXPECT_THAT(violation["message"].get<std::string>(), testing::EndsWith("two"));
    EXPECT_EQ(violation["actor"], std::string("before\0after", 12));
    EXPECT_EQ(gainsay_with({"replay", violation["trace_file"]}).code, 1);
    const Said shown = gainsay_with({"show", violation["trace_file"]});
    EXPECT_THAT(shown.out, HasSubstr("one"));
    EXPECT_THAT(shown.out, HasSubstr("two"));
    EXPECT_EQ(shown.out.find('\0'), std::string::npos);
  }
}

}  // namespace
}  // namespace gainsay::cli_test
