#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/zoo/experiment.hpp"

namespace gainsay::psharp_verdicts_test {

using namespace tools::zoo;
using testing::HasSubstr;

// All answers are P#'s, but one: a walk that chooses at random leaves the loop that an adversary would not.
TEST(PSharpVerdicts, AreThoseOfPSharp) {
  const Experiment* experiment = find_experiment("psharp-verdicts");
  ASSERT_NE(experiment, nullptr);
  const Rows rows = experiment->measure({});
  EXPECT_EQ(rows.size(), 21U);
  for (const Rows& row : rows) {
    EXPECT_EQ(row["explore"], row["psharp"]) << row;
    EXPECT_EQ(row["dfs"], row["psharp"]) << row;
    const bool is_choice = row["program"] == "a hot loop that an adversary may end";
    EXPECT_EQ(row["random"], is_choice ? Rows("none") : row["psharp"]) << row;
  }
  EXPECT_THAT(experiment->render(rows).text, HasSubstr("Of 63 verdicts 62 are P#'s; others: `random` in"));
}

TEST(PSharpVerdicts, NameWhatDiffers) {
  const Rows row = {{"kind", "liveness"}, {"program", "a loop"},  {"psharp", "for ever"},
                    {"explore", "none"},  {"random", "for ever"}, {"dfs", "for ever"}};
  EXPECT_THAT(find_experiment("psharp-verdicts")->render(Rows::array({row})).text,
              HasSubstr("Of 3 verdicts 2 are P#'s; others: `explore` in \"a loop\" (none)."));
}

}  // namespace gainsay::psharp_verdicts_test
