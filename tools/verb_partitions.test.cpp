// Every number of chapters 3 and 4 of the thesis comes out of the verb.
#include <chrono>
#include <cmath>

#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

json numbers(Words words) {
  words.insert(words.begin(), "partitions");
  words.push_back("--json");
  const Said said = gainsay_with(words);
  EXPECT_EQ(said.code, 0) << said.err;
  return json::parse(said.out);
}

std::string refused(Words words) {
  words.insert(words.begin(), "partitions");
  const Said said = gainsay_with(words);
  EXPECT_EQ(said.code, 2) << said.out;
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  return said.err;
}

// Example 3.1: 60 of 2,250 amalgamated operations, 61 for 80 %; exactly 60.
TEST_F(CommandLine, PartitionsWithOperations) {
  const json said = numbers(
      {"--nodes", "5", "--drawn", "balanced", "--operations", "15:2", "--targets", "6", "--epsilon", "0.2"});
  EXPECT_EQ(said["amalgamated"]["wanted"], "60");
  EXPECT_EQ(said["amalgamated"]["of"], "2250");
  EXPECT_EQ(said["theorem"]["needed"], 61);
  EXPECT_EQ(said["exact"], 60);
}

// Example 4.1: 4 partitions, 2 more for 80 %, 3 by construction.
TEST_F(CommandLine, PartitionsThatSplit) {
  const json said =
      numbers({"--nodes", "5", "--split", "2", "--epsilon", "0.2", "--deterministic", "--verify"});
  EXPECT_EQ(said["corollary"]["place"], "Corollary 4.4");
  EXPECT_EQ(said["corollary"]["exists"], 4);
  EXPECT_EQ(said["corollary"]["needed"], 4 + 2);
  EXPECT_EQ(said["deterministic"]["size"], 3);
  EXPECT_EQ(said["deterministic"]["least"], true);
  EXPECT_EQ(said["verified"]["met"], 10);
  EXPECT_DOUBLE_EQ(said["chance"], 8.0 / 15);
}

// Example 4.2: 45 by the corollary, 15 by the theorem, then 30 and 50 rounds of two phases.
TEST_F(CommandLine, PartitionsThatSeparate) {
  const json separate = numbers({"--nodes", "4", "--separate", "2,2", "--deterministic"});
  EXPECT_EQ(separate["corollary"]["exists"], 45);
  EXPECT_EQ(separate["theorem"]["exists"], 15);
  EXPECT_DOUBLE_EQ(separate["chance"], 1.0 / 7);  // the thesis takes the bound 1/8
  EXPECT_EQ(separate["goals_of_thesis"], "6");
  EXPECT_EQ(separate["goals"], "3");
  const json story = numbers({"--nodes", "4", "--sequence", "zk a | * ; a | *", "--epsilon", "0.2"});
  EXPECT_NEAR(story["chance"], 1.0 / 12, 1e-15);
  EXPECT_EQ(story["theorem"]["exists"], 30);
  EXPECT_EQ(story["theorem"]["needed"], 50);
}

// Example 4.3: 86 % after 9; about 150 rounds with operations exist, 302 for 80 %.
TEST_F(CommandLine, PartitionsThatIsolate) {
  const json nine = numbers({"--nodes", "5", "--isolate-minority", "--drawn", "balanced", "--rounds", "9"});
  EXPECT_EQ(nine["corollary"]["place"], "Corollary 4.11");
  EXPECT_NEAR(nine["after"]["theorem"], 0.86, 0.005);
  EXPECT_GT(nine["after"]["exact"], nine["after"]["theorem"]);
  const json operations = numbers({"--nodes", "5", "--isolate-minority", "--drawn", "balanced",
                                   "--operations", "15:2", "--targets", "6", "--epsilon", "0.2"});
  EXPECT_NEAR(operations["per_round"], 4.0 / 375, 1e-15);
  EXPECT_EQ(operations["theorem"]["exists"], 151);  // 150.9
  EXPECT_EQ(operations["theorem"]["needed"], 302);
  for (const auto& [nodes, drawn, place, factor] :
       std::vector<std::tuple<int, std::string, std::string, double>>{
           {7, "uniform", "Corollary 4.10", 3},
           {8, "uniform", "Corollary 4.13", 7},
           {8, "semibalanced", "Corollary 4.14", 2 * (1 + 2.0 / 6)}}) {
    const json said = numbers({"--nodes", std::to_string(nodes), "--isolate-minority", "--drawn", drawn});
    EXPECT_EQ(said["corollary"]["place"], place);
    EXPECT_EQ(said["corollary"]["exists"], std::ceil(factor * std::log(nodes)));
  }
  // 2-partitions of an even number into equal halves isolate nobody.
  const json never = numbers({"--nodes", "4", "--isolate-minority", "--drawn", "balanced"});
  EXPECT_EQ(never["per_round"], 0);
}

