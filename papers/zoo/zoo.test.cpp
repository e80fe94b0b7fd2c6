// Tables of the zoo: reading them, and what is printed of them. Measuring is tested in verb_zoo.test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "papers/zoo/beside.hpp"
#include "papers/zoo/columns.hpp"
#include "papers/zoo/plot.hpp"
#include "papers/zoo/print.hpp"
#include "papers/zoo/row.hpp"
#include "papers/zoo/table.hpp"

namespace gainsay::tools::zoo {
namespace {

using testing::HasSubstr;

Table parsed(const std::string& text) { return parse_table("mine", text, "mine.json", false); }

void expect_complaint(const std::string& text, const std::string& complaint) {
  try {
    parsed(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr(complaint)) << text;
  }
}

TEST(ZooTable, SaysWhatIsWrongAndWhere) {
  expect_complaint("", "mine.json:1: not JSON");
  expect_complaint("{\n\n  oops", "mine.json:3: not JSON");
  expect_complaint("[]", "mine.json: expected an object in braces");
  expect_complaint(R"({"mesure": "bugs"})", "unknown field 'mesure', did you mean 'measure'?");
  expect_complaint(R"({"measure": "luck"})",
                   "measure: expected \"bugs\", \"first_bugs\", \"shares\" or \"histories\"");
  expect_complaint(R"({"measure": "bugs", "columns": ["strategy", "bugy"]})",
                   "columns: unknown column 'bugy', did you mean 'bug'?");
  expect_complaint(R"({"measure": "bugs", "columns": []})", "a table needs at least one column");
  expect_complaint(R"({"measure": "bugs"})", "needs at least one of \"strategies\"");
  expect_complaint(R"({"measure": "bugs", "budget": {"runs": 0}})",
                   "budget.runs: expected a whole number, at least 1");
  expect_complaint(R"({"measure": "bugs", "budget": {"time": "soon"}})", "budget.time: expected a duration");
  expect_complaint(R"({"measure": "bugs", "strategies": [{"strategy": "randm"}]})", "did you mean 'random'?");
  expect_complaint(R"({"measure": "bugs", "strategies": [{"strategy": "randm"}]})",
                   "mine.json: strategies[0]: ");
  expect_complaint(R"({"measure": "bugs", "strategies": [{"strategy": "random", "options": {"over": "x"}}]})",
                   "over");
  expect_complaint(R"({"measure": "bugs", "strategies": [{"strategy": "random"}], "subjects": [{}]})",
                   "subjects[0]: a subject needs a \"scenario\"");
  expect_complaint(
      R"({"measure": "bugs", "strategies": [{"strategy": "random"}], "subjects": [{"scenario": "flush_rac"}]})",
      "did you mean 'flush_race'?");
}

TEST(ZooTable, ASubjectWithoutABugStandsForTheOthers) {
  const Table table = parsed(R"({"measure": "bugs", "strategies": [{"strategy": "random"}], "subjects": [
      {"scenario": "flush_race"}, {"scenario": "flush_race", "bug": "sandwich", "budget": {"runs": 7}}]})");
  ASSERT_EQ(table.subjects.size(), 3U);
  EXPECT_EQ(table.subjects[0].bug, "sandwich");
  EXPECT_EQ(table.subjects[0].budget.runs, 7U);
  EXPECT_EQ(table.subjects[1].bug, "none");
  EXPECT_EQ(table.subjects[2].bug, "overtake");
}

TEST(ZooTable, BudgetsAreLaidOverEachOther) {
  const Table table = parsed(R"({"measure": "bugs", "budget": {"runs": 100, "time": "2s", "seeds": 5},
      "quick": {"runs": 10, "seeds": 9},
      "strategies": [{"strategy": "random"}, {"strategy": "pos", "budget": {"runs": 3}}],
      "subjects": [{"scenario": "flush_race", "bug": "none", "budget": {"runs": 50, "steps": 20}}]})");
  const Subject& subject = table.subjects[0];
  EXPECT_EQ(table.budget_of(subject, table.strategies[0], false).text(), "50 runs, 2s, 5 seeds, 20 steps");
  EXPECT_EQ(table.budget_of(subject, table.strategies[1], false).text(), "3 runs, 2s, 5 seeds, 20 steps");
  EXPECT_EQ(table.budget_of(subject, table.strategies[0], true).text(), "10 runs, 2s, 5 seeds, 20 steps");
  EXPECT_EQ(table.budget_of(subject, table.strategies[1], true).text(), "3 runs, 2s, 5 seeds, 20 steps");
}

