// Approved texts: what a reader sees, word for word.
#include "gainsay/report/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/text.hpp"
#include "gainsay/report/listing.hpp"

namespace gainsay {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

HuntResult clean_hunt() {
  HuntResult r;
  r.scenario = "flush_race";
  r.options = {{"bug", "none"}};
  r.strategy = "random";
  r.seed = 1;
  r.runs = 1234;
  r.steps = 6170;
  r.steps_max_seen = 5;
  r.steps_max = 10'000;
  r.distinct_traces = 2;
  r.elapsed_s = 0.5;
  return r;
}

FoundViolation found(const std::string& property, const std::string& message, std::uint64_t runs,
                     std::uint64_t first_run) {
  FoundViolation f;
  f.violation = {property, message, nobody, 0};
  f.runs = runs;
  f.first_run = first_run;
  f.document.scenario = "flush_race";
  f.document.actors = {"logger"};
  DocumentStep step;
  step.to = "logger";
  step.from = "outside";
  step.message = "Log";
  f.document.steps = {step};
  f.document.violation = f.violation;
  f.document.end = "violated";
  return f;
}

TEST(HuntSummary, ReportsScoutsAndWhatTheySet) {
  HuntResult r = clean_hunt();
  EXPECT_THAT(summary_text(r, {}), Not(HasSubstr("scouts")));
  r.scouts = {5, 2'345, 724, 0.02, 2'000};
  EXPECT_THAT(
      summary_text(r, {}),
      HasSubstr(
          "  scouts      5 runs before the first run, 2,345 steps in 20.0 ms; the longest fair run had "));
  EXPECT_THAT(summary_text(r, {}), HasSubstr("may be cut off after"));
  r.scouts = {0, 0, 0, 0, 500};
  EXPECT_THAT(
      summary_text(r, {}),
      HasSubstr("  scouts      an unfair run that starves an actor may be cut off after 500 steps\n"));
  r.cut_runs = r.runs;
  r.starved_runs = r.runs;
  EXPECT_THAT(summary_text(r, {}),
              StartsWith("UNKNOWN: no violation, but every run of flush_race was cut off ("));
}

ExploreResult clean_exploration() {
  ExploreResult r;
  r.scenario = "paxos";
  r.options = {{"bug", "none"}, {"proposers", "2"}};
  r.states = 98'160;
  r.transitions = 506'256;
  r.end_states = 7;
  r.depth = 24;
  r.handler_calls = 191;
  r.complete = true;
  r.collision_probability = 2.6e-10;
  r.memory_bytes = 7'000'000;
  r.workers = 1;
  r.elapsed_s = 0.25;
  return r;
}

TEST(HuntSummary, OfCleanRandomRunsSaysThatTheyProveNothing) {
  EXPECT_EQ(summary_text(clean_hunt(), {}),
            "No violation in 1,234 runs of flush_race\n  options     bug=none\n  strategy    random, seed "
            "1\n  runs        1,234 in 500.0 ms (2468/s)\n  steps       6,170 (12.3 k/s), 5 in the longest "
            "run, at most 10,000 allowed\n  behaviours  2 distinct\n  estimate    the next run shows a new "
            "behaviour with probability about 0 % (0 of 1,234 runs showed\n              a behaviour that no "
            "other run did)\n  guarantee   none known\n  meaning     clean runs are evidence, not proof: no "
            "probability bound holds\n");
}

HuntResult promising_hunt() {
  HuntResult r = clean_hunt();
  r.strategy = "pctcp";
  r.runs = 100;
  r.traces_seen_once = 3;
  r.guarantee.statement = "a run hits a bug of depth 2 with probability at least 1/(4 chains * 5^1) = 0.05";
  r.guarantee.per_run = 0.05;
  r.guarantee.inputs = {{"depth", 2}, {"events", 5}, {"chains", 4}};
  r.guarantee.assumptions = {"no execution has more than 5 events or 4 chains"};
  r.guarantee.runs = 100;
  r.guarantee.confidence = 0.99408;  // 1 - 0.95^100
  r.guarantee.runs_for_95 = 59;
  r.guarantee.runs_for_99 = 90;
  return r;
}

// The gaps are named where the campaign came to its end; a campaign that stopped at a bug has seen little.
TEST(HuntSummary, SaysWhatOfTheMachinesWasSeen) {
  HuntResult r = clean_hunt();
  r.coverage = {
      {"Door", {1, 2, {"open"}}, {1, 3, {"shut on Knock -> open", "open ignores Knock"}}, {1, 1, {}}},
      {"Lamp", {2, 2, {}}, {1, 1, {}}, {1, 1, {}}}};
  EXPECT_THAT(
      summary_text(r, {}),
      HasSubstr("  coverage    Door: 1 of 2 states, 1 of 3 transitions, 1 of 1 events; never: state open, "
                "shut on\n"
                "              Knock -> open, open ignores Knock\n"
                "              Lamp: 2 of 2 states, 1 of 1 transitions, 1 of 1 events\n"));
  r.violations = {found("check", "log arrived after flush", 1, 7)};
  SummaryOptions verbose;
  verbose.verbose = true;
  EXPECT_THAT(summary_text(r, verbose),
              HasSubstr("Door: 1 of 2 states, 1 of 3 transitions, 1 of 1 events\n"));
  r.violations.clear();
  r.coverage[0].transitions.never.assign(30, "x on Y");
  EXPECT_THAT(summary_text(r, {}), HasSubstr("and 19\n              more (--json lists all)"));
}

TEST(HuntSummary, OfAStrategyWithAGuaranteeDoesTheArithmetic) {
  SummaryOptions wide;
  wide.show.width = 200;
  EXPECT_THAT(
      summary_text(promising_hunt(), wide),
      HasSubstr(
          "  estimate     the next run shows a new behaviour with probability about 3 % (3 of 100 "
          "runs showed a behaviour\n               that no other run did)\n  guarantee    a run hits a bug "
          "of depth 2 "
          "with probability at least 1/(4 chains * 5^1) = 0.05\n  assuming     no execution has more than 5 "
          "events or 4 chains\n  runs needed  59 runs for 95 %, 90 runs for 99 %\n  meaning      a bug that "
          "shows whenever 2 events come in a certain order as late as possible (depth 2) would\n             "
          "  "
          "have been found by these 100 runs with probability at least 99.4 %\n"));
}

TEST(HuntSummary, SaysForWhichRunsABoundIsVoid) {
  HuntResult r = promising_hunt();
  r.guarantee.runs = 36;
  r.guarantee.voids = {"64 of 100 runs do not count: the livelock rule set a chain aside"};
  EXPECT_THAT(summary_text(r, {}), HasSubstr("  void         64 of 100 runs do not count"));
  EXPECT_THAT(guarantee_sentence(r), HasSubstr("would have been found by 36 of these 100 runs"));
  r.guarantee.per_run.reset();
  EXPECT_EQ(guarantee_sentence(r), "");
  EXPECT_THAT(summary_text(r, {}), HasSubstr("no probability bound holds"));
}

TEST(HuntSummary, IsNeverRoundedUpToCertainty) {
  HuntResult r = promising_hunt();
  r.guarantee.confidence = 0.9999996;
  EXPECT_THAT(guarantee_sentence(r), HasSubstr("99.99996 %"));
  r.guarantee.confidence = 1 - 1e-15;
  EXPECT_THAT(guarantee_sentence(r), HasSubstr("with probability over 99.9999999 %"));
}

TEST(HuntSummary, OfAPortfolioSaysWhoDidWhat) {
  HuntResult r = clean_hunt();
  r.shares = {{"random", 50, 0, std::nullopt}, {"pctcp depth=2", 1, 1, 17}};
  EXPECT_THAT(summary_text(r, {}), Not(HasSubstr("member")));
  SummaryOptions verbose;
  verbose.verbose = true;
  const std::string text = summary_text(r, verbose);
  EXPECT_THAT(text, HasSubstr("  member      random: 50 runs\n"));
  EXPECT_THAT(text, HasSubstr("  member      pctcp depth=2: 1 run, 1 violated, the first is run 17\n"));
}

TEST(HuntSummary, OfABoundedSearchNamesTheBound) {
  HuntResult r = clean_hunt();
  r.search = true;
  r.complete = true;
  r.guarantee.within = "at most 2 delays";
  const std::string text = summary_text(r, {});
  EXPECT_THAT(text, HasSubstr("the search is complete within at most 2 delays\n"));
  EXPECT_THAT(text, HasSubstr("outside this bound may still have violations"));
}

TEST(HuntSummary, OfACompleteSearchNamesItsBounds) {
  HuntResult r = clean_hunt();
  r.search = true;
  r.complete = true;
  r.complete_for = {"checks", "deadlock"};
  const std::string text = summary_text(r, {});
  EXPECT_THAT(text,
              StartsWith("No violation in all 1,234 executions of flush_race: the search is complete\n"));
  EXPECT_THAT(text,
              HasSubstr("all 1,234 executions within these bounds were tried (at most 10,000 steps each)"));
  EXPECT_THAT(text, HasSubstr("checks, deadlock"));
  r.runs = 1;
  EXPECT_THAT(summary_text(r, {}), StartsWith("No violation in the only execution of flush_race: "));
  EXPECT_THAT(summary_text(r, {}), HasSubstr("the only execution within these bounds was tried "));
}

TEST(HuntSummary, OfASearchThatReducesCountsClassesAndNotExecutions) {
  HuntResult r = clean_hunt();
  r.search = true;
  r.complete = true;
  r.complete_for = {"checks"};
  r.dependence = "receiver";
  r.classes = 1234;
  EXPECT_THAT(summary_text(r, {}),
              StartsWith("No violation in all 1,234 trace classes (one execution each) of "
                         "flush_race: the search is complete\n"));
  r.classes = 34;
  EXPECT_THAT(summary_text(r, {}),
              StartsWith("No violation in all 34 trace classes (1,234 executions tried) of "
                         "flush_race: the search is complete\n"));
  r.dependence = "semantic";
  EXPECT_THAT(
      summary_text(r, {}),
      StartsWith(
          "No violation in 1,234 executions that represent all of flush_race: the search is complete\n"));
}

TEST(HuntSummary, EveryDoubtIsInTheFirstLine) {
  const auto first_line = [](const HuntResult& r) {
    const std::string text = summary_text(r, {});
    return text.substr(0, text.find('\n'));
  };
  HuntResult cut = clean_hunt();
  cut.cut_runs = cut.runs;
  EXPECT_EQ(first_line(cut),
            "UNKNOWN: no violation, but every run of flush_race was cut off at the bound of 10,000 steps");
  HuntResult vacuous = clean_hunt();
  vacuous.unreached_goals = {"a", "b"};
  EXPECT_EQ(first_line(vacuous),
            "UNKNOWN: no violation in 1,234 runs of flush_race, but the goals 'a', 'b' were never reached");
  HuntResult unjudged = clean_hunt();
  unjudged.unjudged_runs = 2;
  EXPECT_EQ(
      first_line(unjudged),
      "UNKNOWN: no violation in 1,234 runs of flush_race, but the history of 2 runs could not be judged");
  HuntResult incomplete = clean_hunt();
  incomplete.search = true;
  EXPECT_EQ(first_line(incomplete),
            "UNKNOWN: no violation in 1,234 executions of flush_race, but the search is incomplete");
  HuntResult nothing = clean_hunt();
  nothing.runs = 0;
  EXPECT_EQ(first_line(nothing), "UNKNOWN: no run of flush_race finished in the given time");
  HuntResult interrupted = clean_hunt();
  interrupted.interrupted = true;
  EXPECT_EQ(first_line(interrupted), "INTERRUPTED: no violation in 1,234 runs of flush_race so far");
  // The words of the first line and the verdict agree.
  for (const HuntResult& r : {cut, vacuous, unjudged, incomplete, nothing, interrupted})
    EXPECT_EQ(r.exit_code(), 3);
}

// A monitor that stayed hot for long is no proof, unless the user takes it for one.
TEST(HuntSummary, ASuspicionIsSaidToBeOneAndFailsOnlyWhereThatIsAsked) {
  HuntResult r = clean_hunt();
  r.violations = {found("progress", "hot for 100 fair rounds", 3, 17)};
  r.violations[0].violation.hot_from = 2;
  EXPECT_EQ(r.verdict(), Verdict::suspected);
  EXPECT_EQ(r.exit_code(), 3);
  EXPECT_THAT(summary_text(r, {}), StartsWith("SUSPECTED in flush_race (not proved): "));
  r.liveness.suspicions_fail = true;
  EXPECT_EQ(r.exit_code(), 1);
  EXPECT_THAT(summary_text(r, {}), testing::Not(StartsWith("SUSPECTED")));
}

TEST(HuntSummary, OfViolationsDrawsTheFirstAndNamesTheOthers) {
  HuntResult r = clean_hunt();
  r.violations = {found("check", "late\nlog", 3, 17), found("agreement", "two leaders", 1, 40)};
  r.buggy_runs = 4;
  r.first_bug_run = 17;
  SummaryOptions options;
  options.program = "./my program";
  options.trace_files = {"traces/a.trace", ""};
  const std::string text = summary_text(r, options);
  EXPECT_THAT(text, StartsWith("2 VIOLATIONS in flush_race; the first: check: late log\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "  found      in run 17 of random, seed 1, after 500.0 ms: 1 step; 4 of 1,234 runs violated; "));
  EXPECT_THAT(text, HasSubstr("\ncheck: late log\n  1 step, run 17, seen in 3 runs\n"));
  EXPECT_THAT(text, HasSubstr(space_time_diagram(r.violations[0].document, options.show)));
  EXPECT_THAT(text, HasSubstr("  replay: './my program' replay traces/a.trace\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\nagreement: two leaders\n  1 step, run 40, seen in 1 run\n  the trace was not written\n"));
  options.diagram = false;
  EXPECT_THAT(summary_text(r, options), Not(HasSubstr("○")));
}

TEST(HuntSummary, OfAViolationTakesThreeLinesAndItsCommands) {
  HuntResult r = clean_hunt();
  r.violations = {found("check", "late log", 1, 17)};
  r.buggy_runs = 1;
  SummaryOptions options;
  options.diagram = false;
  options.trace_files = {"a.trace"};
  EXPECT_EQ(summary_text(r, options),
            "VIOLATION in flush_race: check: late log\n"
            "  found      in run 17 of random, seed 1, after 500.0 ms: 1 step; options bug=none\n"
            "  confirmed  re-running this execution fails the same way\n"
            "\n"
            "  replay: gainsay replay a.trace\n"
            "  shrink: gainsay shrink a.trace\n"
            "  show:   gainsay show a.trace\n");
  options.diagram = true;
  EXPECT_THAT(summary_text(r, options),
              HasSubstr("  confirmed  re-running the execution below fails the same way\n"));
  r.warnings = {"mind the gap"};
  EXPECT_THAT(summary_text(r, options), HasSubstr("  warning    mind the gap\n"));
  options.verbose = true;
  EXPECT_THAT(summary_text(r, options), HasSubstr("  guarantee   none known\n"));
  // What is not deterministic was not repeated, and cannot be shrunk.
  r.violations[0].violation.property = "nondeterminism";
  EXPECT_THAT(summary_text(r, options), Not(HasSubstr("confirmed")));
  EXPECT_THAT(summary_text(r, options), Not(HasSubstr("shrink:")));
}

TEST(HuntSummary, SaysThatDeterminismWasChecked) {
  SummaryOptions options;
  EXPECT_THAT(summary_text(clean_hunt(), options), Not(HasSubstr("determinism")));
  options.determinism_checked = true;
  EXPECT_THAT(summary_text(clean_hunt(), options),
              HasSubstr("  determinism  every run was executed two more times with the same result\n"));
}

TEST(HuntSummary, OneOfManyTakesOneLine) {
  SummaryOptions options;
  options.numbers = false;
  EXPECT_EQ(summary_text(clean_hunt(), options), "No violation in 1,234 runs of flush_race\n");
}

TEST(HuntSummary, DoesNotDrawWhatIsTooLong) {
  HuntResult r = clean_hunt();
  r.violations = {found("check", "late log", 1, 0)};
  r.violations[0].document.steps.resize(5000, r.violations[0].document.steps[0]);
  const std::string text = summary_text(r, {});
  EXPECT_THAT(text, HasSubstr("5,000 steps"));
  EXPECT_LT(text.size(), 2000U);
}

TEST(ExploreSummary, SaysHowStatesWereTold) {
  EXPECT_EQ(
      summary_text(clean_exploration(), {}),
      "No violation in all 98,160 states of paxos: the search is complete\n"
      "  options      bug=none proposers=2\n"
      "  states       98,160, 7 end states, depth 24\n"
      "  transitions  506,256 in 250.0 ms (2.0 M/s), 1 job\n"
      "  handlers     called 191 times\n"
      "  memory       6.7 MiB\n"
      "  meaning      every reachable state within these options was visited. States were compared by\n"
      "               fingerprints: with probability at most 2.6e-10 a state was confused with another and\n"
      "               omitted (--exact rules this out)\n");
  ExploreResult exact = clean_exploration();
  exact.exact = true;
  EXPECT_THAT(summary_text(exact, {}), HasSubstr("Whole states were compared"));
  EXPECT_THAT(summary_text(exact, {}), Not(HasSubstr("probability")));
}

TEST(ExploreSummary, SaysWhyItIsIncomplete) {
  ExploreResult r = clean_exploration();
  r.complete = false;
  r.incomplete_because = "--max-states";
  EXPECT_THAT(
      summary_text(r, {}),
      StartsWith(
          "UNKNOWN: no violation in 98,160 states of paxos, but the search is incomplete (--max-states)\n"));
  r.incomplete_because = "a violation was found";
  r.violations = {found("agreement", "two leaders", 0, 0)};
  const std::string text = summary_text(r, {});
  EXPECT_THAT(text, StartsWith("VIOLATION in paxos: agreement: two leaders\n"));
  EXPECT_THAT(text, HasSubstr("  found      after 98,160 states and 250.0 ms; no execution with fewer than 1 "
                              "step violates it;"));
}

TEST(SeededBugs, AreTheValuesOfTheOptionBug) {
  OptionInfo bug;
  bug.name = "bug";
  bug.type = "one of";
  bug.values = {"none", "overtake", "sandwich"};
  bug.value_help = {{"overtake", "too early"}};
  const auto bugs = seeded_bugs({bug, OptionInfo{}});
  ASSERT_EQ(bugs.size(), 2U);
  EXPECT_EQ(bugs[0].option, "bug=overtake");
  EXPECT_EQ(bugs[0].description, "too early");
  EXPECT_EQ(bugs[1].option, "bug=sandwich");
}

TEST(ShellCommand, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_command({"./gainsay", "replay", "a/b-c_1.trace"}), "./gainsay replay a/b-c_1.trace");
  EXPECT_EQ(shell_command({"it's", "a b", "$x", ""}), R"('it'\''s' 'a b' '$x' '')");
  EXPECT_EQ(shell_command({"~x"}), "'~x'");
}

}  // namespace
}  // namespace gainsay
