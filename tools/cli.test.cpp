// The command line as its user meets it: words in; exit code,
// stdout and stderr out. Here: bad input, help, lists, the program.
#include <cstdlib>

#include <sys/wait.h>

#include "tools/cli_test.hpp"
#include "tools/cli_test_scenarios.hpp"

namespace gainsay::cli_test {

GAINSAY_SCENARIO(test_race, "Messages race to a judge", RaceOptions) {
  const auto judge =
      world.spawn("judge", Judge{.bug = options.bug, .last = static_cast<int>(options.racers)});
  for (std::uint32_t i = 1; i <= options.racers; ++i) world.send(judge, Ping{static_cast<int>(i)});
}
GAINSAY_SCENARIO(test_thrower, "A handler throws") { world.send(world.spawn<Thrower>("thrower"), Go{}); }
GAINSAY_SCENARIO(test_latin, "A check whose text is not UTF-8") {
  world.send(world.spawn<Latin>("latin"), Go{});
}
GAINSAY_SCENARIO(test_nul, "A check and an actor whose texts have a zero byte") {
  world.send(world.spawn<Nul>(std::string("before\0after", 12)), Go{});
}
GAINSAY_SCENARIO(test_cheat, "A handler counts its calls in a static variable") {
  world.send(world.spawn<Cheat>("cheat"), Go{});
}
GAINSAY_SCENARIO(test_forever, "An actor never stops") { world.send(world.spawn<Runner>("runner"), Tick{}); }
GAINSAY_SCENARIO(test_impatient, "Somebody presses Ctrl-C") {
  world.send(world.spawn<Impatient>("actor"), Tick{});
}
GAINSAY_SCENARIO(test_broken, "A body that throws") { throw std::runtime_error("no such file"); }

}  // namespace gainsay::cli_test

namespace gainsay::cli_test {
namespace {

// ---------------------------------------------------------------------------------------------------------

void expect_complaint(const Words& words, const std::string& complaint) {
  const Said said = gainsay_with(words);
  EXPECT_EQ(said.code, 2) << fmt::format("{}", fmt::join(words, " "));
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "gainsay: " + complaint + "\n");
}

TEST_F(CommandLine, WithoutArgumentsItSaysWhatThereIsAndFails) {
  const Said said = gainsay_with({});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.out, "");
  for (const char* verb : {"list", "hunt", "replay", "show", "explore"})
    EXPECT_THAT(said.err, HasSubstr(verb));
}

TEST_F(CommandLine, UnknownNamesAreAnsweredWithTheNearestOne) {
  expect_complaint(
      {"hnt"},
      "unknown verb 'hnt', did you mean 'hunt'? (verbs: list, hunt, replay, regress, shrink, show, steer, "
      "explore, graph, cover, conform, bound, partitions, check, verify, completion, man)");
  expect_complaint({"zoology"},
                   "unknown verb 'zoology' (verbs: list, hunt, replay, regress, shrink, show, steer, "
                   "explore, graph, cover, conform, bound, partitions, check, verify, completion, man)");
  expect_complaint(
      {"--frobnicate"},
      "unexpected '--frobnicate': the first word must be one of list, hunt, replay, regress, shrink, show, "
      "steer, explore, graph, cover, conform, bound, partitions, check, verify, completion, man");
  expect_complaint({"hunt", "paxs"}, "unknown scenario 'paxs', did you mean 'paxos'? (`list` shows all)");
  expect_complaint({"explore", "paxs"}, "unknown scenario 'paxs', did you mean 'paxos'? (`list` shows all)");
  expect_complaint({"list", "paxs"}, "unknown scenario 'paxs', did you mean 'paxos'? (`list` shows all)");
  EXPECT_THAT(gainsay_with({"hunt", "paxos", "--strategy", "randm"}).err,
              StartsWith("gainsay: unknown strategy 'randm', did you mean 'random'?"));
  expect_complaint({"hunt", "paxos", "--sed", "7"},
                   "hunt has no option '--sed', did you mean '--seed'? (`hunt --help` shows them)");
  expect_complaint({"hunt", "--sed=7", "paxos"},
                   "hunt has no option '--sed', did you mean '--seed'? (`hunt --help` shows them)");
  expect_complaint(
      {"hunt", "test_race", "--strategy", "random", "--option", "racer=3"},
      "neither scenario 'test_race' nor strategy 'random' has an option 'racer', did you mean 'racers'?");
  expect_complaint(
      {"hunt", "test_race", "--strategy", "random", "--option", "zzz=3"},
      "neither scenario 'test_race' nor strategy 'random' has an option 'zzz' (there are: bug, racers, over, "
      "faults)");
  expect_complaint({"hunt", "test_race", "--strategy", "random", "--option", "strategy.racers=3"},
                   "strategy 'random' has no option 'racers' (there are: over, faults)");
  expect_complaint({"explore", "test_race", "--option", "racer=3"},
                   "scenario 'test_race' has no option 'racer', did you mean 'racers'?");
}

