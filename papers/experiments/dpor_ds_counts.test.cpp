#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/zoo/experiment.hpp"

namespace gainsay::tools::zoo {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DporDsCounts, NoFormHasMoreExecutionsThanThereAre) {
  const Experiment* experiment = find_experiment("dpor-ds");
  ASSERT_NE(experiment, nullptr);
  const Rows rows = experiment->measure({.quick = true});
  std::uint64_t factorial = 2, letters = 3, growing = 0;
  for (const Rows& row : rows) {
    if (row["kind"] == "growth") {
      ++growing;
      continue;
    }
    for (const char* form : {"naive", "forced"}) {
      if (!row["dfs"]["ended"]) continue;
      EXPECT_TRUE(row[form]["ended"]) << row;
      EXPECT_LE(row[form]["runs"], row["dfs"]["runs"]) << row;
      EXPECT_GE(row[form]["runs"], row["odpor"]["runs"]) << row;
    }
    const std::string world = row["world"];
    if (world == "figure 3") {
      EXPECT_EQ(row["naive"]["runs"], 3);
      EXPECT_EQ(row["forced"]["runs"], 3);
      EXPECT_EQ(row["odpor"]["runs"], 2);
    }
    if (world.find("messages to one actor") == std::string::npos) continue;
    factorial *= letters++;
    for (const char* search : {"dfs", "naive", "forced", "sdpor", "odpor"})
      EXPECT_EQ(row[search]["runs"], factorial);
  }
  EXPECT_EQ(letters, 8U);
  EXPECT_GT(growing, 20U);
  const Rendered rendered = experiment->render(rows);
  EXPECT_THAT(rendered.text, HasSubstr("| 7 messages to one actor"));
  EXPECT_TRUE(rendered.svgs.contains("dpor-ds.svg"));
}

// The words are made of the rows: other rows, other words.
TEST(DporDsCounts, SaysWhatTheRowsSay) {
  const auto count = [](int runs) {
    return Rows{{"runs", runs}, {"blocked", 0}, {"classes", runs}, {"ended", true}};
  };
  Rows row = {{"kind", "count"}, {"world", "w"}};
  for (const char* search : {"dfs", "naive", "sdpor", "odpor"}) row[search] = count(50);
  row["forced"] = count(40);
  const Experiment* experiment = find_experiment("dpor-ds");
  EXPECT_THAT(experiment->render(Rows::array({row})).text, HasSubstr("no more executions than naive in all"));
  row["naive"] = count(30);
  EXPECT_THAT(experiment->render(Rows::array({row})).text,
              HasSubstr("more than naive in 1: w (40 against 30)"));
}

}  // namespace
}  // namespace gainsay::tools::zoo
