#include <fstream>
#include <set>

#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

// A small table of its own for these tests.
class Zoo : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    table_ = in_folder("small.json");
    std::ofstream(table_) << R"({"about": "Small", "measure": "bugs", "budget": {"runs": 200, "seeds": 3},
        "strategies": [{"strategy": "random"}, {"strategy": "dfs"}], "subjects": [{"scenario": "flush_race"}]})";
  }
  std::string table_;
};

TEST_F(Zoo, FindsEveryBugAndFlagsNoFixedForm) {
  const Said said = gainsay_with({"zoo", "--table", table_, "--json", "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const json rows = json::parse(said.out)["rows"];
  ASSERT_EQ(rows.size(), 6U);
  for (const json& row : rows) {
    EXPECT_EQ(row["system"], "flush_race");
    EXPECT_EQ(row["found"], !row["bug"].is_null()) << row;
    EXPECT_EQ(row["runs_to_first_bug"].is_null(), row["bug"].is_null()) << row;
    EXPECT_EQ(row["buggy_share"].get<double>() > 0, !row["bug"].is_null()) << row;
    EXPECT_GT(row["steps"], 0);
    EXPECT_GE(row["elapsed_s"], 0);
    EXPECT_EQ(row["complete"], row["strategy"] == "dfs");
    EXPECT_EQ(row["seeds"], row["strategy"] == "dfs" || row["bug"].is_null() ? 1 : 3);
    if (row["strategy"] == "random") {
      EXPECT_EQ(row["runs"], row["bug"].is_null() ? 600 : 200);
    }
  }
}

// A world that a search refuses is a row like others, not the end of the table.
TEST_F(Zoo, SaysWhatCannotBeSearched) {
  std::ofstream(table_) << R"({"about": "Small", "measure": "bugs", "budget": {"runs": 5, "seeds": 1},
      "strategies": [{"strategy": "sdpor"}], "subjects": [{"scenario": "zookeeper_election", "bug": "none"}]})";
  const Said said = gainsay_with({"zoo", "--table", table_, "--json", "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const json rows = json::parse(said.out)["rows"];
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["guarantee"], "cannot search this world");
  EXPECT_EQ(rows[0]["found"], false);
  std::ofstream(table_) << R"({"about": "Small", "measure": "bugs", "budget": {"runs": 5, "seeds": 1},
      "strategies": [{"strategy": "sdpor"}],
      "subjects": [{"scenario": "flush_race", "bug": "none", "options": {"no_such": "1"}}]})";
  EXPECT_EQ(gainsay_with({"zoo", "--table", table_, "--quiet"}).code, 2);
}

TEST_F(Zoo, GoesOnWhereItWasInterrupted) {
  const std::string kept = in_folder("kept.jsonl");
  gainsay_with({"zoo", "--table", table_, "--strategy", "random", "--resume", kept, "--quiet"});
  const std::string before = file_text(kept);
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'), 3);
  const Said said = gainsay_with({"zoo", "--table", table_, "--resume", kept, "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string after = file_text(kept);
  EXPECT_THAT(after, StartsWith(before));
  EXPECT_EQ(std::count(after.begin(), after.end(), '\n'), 6);
  // A row that was being written when the program was killed is measured again.
  fs::resize_file(kept, after.size() - 7);
  EXPECT_EQ(gainsay_with({"zoo", "--table", table_, "--resume", kept, "--quiet"}).code, 0);
  const std::string again = file_text(kept);
  EXPECT_EQ(std::count(again.begin(), again.end(), '\n'), 6);
  std::ofstream(kept) << "nonsense\n";
  EXPECT_EQ(gainsay_with({"zoo", "--table", table_, "--resume", kept, "--quiet"}).code, 2);
}

// Rows without what a clock or a machine says.
json without_times(const std::string& text) {
  json rows = json::parse(text)["rows"];
  for (json& row : rows) {
    for (const char* key : {"elapsed_s", "cpu_s", "time_to_first_bug_s_quartiles"}) row.erase(key);
  }
  return rows;
}

// Killed after its second row: the rows that were measured stay, the others are measured then, and the table is that of
// a zoo that nobody killed.
TEST_F(Zoo, GoesOnAfterAKill) {
  std::ofstream(table_) << R"({"about": "Small", "measure": "bugs", "budget": {"runs": 20000, "seeds": 5},
      "strategies": [{"strategy": "random"}, {"strategy": "pct"}, {"strategy": "pos"}],
      "subjects": [{"scenario": "flush_race"}, {"scenario": "two_phase_commit"}]})";
  const std::string kept = in_folder("kept.jsonl");
  const Words words = {"zoo", "--table", table_, "--json", "--quiet"};
  Words resumed = words;
  resumed.insert(resumed.end(), {"--resume", kept});
  const auto rows_in_file = [&] {
    const std::string text = fs::exists(kept) ? file_text(kept) : "";
    return std::count(text.begin(), text.end(), '\n');
  };
  killed_with(resumed, [&] { return rows_in_file() >= 2; });
  const std::string before = file_text(kept);
  EXPECT_LT(rows_in_file(), 15);
  const Said gone_on = gainsay_with(resumed);
  EXPECT_EQ(gone_on.code, 0) << gone_on.err;
  EXPECT_THAT(file_text(kept), StartsWith(before.substr(0, before.rfind('\n') + 1)));
  EXPECT_EQ(rows_in_file(), 15);
  const Said whole = gainsay_with(words);
  EXPECT_EQ(without_times(gone_on.out), without_times(whole.out));
}

