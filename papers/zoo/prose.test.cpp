#include "papers/zoo/prose.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "papers/zoo/cells.hpp"
#include "papers/zoo/experiment.hpp"
#include "papers/zoo/print.hpp"

namespace gainsay::prose_test {

using namespace tools::zoo;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const page = R"(# Page

<!-- zoo t -->

### First: one

| bug | options | strategy   | buggy % | time   | runs  |
|-----|---------|------------|---------|--------|-------|
| a   | order=x | `random`   | 1.24    | 430 ms | 1,000 |
|     |         | *RW, paper* | 0.62   | 2 m    | 500   |
| a   | n=2 order=y | `random` | 5.00    | 2.0 s  | 9,000 |

### Second: two

| bug | strategy | found |
|-----|----------|-------|
| a   | `random` | more  |
| b   | `random` | no    |
<!-- end zoo t -->
)";

std::string text_of(const std::string& expression) { return said(evaluate(expression, tables_in(page))); }

TEST(Prose, ReadsCells) {
  EXPECT_EQ(text_of("[t | First | a; order=x; random | buggy %]"), "1.24");
  EXPECT_EQ(text_of("[t | First | a; order=x; RW; paper | runs]"), "500");
  EXPECT_EQ(text_of("[t | First | order=y | runs]"), "9,000");
  EXPECT_EQ(text_of("least[t | First | random | runs]"), "1,000");
  EXPECT_EQ(text_of("most[t | * | random | buggy %]"), "5.00");
  EXPECT_EQ(text_of("sum[t | First | random | runs]"), "10,000");
  EXPECT_EQ(text_of("mean[t | First | random | runs]"), "5,000");
  EXPECT_EQ(text_of("count[t | Second | random | found]"), "2");
  EXPECT_EQ(text_of("count[t | Second | pct | found]"), "0");
  EXPECT_EQ(text_of("[t | Second | bug=b | found]"), "no");
  EXPECT_EQ(text_of("count[t | Second | strategy=b | found]"), "0");
  EXPECT_EQ(text_of("count[t | First | ran* | runs]"), "2");
  EXPECT_EQ(text_of("[t | Second: two | b | found]"), "no");
}

TEST(Prose, WorksOutWhatFollows) {
  EXPECT_EQ(text_of("[t | First | a; order=x; random | buggy %] / [t | First | paper; order=x | buggy %]"),
            "2");
  EXPECT_EQ(text_of("[t | First | order=x; paper | time] / [t | First | order=x; random | time]"), "279");
  EXPECT_EQ(text_of("(1 + 2) * 3 - 4 / 2"), "7");
  EXPECT_EQ(text_of("1 / 3"), "0.33");
  const auto holds = [](const std::string& claim) { return evaluate(claim, tables_in(page)).number == 1; };
  EXPECT_TRUE(holds("[t | Second | a | found] > 1000000"));
  EXPECT_TRUE(holds("[t | Second | b | found] == 0 and 1 < 2"));
  EXPECT_FALSE(holds("[t | Second | b | found] == 0 and 2 < 2"));
  EXPECT_FALSE(holds("2 <= 1"));
  EXPECT_TRUE(holds("2 >= 2"));
}