TEST_F(CommandLine, ValuesThatDoNotFitAreNamedWithWhatWasExpected) {
  const Words race = {"hunt", "test_race"};
  const auto with = [&](const std::string& name, const std::string& value) {
    return Words{"hunt", "test_race", name, value};
  };
  expect_complaint(with("--option", "racers=9"), "option racers=9: expected a whole number in 2..5");
  expect_complaint(with("--option", "racers=many"), "option racers=many: expected a whole number in 2..5");
  expect_complaint(with("--option", "bug=frist"), "option bug=frist: expected one of none first both");
  expect_complaint({"hunt", "test_race", "--strategy", "random", "--option", "over=event"},
                   "option over=event: expected one of events actors chains, did you mean 'events'?");
  expect_complaint(with("--option", "bug"), "--option 'bug': expected NAME=VALUE");
  expect_complaint(with("--option", "=none"), "--option '=none': expected NAME=VALUE");
  expect_complaint(with("--jobs", "0"), "--jobs '0': expected a whole number from 1 to 1024");
  expect_complaint(with("--steps", "0"), "--steps '0': expected a whole number from 1 to 1000000000");
  for (const char* runs : {"-1", "0", "1e5", "99999999999999999999999", "", " 5", "0x10"}) {
    expect_complaint(with("--runs", runs),
                     fmt::format("--runs '{}': expected a whole number from 1 to 1000000000000000", runs));
  }
  expect_complaint(with("--seed", "-3"),
                   "--seed '-3': expected a whole number from 0 to 18446744073709551615");
  for (const char* time : {"5parsecs", "5", "-5s", "0s", "inf", "9999999h"}) {
    expect_complaint(
        with("--time", time),
        fmt::format("--time '{}': expected a duration such as 500ms, 15s or 2m, up to a year", time));
  }
  expect_complaint(
      with("--backtracking", "snapshot"),
      "--backtracking 'snapshot': expected one of snapshots, reexecution, did you mean 'snapshots'?");
  expect_complaint({"hunt", "test_race", "--runs"}, "--runs needs a value");
  expect_complaint({"hunt", "test_race", "--json=yes"}, "--json takes no value");
  expect_complaint({"hunt", "test_race", "paxos"}, "unexpected argument 'paxos'; hunt takes one SCENARIO");
  expect_complaint({"explore", "test_race", "--jobs", "0"},
                   "--jobs '0': expected a whole number from 1 to 1024");
  expect_complaint({"explore", "test_race", "--workers=2"},
                   "explore has no option '--workers' (`explore --help` shows them)");
  expect_complaint(
      {"explore", "test_race", "--max-memory", "12 elephants"},
      "--max-memory '12 elephants': expected an amount of memory such as 512MiB or 6GiB, at least 1.0 MiB");
  expect_complaint({"explore", "test_race", "--max-states", "0"},
                   "--max-states '0': expected a whole number from 1 to 18446744073709551615");
  expect_complaint({"show", "x", "--width", "3"}, "--width '3': expected a whole number from 40 to 1000");
  expect_complaint({"show", "x", "--color", "blue"}, "--color 'blue': expected one of auto, always, never");
}

TEST_F(CommandLine, WhatIsMissingIsAskedFor) {
  expect_complaint({"hunt"}, "hunt needs a SCENARIO or --all; `gainsay list` shows them");
  expect_complaint({"explore"}, "explore needs a SCENARIO; `gainsay list` shows them");
  expect_complaint({"replay"}, "replay needs a TRACE, a file written by hunt or explore");
  expect_complaint({"show"}, "show needs a TRACE, a file written by hunt or explore");
}

TEST_F(CommandLine, PlacesThatCannotBeReadOrWrittenAreNamed) {
  const std::string file = in_folder("a file");
  std::ofstream(file) << "something";
  for (const char* verb : {"hunt", "explore"}) {
    expect_complaint({verb, "test_race", "--out", file},
                     fmt::format("--out {}: Not a directory; expected a writable folder", file));
    expect_complaint({verb, "test_race", "--out", file + "/below"},
                     fmt::format("--out {}/below: Not a directory; expected a writable folder", file));
    EXPECT_EQ(gainsay_with({verb, "test_race", "--out", "/proc/nowhere"}).code, 2);
  }
  for (const char* verb : {"replay", "show"}) {
    expect_complaint({verb, in_folder("none")},
                     in_folder("none") + ": No such file or directory; expected a trace file");
    expect_complaint({verb, folder_.string()},
                     folder_.string() + ": this is a folder; expected a trace file");
    EXPECT_THAT(gainsay_with({verb, file}).err,
                StartsWith(fmt::format("gainsay: {}:1: this is not a gainsay trace", file)));
  }
}