TEST_F(Zoo, WritesDocuments) {
  const std::string document = in_folder("page.md");
  std::ofstream(document) << "# Page\n";
  const Said refused = gainsay_with({"zoo", "--table", table_, "--write", document, "--quiet"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("no section for table"));
  std::ofstream(document) << "# Page\n<!-- zoo " << table_ << " -->\n<!-- end zoo " << table_ << " -->\n";
  EXPECT_EQ(gainsay_with({"zoo", "--table", table_, "--write", document, "--quiet"}).code, 0);
  EXPECT_THAT(file_text(document), HasSubstr("| flush_race | overtake | `random` | 3 of 3"));
}

// One command for a whole document: the sections say which tables it has.
TEST_F(Zoo, MakesAllTablesOfADocument) {
  const std::string document = in_folder("page.md");
  const auto marks = [](const std::string& name) {
    return fmt::format("<!-- zoo {} -->\n<!-- end zoo {} -->\n", name, name);
  };
  std::ofstream(document) << marks("zookeeper") << marks("azure") << marks("azure plot")
                          << marks("zookeeper speed") << marks("azure negatives");
  const Said said = gainsay_with({"zoo", "--write", document, "--quick", "--strategy", "random", "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string page = file_text(document);
  EXPECT_THAT(page, HasSubstr("### One crash and one reboot"));
  EXPECT_THAT(page, HasSubstr("| *random walk, paper* | 6       | 6            | 20.9          | 36 "));
  EXPECT_THAT(page, HasSubstr("| One crash and one reboot | random walk | 0.14   | 36 "));
  EXPECT_THAT(page, HasSubstr("| ◇ InsertBehindMigrator               | `random`        | 2 of 2 |"));
  EXPECT_THAT(page, HasSubstr("![Runs to the first bug](results/azure.svg)"));
  EXPECT_THAT(file_text(in_folder("results/azure.svg")), HasSubstr("insert_behind_migrator"));
  EXPECT_THAT(page, HasSubstr("<!-- zoo azure negatives -->\n\n"));
  std::ofstream(document) << "# Page\n";
  EXPECT_THAT(gainsay_with({"zoo", "--write", document, "--quiet"}).err,
              HasSubstr("no section for any table"));
}

// A handful of runs of everything: each row has what its columns ask for.
TEST_F(Zoo, TablesOfPapersHaveTheirFigures) {
  const Said said = gainsay_with({"zoo", "--table", "psharp", "--table", "cassandra", "--table", "zookeeper",
                                  "--quick", "--json", "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const json documents = json::parse(said.out);
  ASSERT_EQ(documents.size(), 3U);
  std::set<std::string> systems;
  for (const json& document : documents) {
    EXPECT_TRUE(document["complete"]);
    for (const json& row : document["rows"]) {
      systems.insert(row["system"]);
      EXPECT_EQ(row["runs"], 50) << row;
      EXPECT_EQ(row["seeds"], 1);
      EXPECT_GT(row["steps_max"], 0);
      EXPECT_GT(row["enabled_max"], 1);
      EXPECT_LE(row["enabled_max_sum"], 50 * row["enabled_max"].get<std::uint64_t>());
      EXPECT_EQ(row["chains_mean"].is_null(), !row["strategy"].get<std::string>().starts_with("pctcp"))
          << row;
      if (!row["chains_mean"].is_null()) {
        EXPECT_LE(row["chains_mean"], row["chains_max"]);
      }
      // BoundedAsync is right, and yet wrong where messages overtake each other.
      if (row["system"] == "bounded_async" && row["bug"].is_null()) {
        EXPECT_EQ(row["buggy_share"].get<double>() > 0.5, row["options"]["order"] == "unordered") << row;
      }
      if (row["system"] == "two_phase_commit" || row["system"] == "multi_paxos") {
        EXPECT_TRUE(!row["bug"].is_null() || row["buggy_share"] == 0) << row;
      }
    }
  }
  EXPECT_EQ(systems.size(), 11U);
}

TEST_F(Zoo, FirstBugsAreTimedSeedBySeed) {
  std::ofstream(table_) << R"({"about": "Small", "measure": "first_bugs", "budget": {"runs": 200, "seeds": 3},
      "strategies": [{"strategy": "random"}], "subjects": [{"scenario": "flush_race", "bug": "overtake"}]})";
  const Said said = gainsay_with({"zoo", "--table", table_, "--json", "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const json row = json::parse(said.out)["rows"][0];
  EXPECT_EQ(row["found_by_seeds"], 3);
  EXPECT_EQ(row["buggy_runs"], 3);  // each hunt ends with its first
  EXPECT_LT(row["runs"], 600);
  EXPECT_TRUE(row["time_to_first_bug_s_quartiles"][1].is_number());  // 0 where the clock is coarse
  EXPECT_GT(row["steps_of_first_bug_quartiles"][0], 0);
}

TEST_F(Zoo, TheTableOfDs2HasThePapersNumbers) {
  const Said said = gainsay_with({"zoo", "--table", "ds2", "--system", "register_edr", "--strategy", "dfs",
                                  "--quick", "--json", "--quiet"});
  EXPECT_EQ(said.code, 0) << said.err;
  const json document = json::parse(said.out);
  bool seen = false;
  bool explored = false;
  for (const json& row : document["rows"]) {
    if (row["options"]["harness"] != "2r+1w") continue;
    if (row["strategy"] == "explore") {
      explored = true;
      EXPECT_GT(row["end_states"], 0);
      continue;
    }
    seen = true;
    EXPECT_EQ(row["runs"], 252);
    EXPECT_EQ(row["histories"]["unique"], 32);
    EXPECT_EQ(row["histories"]["wrong"], 12);
    EXPECT_EQ(row["histories"]["incomplete"], 0);
    EXPECT_TRUE(row["found"]);
    EXPECT_TRUE(row["complete"]);
  }
  EXPECT_TRUE(seen);
  EXPECT_TRUE(explored);
}

TEST_F(Zoo, SaysWhatItDoesNotHave) {
  EXPECT_THAT(gainsay_with({"zoo", "--table", "maim"}).err, HasSubstr("did you mean 'main'?"));
  EXPECT_THAT(gainsay_with({"zoo", "--table", table_, "--system", "paxos"}).err,
              HasSubstr("has nothing about 'paxos'"));
  EXPECT_THAT(gainsay_with({"zoo", "--table", table_, "--strategy", "pos"}).err,
              HasSubstr("does not use 'pos'"));
  EXPECT_THAT(gainsay_with({"zoo", "--table", table_, "--table", "main", "--plot", in_folder("p.svg")}).err,
              HasSubstr("--plot draws one table"));
}

}  // namespace
}  // namespace gainsay::cli_test