TEST(Prose, SaysWhatIsWrong) {
  const auto fault = [](const std::string& expression) -> std::string {
    try {
      (void)text_of(expression);
    } catch (const UserError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(fault("[u | * | a | runs]"), HasSubstr("no table in such a section"));
  EXPECT_THAT(fault("[t | First | a | walks]"), HasSubstr("no such column"));
  EXPECT_THAT(fault("[t | First | z | runs]"), HasSubstr("no such row"));
  EXPECT_THAT(fault("[t | First | a | runs]"), HasSubstr("2 rows; expected one"));
  EXPECT_THAT(fault("[t | First | a; order=y | bug]"), HasSubstr("'a' is no number"));
  EXPECT_THAT(fault("[t | First | runs]"), HasSubstr("expected SECTION | HEADING | KEYS | COLUMN"));
  EXPECT_THAT(fault("1 / 0"), HasSubstr("a divisor that is not 0"));
  EXPECT_THAT(fault("1 + "), HasSubstr("expected a number"));
  EXPECT_THAT(fault("1 2"), HasSubstr("expected nothing more"));
}

TEST(Prose, MakesTheTextsAgainAndNamesClaimsThatFail) {
  const std::string document = std::string(page) +
                               "It fails in <!--= [t | First | order=y | buggy %] -->4.90<!--/--> % of "
                               "runs<!--? [t | First | order=y | buggy %] < 5 -->.\n";
  const Prose prose = with_prose(document, "p.md", ".");
  EXPECT_THAT(prose.document, HasSubstr("buggy %] -->5.00<!--/--> % of runs<!--? "));
  EXPECT_THAT(prose.faults, ElementsAre("p.md:20: does not hold: [t | First | order=y | buggy %] < 5"));
  EXPECT_EQ(with_prose(prose.document, "p.md", ".").document, prose.document);
  EXPECT_THAT(with_prose("<!--= 1 -->2", "p.md", ".").faults, ElementsAre(HasSubstr("has no end")));
  EXPECT_THAT(with_prose("<!--= 1 < 2 -->2<!--/-->", "p.md", ".").faults,
              ElementsAre(HasSubstr("not a claim")));
  EXPECT_THAT(with_prose("<!--? 1 -->", "p.md", ".").faults, ElementsAre(HasSubstr("a claim, with <")));
}

TEST(Prose, LooksForNumbersInFiles) {
  const std::string file = testing::TempDir() + "prose_numbers.txt";
  std::ofstream(file) << "EXPECT_EQ(n, 4'200); // 18,396";
  const auto faults = [&](const std::string& number) {
    return with_prose("<!--: prose_numbers.txt -->" + number + "<!--/-->", "p", testing::TempDir()).faults;
  };
  EXPECT_THAT(faults("4,200"), IsEmpty());
  EXPECT_THAT(faults("18,396"), IsEmpty());
  EXPECT_THAT(faults("420"), ElementsAre(HasSubstr("420 does not stand in prose_numbers.txt")));
  EXPECT_THAT(faults("200"), ElementsAre(HasSubstr("200 does not stand in")));
}

TEST(Prose, NoticesNumbersWithoutAMark) {
  const auto found = [](const std::string& text) { return unmarked_numbers(text, "p"); };
  EXPECT_THAT(found(page), IsEmpty());
  EXPECT_THAT(found("Tables 6.1 to 6.3, figure 3, A10, CASSANDRA-6023, `n=50`, 2019, arXiv 2110.06407"),
              IsEmpty());
  EXPECT_THAT(found("<!--: -->500<!--/--> steps, <!--= 1 -->1<!--/-->"), IsEmpty());
  EXPECT_THAT(found("of\n500 steps"), ElementsAre("p:2: '500' stands there without a mark"));
  EXPECT_THAT(found("it finds twice as many in hundreds of runs"),
              ElementsAre(HasSubstr("'twice'"), HasSubstr("'hundreds'")));
}

// --- the document of this project ---

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Tests run at the root of the tree.
TEST(Evaluation, SaysWhatItsRowsSay) {
  const std::string document = file_text("docs/evaluation.md");
  ASSERT_FALSE(document.empty());
  const Prose prose = with_prose(document, "docs/evaluation.md", ".");
  for (const std::string& fault : prose.faults) ADD_FAILURE() << fault;
  EXPECT_EQ(prose.document, document) << "make the sentences again: gainsay zoo --prose docs/evaluation.md";
  for (const std::string& fault : unmarked_numbers(document, "docs/evaluation.md")) ADD_FAILURE() << fault;
}

// Experiments keep their rows beside the document.
TEST(Evaluation, ExperimentsAreMadeOfTheirRows) {
  const std::string document = file_text("docs/evaluation.md");
  std::size_t sections = 0;
  for (const Experiment& experiment : experiments()) {
    if (!has_section(document, experiment.name)) continue;
    ++sections;
    const std::string rows = file_text("docs/results/" + experiment.name + ".json");
    ASSERT_FALSE(rows.empty()) << experiment.name;
    const Rendered rendered = experiment.render(Rows::parse(rows));
    EXPECT_NE(document.find(rendered.text), std::string::npos)
        << experiment.name << ": make its section again: gainsay zoo --table " << experiment.name
        << " --write docs/evaluation.md";
    for (const auto& [name, svg] : rendered.svgs) EXPECT_EQ(file_text("docs/results/" + name), svg) << name;
  }
  EXPECT_EQ(sections, experiments().size());
}

}  // namespace gainsay::prose_test