TEST_F(CommandLine, AComplaintStaysOnOneLineWhateverWasTyped) {
  const Said said = gainsay_with({"hunt", "evil\nname\x1b[31m"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err.find('\n'), said.err.size() - 1);
  EXPECT_EQ(said.err.find('\x1b'), std::string::npos);
}

TEST_F(CommandLine, AScenarioThatCannotBeBuiltIsNamed) {
  expect_complaint({"hunt", "test_broken"},
                   "scenario 'test_broken' cannot be built: its body threw: no such file");
  expect_complaint({"explore", "test_broken"},
                   "scenario 'test_broken' cannot be built: its body threw: no such file");
  const Said said = gainsay_with({"list", "test_broken"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("its body threw: no such file"));
}

// --- Help and lists

// ----------------------------------------------------------------------------------------------------------------

TEST_F(CommandLine, EveryVerbExplainsItself) {
  for (const char* verb : {"list", "hunt", "replay", "show", "explore"}) {
    for (const Words& words : {Words{verb, "--help"}, Words{"help", verb}}) {
      const Said said = gainsay_with(words);
      EXPECT_EQ(said.code, 0);
      EXPECT_THAT(said.out, HasSubstr(fmt::format("Usage: gainsay {}", verb)));
      EXPECT_THAT(said.out, HasSubstr("--json"));
      EXPECT_EQ(said.err, "");
    }
  }
  EXPECT_EQ(gainsay_with({"--help"}).code, 0);
  EXPECT_THAT(gainsay_with({"--version"}).out, StartsWith("gainsay "));
}

TEST_F(CommandLine, ListShowsOptionsActorsAndSeededBugs) {
  const Said said = gainsay_with({"list", "test_race"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out,
            "test_race: Messages race to a judge\n"
            "  actors   judge\n"
            "  options  bug=none (none, first, both): which order is wrong\n"
            "           racers=2 (2..5): how many messages race\n"
            "  bugs     bug=first: number 1 must come first\n"
            "           bug=both: number 1 must come first, and the last number must not come second\n");
}

TEST_F(CommandLine, ListAsJsonHasWhatScriptsNeed) {
  const json list = json::parse(gainsay_with({"list", "--json"}).out);
  ASSERT_TRUE(list.is_array());
  bool found = false;
  for (const json& scenario : list) {
    for (const char* key : {"name", "description", "options", "bugs", "actors", "monitors", "properties"})
      EXPECT_TRUE(scenario.contains(key)) << key;
    for (const json& option : scenario["options"]) {
      for (const char* key : {"name", "values", "default"}) EXPECT_TRUE(option.contains(key)) << key;
    }
    if (scenario["name"] != "test_race") continue;
    found = true;
    EXPECT_EQ(scenario["actors"], json({"judge"}));
    EXPECT_EQ(scenario["options"][1]["values"], json({"2..5"}));
    EXPECT_EQ(scenario["options"][1]["default"], 2);
    EXPECT_EQ(scenario["bugs"][0],
              (json{{"option", "bug=first"}, {"description", "number 1 must come first"}}));
    EXPECT_EQ(scenario["bugs"].size(), 2U);
  }
  EXPECT_TRUE(found);
}

TEST_F(CommandLine, ListShowsStrategiesToo) {
  EXPECT_THAT(gainsay_with({"list", "--strategies"}).out, HasSubstr("over=events (events, actors, chains)"));
  const json list = json::parse(gainsay_with({"list", "--strategies", "--json"}).out);
  EXPECT_EQ(list[0]["name"], "delay");
  EXPECT_EQ(list[0]["kind"], "search");
}

// --- The program itself

// The tool that was built with these tests; its exit code, with what it prints in a file.
class Tool : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    const char* path = std::getenv("GAINSAY_TOOL");
    if (path == nullptr || !fs::exists(path)) GTEST_SKIP() << "GAINSAY_TOOL does not name a program";
    tool_ = path;
  }
  static int shell(const std::string& command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string tool_;
};

TEST_F(Tool, ThePrintedCommandCanBePasted) {
  const std::string out = in_folder("it's here");
  const std::string summary = in_folder("summary");
  const int code = shell(
      fmt::format("'{}' hunt flush_race --option bug=overtake --out \"{}\" > '{}'", tool_, out, summary));
  EXPECT_EQ(code, 1);
  const std::string text = file_text(summary);
  const std::size_t at = text.find("  replay: ");
  ASSERT_NE(at, std::string::npos);
  const std::string command = text.substr(at + 10, text.find('\n', at) - at - 10);
  EXPECT_EQ(shell(command + " > /dev/null"), 1) << command;
}

TEST_F(Tool, AFullDiskIsNotIgnored) {
  EXPECT_EQ(shell(fmt::format("'{}' list > /dev/full 2> /dev/null", tool_)), 2);
}

TEST_F(Tool, ProgressGoesToStderrAndOnlyThere) {
  const std::string out = in_folder("out");
  const std::string err = in_folder("err");
  EXPECT_EQ(shell(fmt::format("'{}' hunt paxos --time 2500ms --json > '{}' 2> '{}'", tool_, out, err)), 0);
  EXPECT_TRUE(json::accept(file_text(out)));
  EXPECT_THAT(file_text(err), StartsWith("hunt paxos: "));
  EXPECT_EQ(shell(fmt::format("'{}' hunt paxos --runs 10 > /dev/null 2> '{}'", tool_, err)), 0);
  EXPECT_EQ(file_text(err), "");
}

}  // namespace
}  // namespace gainsay::cli_test