TEST(ZooTable, TheOnesThatAreBuiltInAreGood) {
  for (const std::string& name : table_names()) {
    const Table table = find_table(name);
    EXPECT_FALSE(table.subjects.empty()) << name;
    EXPECT_FALSE(table.about.empty()) << name;
  }
  EXPECT_THROW(find_table("no_such_table"), UserError);
}

TEST(ZooRow, QuartilesCountWhatIsMissingAsLarger) {
  const Quartiles all = quartiles({5, 1, 3, 2, 4});
  EXPECT_EQ(all.lower, 2);
  EXPECT_EQ(all.median, 3);
  EXPECT_EQ(all.upper, 4);
  const Quartiles even = quartiles({1, 2, 3, 4});
  EXPECT_EQ(even.median, 2.5);
  const Quartiles some = quartiles({std::nullopt, 7, 1, std::nullopt, 3});
  EXPECT_EQ(some.lower, 3);
  EXPECT_EQ(some.median, 7);
  EXPECT_EQ(some.upper, std::nullopt);
  EXPECT_EQ(quartiles({}).median, std::nullopt);
  EXPECT_EQ(quartiles({std::nullopt}).median, std::nullopt);
}

Row example() {
  Row row;
  row.key = "a | b";
  row.measured = "2026-01-01: a machine, commit abc, Release build";
  row.subject = "A2: x";
  row.system = "register_dr";
  row.bug = "none";
  row.options = {{"harness", "2r+1w"}};
  row.strategy = "dfs";
  row.paper = "EX";
  row.seeds = 1;
  row.runs = 4'200;
  row.steps = 42'000;
  row.complete = true;
  row.guarantee = "complete";
  row.histories = HistoryFigures{.incomplete = 1'929, .unique = 170, .search_s = 0.25, .stateless_s = 0.5};
  return row;
}

TEST(ZooRow, CanBeReadBack) {
  Row row = example();
  row.runs_to_first_bug = quartiles({3});
  row.time_to_first_bug_s = quartiles({0.5, 1.5});
  row.steps_of_first_bug = quartiles({std::nullopt});
  row.steps_max = 17;
  row.enabled_max = 6;
  row.enabled_max_sum = 600;
  row.chains_mean = 4.5;
  row.states = StateFigures{7, 8, 9};
  const Row back = parse_row(row_line(row), "here");
  EXPECT_EQ(row_line(back), row_line(row));
  EXPECT_EQ(back.key, "a | b");
  EXPECT_EQ(back.histories->stateless_s, 0.5);
  EXPECT_EQ(back.states->end_states, 9U);
  EXPECT_EQ(back.runs_to_first_bug.upper, 3);
  EXPECT_EQ(back.time_to_first_bug_s.median, 1);
  EXPECT_EQ(back.steps_of_first_bug.median, std::nullopt);
  EXPECT_EQ(back.chains_mean, 4.5);
  EXPECT_EQ(back.chains_max, std::nullopt);
  EXPECT_THROW(parse_row("{}", "here"), UserError);
}

// What was kept from another day stays of that day, whoever puts it into the document.
TEST(ZooPrint, SaysOfEachRowWhereItWasMeasured) {
  Row other = example();
  other.measured = "2026-01-02: another, commit def, Debug build";
  EXPECT_EQ(measured_text({example(), other, example()}),
            "Measured on 2026-01-01: a machine, commit abc, Release build (2 of 3 rows), and on 2026-01-02: "
            "another, "
            "commit def, Debug build (1 of 3 rows).");
  EXPECT_EQ(parse_row(row_line(other), "here").measured, other.measured);
}

TEST(ZooPrint, PutsThePapersFiguresBesideOurs) {
  Table table;
  table.name = "ds2";
  table.about = "What the paper has";
  table.measure = Table::Measure::histories;
  table.subjects.push_back({.title = "A2: x",
                            .scenario = "register_dr",
                            .bug = "none",
                            .options = {{"harness", "2r+1w"}},
                            .paper = {{"EX", {{"S", "4,200"}, {"UH", "37"}, {"NL", "0"}, {"TS", "0:06"}}}}});
  const std::string text =
      table_text(table, {"ds2", "a machine", "abc", "2026-01-01", "9 runs"}, {example()});
  EXPECT_THAT(
      text,
      HasSubstr("Measured on 2026-01-01: a machine, commit abc, Release build. Budget of a cell: 9 runs."));
  EXPECT_THAT(text, HasSubstr("### A2: x"));
  EXPECT_THAT(text, HasSubstr("| `dfs`       | 4,200 | 1,929 | 170 | 0"));
  EXPECT_THAT(text, HasSubstr("| *EX, paper* | 4,200 | -     | 37  | 0"));
  EXPECT_THAT(text, HasSubstr("250 ms"));
}

// A paper that found the bug of "sent" with its walk in 2 of 100 runs, and nothing with "ranks".
Table with_paper() {
  return parsed(R"({"about": "Shares", "measure": "shares",
      "columns": ["bug", "strategy", "buggy %", "runs", "most steps", "runs/s", "times theirs"],
      "strategies": [{"strategy": "random", "paper": "walk"}, {"strategy": "pct", "paper": "ranks"}],
      "subjects": [{"title": "Race", "scenario": "flush_race", "bug": "overtake", "paper": {
          "walk": {"buggy %": "2.00", "runs": 1000, "time": "1,000 s", "most steps": 10},
          "ranks": {"buggy %": "0.00", "runs": 1000, "time": "0.5 m"}}},
        {"title": "Race", "scenario": "flush_race", "bug": "sandwich"}]})");
}

