#include <cmath>

#include "tools/cli_test.hpp"

namespace gainsay::cli_test {
namespace {

json answer(Words words) {
  words.insert(words.begin(), "bound");
  words.push_back("--json");
  const Said said = gainsay_with(words);
  EXPECT_EQ(said.code, 0) << said.err;
  return json::parse(said.out);
}

std::string complaint(Words words) {
  words.insert(words.begin(), "bound");
  const Said said = gainsay_with(words);
  EXPECT_EQ(said.code, 2) << said.out;
  EXPECT_EQ(said.out, "");
  return said.err;
}

TEST_F(CommandLine, BoundOfPctcp) {
  const Said said = gainsay_with({"bound", "--n", "5", "--chains", "2", "--d", "2", "--runs", "100"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out,
              StartsWith("pctcp, depth 2, n = 5 events, 2 chains: a run shows such a bug with probability at "
                         "least 1/10\n"));
  EXPECT_THAT(said.out, HasSubstr("runs needed: 29 for 95 %, 44 for 99 %"));
  EXPECT_THAT(said.out, HasSubstr("after 100 clean runs: confidence 99.9973 %"));
  EXPECT_THAT(said.out, HasSubstr("if no execution has more events or more chains"));
  const json wide = answer({"--n", "20", "--w", "3", "--d", "3", "--confidence", "50%"});
  EXPECT_EQ(wide["chains"], 6);
  EXPECT_DOUBLE_EQ(wide["per_run"], 1.0 / 2400);
  EXPECT_EQ(wide["schedule_indices"], 6.0 * 20 * 19);
  EXPECT_EQ(wide["runs_for"][2]["confidence"], 0.5);
  EXPECT_EQ(wide["runs_for"][2]["runs"], 1664);  // log 2 / -log(1 - 1/2400) = 1663.2
}

TEST_F(CommandLine, BoundOfPctAndHitting) {
  EXPECT_DOUBLE_EQ(answer({"--strategy", "pct", "--n", "10", "--threads", "3", "--d", "2"})["per_run"],
                   1.0 / 30);
  const json hitting = answer({"--strategy", "hitting", "--n", "10", "--d", "3"});
  EXPECT_EQ(hitting["family_size"], 90.0);
}

TEST_F(CommandLine, BoundOfTestsAndSequences) {
  const json tests = answer({"--p", "1/4", "--goals", "20", "--runs", "30"});
  EXPECT_EQ(tests["runs_for"][0]["runs"], 21);  // log(20 / 0.05) / log(4/3) = 20.8
  EXPECT_EQ(tests["exists"], 12);               // 4 log 20 = 11.98
  EXPECT_NEAR(tests["confidence"], 1 - 20 * std::pow(0.75, 30), 1e-9);
  EXPECT_EQ(
      answer({"--length", "1", "--operations", "2250", "--targets", "60", "--confidence", "0.8"})["needed"],
      61);
}

TEST_F(CommandLine, BoundByTheLocalLemma) {
  const json tests = answer({"--p", "1/6", "--goals", "1000", "--degree", "20"});
  EXPECT_EQ(tests["exists_by_local_lemma"], 23);  // (1 + log 21) / log(6/5) = 22.2
  EXPECT_EQ(tests["exists"], 42);                 // 6 log 1000 = 41.4
}

TEST_F(CommandLine, BoundSaysHowSmallAFamilyCanBe) {
  const json beside = answer({"--shape", "beside:9", "--d", "3"});
  EXPECT_EQ(beside["at_least"][0]["schedules"], 10);
  EXPECT_EQ(beside["schedules"], 10);
  EXPECT_THAT(
      gainsay_with({"bound", "--shape", "beside:9", "--d", "3"}).out,
      HasSubstr(
          "at least 10: it has a chain of 9 beside an element (Proposition 5.3); so no family is smaller"));
  const json standard = answer({"--shape", "standard:5", "--d", "2", "--verify"});
  EXPECT_EQ(standard["schedules"], 5);
  EXPECT_EQ(standard["at_least"][0]["schedules"], 5);
  EXPECT_EQ(answer({"--shape", "antichain:66", "--d", "3"})["at_least"][0]["schedules"],
            7);  // log2 65 = 6.02
}

TEST_F(CommandLine, BoundBuildsWhatIsAskedFor) {
  for (const char* word : {"tree-layers", "dimension-two", "general"}) {
    const json tree = answer({"--shape", "binary:3", "--d", "3", "--verify", "--construction", word});
    EXPECT_EQ(tree["verified"], true) << word;
  }
  EXPECT_EQ(answer({"--shape", "standard:4", "--d", "2", "--construction", "general"})["schedules_at_most"],
            8);
  EXPECT_THAT(complaint({"--shape", "binary:3", "--d", "3", "--construction", "standard"}),
              HasSubstr("construction 'standard' is not for this order with d = 3; there are: tree-layers"));
}

TEST_F(CommandLine, BoundOfStrongFamilies) {
  const json strong = answer({"--order", "a<b, a<c<d, e", "--d", "2", "--strong", "--verify"});
  EXPECT_EQ(strong["verified"], true);
  EXPECT_LE(strong["schedules"], strong["schedules_at_most"]);
}

TEST_F(CommandLine, BoundOfOrders) {
  const json fork = answer({"--order", "a<b, a<c<d", "--d", "3", "--verify", "--least", "--list"});
  EXPECT_EQ(fork["verified"], true);
  EXPECT_EQ(fork["order"]["kind"], "a tree");
  EXPECT_EQ(fork["order"]["width"], 2);
  EXPECT_EQ(fork["least"], 3);
  EXPECT_EQ(fork["family"].size(), fork["schedules"]);
  EXPECT_EQ(fork["family"][0][0], "a");
  const json diamond = answer({"--sp", "a . (b | c) . d", "--d", "2", "--verify"});
  EXPECT_EQ(diamond["schedules"], 2);
  EXPECT_EQ(diamond["order"]["series_parallel"], true);
  const json tree = answer({"--tree", "a(b(c d) e(f g))", "--d", "3", "--verify"});
  EXPECT_LE(tree["schedules"], 12);
  EXPECT_EQ(tree["verified"], true);
  EXPECT_EQ(answer({"--shape", "standard:3", "--d", "2", "--verify"})["verified"], true);
  EXPECT_EQ(answer({"--shape", "binary:4", "--d", "3", "--verify"})["schedules_at_most"], 16.0);
  EXPECT_EQ(answer({"--shape", "beside:9", "--d", "5"})["schedules"], 10);
  const Said zigzag = gainsay_with({"bound", "--order", "a<b, c<b, c<d", "--d", "2"});
  EXPECT_THAT(zigzag.out, StartsWith("an order of dimension two of 4 elements, height 2, width 2\n"
                                     "  not series-parallel: it has the zig-zag a < b > c < d\n"
                                     "2-hitting family: 2 schedules"));
  const Said sampled = gainsay_with({"bound", "--shape", "antichain:30", "--d", "4"});
  EXPECT_THAT(sampled.out, HasSubstr("the local lemma says that "));
}

TEST_F(CommandLine, BoundSaysWhatIsWrong) {
  EXPECT_THAT(complaint({"--n", "5", "--w", "2", "--d", "0"}),
              HasSubstr("--d '0': expected a whole number from 1 to 64"));
  EXPECT_THAT(complaint({"--n", "1", "--w", "2", "--d", "4"}), HasSubstr("needs 3 distinct change points"));
  EXPECT_THAT(complaint({"--n", "5", "--d", "2"}),
              HasSubstr("bound needs --w (maximum number of concurrent events) or --chains"));
  EXPECT_THAT(complaint({"--n", "5", "--w", "2"}), HasSubstr("bound needs --d"));
  EXPECT_THAT(complaint({}), HasSubstr("bound needs --n"));
  EXPECT_THAT(complaint({"--order", "a<b<a", "--d", "2"}), HasSubstr("the order is cyclic: a < b < a"));
  EXPECT_THAT(complaint({"--sp", "a.b | c.b", "--d", "2"}), HasSubstr("element 'b' occurs twice"));
  EXPECT_THAT(complaint({"--sp", "a . | b", "--d", "2"}),
              HasSubstr("column 5: expected an element's name or '('"));
  EXPECT_THAT(complaint({"--tree", "a(b", "--d", "2"}), HasSubstr("expected ')', found the end"));
  EXPECT_THAT(complaint({"--shape", "binary:20", "--d", "4"}),
              HasSubstr("a 4-hitting family of this order of 1,048,575 elements would have up to "));
  EXPECT_THAT(complaint({"--shape", "ring:5", "--d", "2"}), HasSubstr("expected antichain:N, chain:N"));
  EXPECT_THAT(complaint({"--p", "1.5"}), HasSubstr("--p '1.5': expected a probability"));
  EXPECT_THAT(complaint({"--p", "0.5", "--n", "5"}), HasSubstr("bound takes one of"));
  EXPECT_THAT(complaint({"--shape", "antichain:9", "--d", "2", "--least"}), HasSubstr("at most 5 elements"));
  EXPECT_THAT(complaint({"--shape", "binary:12", "--d", "3", "--verify"}),
              HasSubstr("--verify checks every 3-tuple"));
}

}  // namespace
}  // namespace gainsay::cli_test
