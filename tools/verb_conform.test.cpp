#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

// Small enough to be made on the spot: A alone, then A, C, D.
const Words model_words{"--model-option", "members=a_acd", "--model-option", "witness=c",
                        "--model-option", "old_views=0",   "--model-option", "new_views=0"};

class ConformVerb : public CommandLine {
 protected:
  Said conform(Words words, const std::string& source = "viewstamped_replication") {
    Words all{"conform", source,  "--against",   "viewstamped_replication_code",
              "--quiet", "--out", path("traces")};
    if (source == "viewstamped_replication") all.insert(all.end(), model_words.begin(), model_words.end());
    all.insert(all.end(), words.begin(), words.end());
    return gainsay_with(all);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
};

TEST_F(ConformVerb, SaysThatTheImplementationConforms) {
  for (const char* way : {"walk", "tree", "local", "auto"}) {
    const Said said = conform({"--way", way});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(
        said.out,
        StartsWith("viewstamped_replication_code does what its model viewstamped_replication does, on all "
                   "3,033 edges\n"));
  }
  const Said walked = conform({"--option", "wrapped=opaque", "--jobs", "2"});
  EXPECT_EQ(walked.code, 0);
  EXPECT_THAT(walked.out, HasSubstr("way          walk\n"));
}

TEST_F(ConformVerb, ShowsADifferenceThatCanBeExecutedAgain) {
  const Said said = conform({"--option", "bug=old_majority", "--json"});
  EXPECT_EQ(said.code, 1);
  const json document = json::parse(said.out);
  ASSERT_EQ(document["differences"].size(), 1U);
  const json& difference = document["differences"][0];
  EXPECT_EQ(difference["kind"], "state");
  EXPECT_EQ(difference["actor"], "A");
  EXPECT_EQ(difference["field"], "commit");
  EXPECT_EQ(difference["steps"], 4);
  const std::string numbers = difference["path"];
  EXPECT_EQ(conform({"--option", "bug=old_majority", "--path", numbers}).code, 1);
  const Said fixed = conform({"--path", numbers});
  EXPECT_EQ(fixed.code, 3);  // one path is not everything
  EXPECT_THAT(fixed.out, HasSubstr("one path only"));

  const Said replayed = gainsay_with({"replay", difference["trace_file"]});
  EXPECT_EQ(replayed.code, 1) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("A.commit is 4, but 2 in the model"));
}

TEST_F(ConformVerb, TakesGraphsAndSuites) {
  const std::string graph = path("vsr.graph");
  const std::string suite = path("vsr.suite");
  Words make{"graph", "viewstamped_replication", "--quiet", "--out", graph};
  for (std::size_t i = 1; i < model_words.size(); i += 2) {
    make.emplace_back("--option");
    make.push_back(model_words[i]);
  }
  ASSERT_EQ(gainsay_with(make).code, 0);
  ASSERT_EQ(gainsay_with({"cover", graph, "--quiet", "--out", suite}).code, 0);
  EXPECT_THAT(conform({}, graph).out, HasSubstr("way          local\n"));
  const Said walked = conform({}, suite);
  EXPECT_EQ(walked.code, 0) << walked.err;
  EXPECT_THAT(walked.out, HasSubstr("way          walk\n"));
  EXPECT_EQ(conform({"--option", "bug=early_ack"}, suite).code, 1);
}

TEST_F(ConformVerb, ComplainsInOneLine) {
  const auto complaint = [](const Said& said) {
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    return said.err;
  };
  EXPECT_THAT(complaint(gainsay_with({"conform", "paxos"})), HasSubstr("--against SCENARIO"));
  EXPECT_THAT(complaint(gainsay_with(
                  {"conform", "flush_race", "--against", "viewstamped_replication_code", "--quiet"})),
              HasSubstr("the graph is for scenario 'flush_race', whose actor"));
  EXPECT_THAT(complaint(conform({"--option", "wrapped=opaque", "--way", "tree"})), HasSubstr("--way walk"));
  EXPECT_THAT(complaint(conform({"--path", "0:99999"})), HasSubstr("is not a path in this graph"));
  EXPECT_THAT(complaint(conform({"--path", "x"})), HasSubstr("expected START:EDGE"));
}

TEST_F(ConformVerb, WalksAtRandomWhereAGraphIsTooLarge) {
  const Said said =
      gainsay_with({"conform", "viewstamped_replication", "--against", "viewstamped_replication_code",
                    "--walks", "200", "--option", "bug=keep_differing", "--quiet", "--out", path("traces")});
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_THAT(said.out, HasSubstr(" in the model"));
  const Said fixed =
      gainsay_with({"conform", "viewstamped_replication", "--against", "viewstamped_replication_code",
                    "--walks", "50", "--quiet", "--out", path("traces")});
  EXPECT_EQ(fixed.code, 3);
  EXPECT_THAT(fixed.out, HasSubstr("(random walks)"));
}

}  // namespace
}  // namespace gainsay::cli_test
