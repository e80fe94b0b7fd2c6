#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/zoo/experiment.hpp"

namespace gainsay::tools::zoo {
namespace {

using testing::HasSubstr;

Rows order(int schedules, int unique, int wrong) {
  return {{"S", schedules}, {"UH", unique},  {"NL", wrong},           {"PC", unique},
          {"WPC", wrong},   {"ended", true}, {"first_wrong", nullptr}};
}

TEST(Ds2Orders, SaysMedianLeastAndMostOfTheRows) {
  const Experiment* experiment = find_experiment("ds2-orders");
  ASSERT_NE(experiment, nullptr);
  Rows row = {{"subject", "A10: Open Chord"},
              {"bug", "serves_before_join"},
              {"strategy", "ds2 rule=lv"},
              {"paper", "LV"},
              {"runs_max", 500},
              {"orders", Rows::array()}};
  row["orders"] = {order(6, 6, 0), order(20, 9, 2), order(8, 8, 0), order(89, 40, 5)};
  row["theirs"] = {{"S", "21"}, {"UH", "17"}, {"NL", "4"}};
  const Rendered rendered = experiment->render(Rows::array({row}));
  EXPECT_THAT(rendered.text,
              HasSubstr("| A10   | `ds2 rule=lv` | 2 of 4    | 4 of 4    | 14 (6 to 89) | 21 "));
  EXPECT_THAT(rendered.text,
              HasSubstr("LiViola finds the bug of *A10: Open Chord* for 2 of 4 first orders."));
  EXPECT_EQ(rendered.svgs.size(), 6U);
  EXPECT_THAT(rendered.svgs.at("ds2-schedules.svg"), HasSubstr("ds2 rule=lv: 14 (6 to 89)"));
}

TEST(Ds2Orders, OpenChordDependsOnTheFirstOrder) {
  const Rows rows = find_experiment("ds2-orders")->measure({.quick = true});
  EXPECT_EQ(rows.size(), 80U);
  for (const Rows& row : rows) {
    ASSERT_EQ(row["orders"].size(), 4U);
    for (const Rows& one : row["orders"]) {
      EXPECT_GE(one["S"], one["UH"]);
      EXPECT_GE(one["UH"], one["NL"]);
      EXPECT_GE(one["UH"], one["PC"]);
      EXPECT_GE(one["NL"], one["WPC"]);
      if (row["bug"] == "none") {
        EXPECT_EQ(one["NL"], 0) << row["subject"];
      }
    }
    EXPECT_EQ(row.contains("theirs"), row["paper"] != "");
  }
}

}  // namespace
}  // namespace gainsay::tools::zoo
