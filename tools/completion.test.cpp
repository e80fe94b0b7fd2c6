#include "tools/completion.hpp"

#include "tools/cli_test.hpp"

namespace gainsay::completion_test {
namespace {

using namespace gainsay::cli_test;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// What is offered behind these words, as the scripts of shells ask for it.
Words offered(Words words) {
  words.insert(words.begin(), {"completion", "--complete", "--"});
  const Said said = gainsay_with(words);
  EXPECT_EQ(said.code, 0) << said.err;
  Words out;
  std::istringstream lines(said.out);
  for (std::string line; std::getline(lines, line);) out.push_back(line.substr(0, line.find('\t')));
  return out;
}

TEST(Completion, OffersVerbsOptionsAndValues) {
  EXPECT_THAT(offered({"hu"}), ElementsAre("hunt"));
  EXPECT_THAT(offered({""}), Contains("explore"));
  EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(offered({"hunt", "--sar"}), ElementsAre("--sarif"));
  EXPECT_THAT(offered({"explore", "--fairness", ""}), ElementsAre("weak", "actor", "strong"));
  EXPECT_THAT(offered({"hunt", "--strategy", "pctc"}), ElementsAre("pctcp"));
  EXPECT_THAT(offered({"check", "--model", "cas"}), Contains("cas-register"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offered({"man", "regr"}), ElementsAre("regress"));
  EXPECT_THAT(offered({"help", "regr"}), ElementsAre("regress"));
  EXPECT_THAT(offered({"nonsense", ""}), IsEmpty());
}

TEST(Completion, OffersScenariosTheirOptionsAndFiles) {
  EXPECT_THAT(offered({"hunt", "flush"}), ElementsAre("flush_race"));
  EXPECT_THAT(offered({"hunt", "flush_race", "--option", "bu"}), ElementsAre("bug="));
  EXPECT_THAT(offered({"hunt", "flush_race", "--option", "bug=over"}), ElementsAre("bug=overtake"));
  EXPECT_THAT(offered({"hunt", "flush_race", "--strategy", "pct", "--option", "dep"}), ElementsAre("depth="));
  EXPECT_THAT(offered({"show", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered({"regress", ""}), ElementsAre(":folders"));
  EXPECT_THAT(offered({"hunt", "--junit", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered({"hunt", "--runs", ""}), IsEmpty());
  EXPECT_THAT(offered({"graph", "flush"}), ElementsAre(":files", "flush_race"));
}

TEST(Completion, HasAScriptForEachShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Said said = gainsay_with({"completion", shell});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.out, HasSubstr("completion --complete --"));
    EXPECT_EQ(said.out.find("PROGRAM"), std::string::npos);
  }
  const Said wrong = gainsay_with({"completion", "bsh"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'bash'"));
  EXPECT_EQ(gainsay_with({"completion"}).code, 2);
  EXPECT_THROW(tools::completion_script("bash", "my tool"), UserError);
}

TEST(Manual, HasEveryOptionOfAVerb) {
  const Said said = gainsay_with({"man", "hunt"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, StartsWith(".TH GAINSAY\\-HUNT 1 "));
  EXPECT_THAT(said.out, HasSubstr(".TP\n\\fB\\-\\-strategy\\fR \\fINAME\\fR\n"));
  EXPECT_THAT(said.out, HasSubstr(".SH EXIT STATUS\n"));
  EXPECT_THAT(gainsay_with({"man"}).out, HasSubstr(".BR gainsay\\-hunt (1)\n"));
  const Said wrong = gainsay_with({"man", "hnt"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'hunt'"));
}

}  // namespace
}  // namespace gainsay::completion_test