Row share(const std::string& bug, const std::string& strategy, const std::string& paper,
          std::uint64_t buggy) {
  Row row;
  row.subject = "Race";
  row.system = "flush_race";
  row.bug = bug;
  row.strategy = strategy;
  row.paper = paper;
  row.seeds = 1;
  row.runs = 10'000;
  row.buggy_runs = buggy;
  row.found = buggy > 0;
  row.steps = 50'000;
  row.steps_max = 7;
  row.elapsed_s = 3;
  row.cpu_s = 2;
  return row;
}

const std::vector<Row> shares = {share("overtake", "random", "walk", 1'250),
                                 share("overtake", "pct", "ranks", 3),
                                 share("sandwich", "random", "walk", 0)};

TEST(ZooPrint, ColumnsOfATableHoldOursAndThePapers) {
  const std::string text = table_text(with_paper(), {"shares", "a machine", "abc", "2026-01-01", ""}, shares);
  EXPECT_THAT(
      text,
      HasSubstr("### Race\n\n"
                "| bug      | strategy       | buggy % | runs   | most steps | runs/s | times theirs |\n"
                "|----------|----------------|---------|--------|------------|--------|--------------|\n"
                "| overtake | `random`       | 12.50   | 10,000 | 7          | 5,000  | 5,000        |\n"
                "|          | *walk, paper*  | 2.00    | 1,000  | 10         | 1.00   |              |\n"
                "| overtake | `pct`          | 0.03    | 10,000 | 7          | 5,000  | 150          |\n"
                "|          | *ranks, paper* | 0.00    | 1,000  |            | 33.3   |              |\n"
                "| sandwich | `random`       | 0.00    | 10,000 | 7          | 5,000  |              |\n"));
  EXPECT_EQ(text.find("### Race"), text.rfind("### Race"));  // one section for one title
}

TEST(ZooBeside, TellsWhereOnlyOneFoundTheBug) {
  const Table table = with_paper();
  EXPECT_THAT(
      disagreements_text(table, shares),
      HasSubstr("| ours     | Race    | overtake | `pct`, *ranks* | 3 of 10,000 runs | 0.00 % of 1,000 "
                "runs |\n"));
  EXPECT_EQ(disagreements_text(table, shares).find("walk"), std::string::npos);
  const std::string missed = disagreements_text(table, {share("overtake", "random", "walk", 0)});
  EXPECT_THAT(missed, HasSubstr("| the paper | Race    | overtake | `random`, *walk* | 0 of 10,000 runs"));
  EXPECT_EQ(disagreements_text(table, {shares[0], shares[2]}), "");
}

// The paper's fastest is "ranks": 1,000 runs in 30 s. Ours: 5,000 runs of 5 steps in a second. By steps the paper gets
// its longest execution for every run: 25,000 / (33.3 * 10) = 75.
TEST(ZooBeside, ComparesSpeedWithThePapersFastest) {
  EXPECT_THAT(
      speed_text(with_paper(), shares),
      HasSubstr("| Race    | ranks | 33.3   | 10            | `pct` |         | 5,000  | 5.0           | 7 "
                "         | 150            | 75.0            |\n"));
  EXPECT_EQ(speed_text(with_paper(), {shares[2]}), "");
}

TEST(ZooColumns, ReadWhatPapersSay) {
  EXPECT_EQ(they_found({{"found", "yes"}}), true);
  EXPECT_EQ(they_found({{"found", "no"}}), false);
  EXPECT_EQ(they_found({{"buggy", "40 + 1"}}), true);
  EXPECT_EQ(they_found({{"NL", "0"}}), false);
  EXPECT_EQ(they_found({{"time", "1 s"}}), std::nullopt);
  EXPECT_DOUBLE_EQ(*their_runs_per_s({{"runs", "1,000"}, {"time", "2,000 s"}}), 0.5);
  EXPECT_EQ(their_runs_per_s({{"runs", "1,000"}}), std::nullopt);
  EXPECT_EQ(their_runs_per_s({{"runs", "1,000"}, {"time", "soon"}}), std::nullopt);
  EXPECT_EQ(rate_text(0.123), "0.12");
  EXPECT_EQ(rate_text(99.94), "99.9");
  EXPECT_EQ(rate_text(99.96), "100");
  EXPECT_EQ(rate_text(12'345.6), "12,346");
}

// Whoever adds a figure with a name that no column has would never see it.
TEST(ZooTable, FiguresOfPapersHaveAColumnAndAStrategy) {
  for (const std::string& name : table_names()) {
    const Table table = find_table(name);
    for (const Subject& subject : table.subjects) {
      for (const auto& [label, figures] : subject.paper) {
        const bool used =
            std::any_of(table.strategies.begin(), table.strategies.end(),
                        [&, &label = label](const StrategyPlan& s) { return s.paper == label; });
        EXPECT_TRUE(used) << name << " " << label;
        if (table.measure == Table::Measure::histories) continue;
        for (const auto& [column, text] : figures) {
          EXPECT_NE(std::find(table.columns.begin(), table.columns.end(), column), table.columns.end())
              << name << " " << subject.title << " " << column;
        }
      }
    }
  }
}

TEST(ZooPlot, DrawsMediansQuartilesAndWhatWasNotFound) {
  Row found = example();
  found.bug = "b<1>";
  found.strategy = "random";
  found.histories.reset();
  found.runs_to_first_bug = quartiles({10, 100, 1'000});
  Row missed = found;
  missed.strategy = "pct depth=3";
  missed.runs_to_first_bug = {};
  const std::string svg = first_bugs_svg("Title & more", {found, missed, example()});
  EXPECT_THAT(svg, HasSubstr("Title &amp; more"));
  EXPECT_THAT(svg, HasSubstr("register_dr b&lt;1&gt;"));
  EXPECT_THAT(svg, HasSubstr(">1000</text>"));
  EXPECT_THAT(svg, HasSubstr("fill=\"white\"><title>pct depth=3: 0 of 1 seeds</title>"));
  EXPECT_EQ(svg.find("register_dr none"), std::string::npos);  // fixed forms are not drawn
}

TEST(ZooPrint, SectionsAreReplaced) {
  const std::string document = "a\n<!-- zoo x -->\nold\n<!-- end zoo x -->\nb\n";
  EXPECT_EQ(with_section(document, "x", "new\n", "f"), "a\n<!-- zoo x -->\n\nnew\n\n<!-- end zoo x -->\nb\n");
  EXPECT_THROW(with_section(document, "y", "new", "f"), UserError);
}

}  // namespace
}  // namespace gainsay::tools::zoo