TEST_F(CommandLine, PartitionsOfAThousandNodesTakeNoTime) {
  const auto begin = std::chrono::steady_clock::now();
  const json said = numbers({"--nodes", "1000", "--split", "3", "--epsilon", "0.01"});
  EXPECT_EQ(said["corollary"]["exists"], 94);   // 13.5 log 1000 = 93.3
  EXPECT_EQ(said["corollary"]["needed"], 114);  // and 4.5 log 100 = 20.7 more
  EXPECT_EQ(said["family"].size(), said["union_bound"]);
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::seconds(5));  // 0.1 s where nothing else runs
}

TEST_F(CommandLine, PartitionsWithRolesAndWhatWasRun) {
  const json roles =
      numbers({"--nodes", "m1,m2,s1,s2,s3", "--role", "leader=m1,m2", "--role", "storage=s1,s2,s3",
               "--separate", "leader:1,storage:2", "--deterministic", "--verify"});
  EXPECT_EQ(roles["goals"], "6");
  EXPECT_EQ(roles["verified"]["all"], true);
  const json ran = numbers({"--nodes", "4", "--split", "2", "--ran", "1 2 | 3 4; 1 3 | 2 4"});
  EXPECT_EQ(ran["ran"]["met"], 6);
  EXPECT_EQ(numbers({"--nodes", "4", "--split", "2", "--ran", "1 2 | 3 4"})["ran"]["missed"], "1 | 2");
  const json bridge = numbers({"--nodes", "5", "--bridge", "1,1,1", "--deterministic", "--verify"});
  EXPECT_EQ(bridge["verified"]["all"], true);
}

TEST_F(CommandLine, PartitionsDrawsAFamily) {
  const Said said = gainsay_with({"partitions", "--nodes", "a,b,c", "--split", "2", "--deterministic"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("        a b c\n     1  # . #\n     2  # # .\n"));
}

TEST_F(CommandLine, PartitionsRefusesInOneLine) {
  EXPECT_THAT(refused({"--nodes", "3", "--split", "4"}),
              HasSubstr("4-splitting needs at least 4 nodes, and there are 3"));
  EXPECT_THAT(refused({"--nodes", "a,b,c", "--role", "x=a,b", "--role", "y=b,c", "--separate", "x:1,y:1"}),
              HasSubstr("the roles x and y overlap: both have b"));
  EXPECT_THAT(refused({"--nodes", "a,b,c", "--role", "x=a,d", "--separate", "x:1,x:1"}),
              HasSubstr("names 'd', which is not a node"));
  EXPECT_THAT(refused({"--nodes", "a,b,c", "--split", "2", "--ran", "a b | z"}), HasSubstr("names 'z'"));
  EXPECT_THAT(refused({"--nodes", "4", "--split", "2", "--ran", "1 2 | 3"}),
              HasSubstr("does not say where 4 is"));
  EXPECT_THAT(refused({"--nodes", "4", "--split", "2", "--ran", "1 2 | 2 3 4"}),
              HasSubstr("2 is in two blocks"));
  EXPECT_THAT(refused({"--nodes", "a,b,a", "--split", "2"}), HasSubstr("'a' is listed twice"));
  EXPECT_THAT(refused({"--nodes", "5"}), HasSubstr("partitions needs one of --split K"));
  EXPECT_THAT(refused({"--split", "2"}), HasSubstr("needs --nodes"));
  EXPECT_THAT(refused({"--nodes", "5000", "--split", "2"}), HasSubstr("2 to 1,000"));
  EXPECT_THAT(refused({"--nodes", "5", "--separate", "2"}), HasSubstr("expected K,L"));
  EXPECT_THAT(refused({"--nodes", "5", "--separate", "4,4"}), HasSubstr("needs at least 8 nodes"));
  EXPECT_THAT(refused({"--nodes", "5", "--split", "2", "--isolate-minority"}),
              HasSubstr("partitions takes one of"));
  EXPECT_THAT(refused({"--nodes", "5", "--operations", "15"}), HasSubstr("expected M:LENGTH"));
  EXPECT_THAT(refused({"--nodes", "5", "--operations", "2:1", "--targets", "3"}),
              HasSubstr("there are only 2"));
  EXPECT_THAT(refused({"--nodes", "4", "--sequence", "a | a"}), HasSubstr("two blocks of one phase"));
  EXPECT_THAT(refused({"--nodes", "5", "--isolate-minority", "--drawn", "semibalanced"}),
              HasSubstr("even number"));
}

}  // namespace
}  // namespace gainsay::cli_test
