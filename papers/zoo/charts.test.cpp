#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/zoo/chart.hpp"
#include "papers/zoo/experiment.hpp"

namespace gainsay::tools::zoo {
namespace {

using testing::HasSubstr;

TEST(Chart, LinesStandOnALogarithmicAxis) {
  const std::string svg = chart::lines_svg("A & B", "steps", "executions",
                                           {{"one<", {{1, 1}, {2, 10}, {3, 100}}}, {"two", {{1, 5}}}});
  EXPECT_THAT(svg, HasSubstr("A &amp; B"));
  EXPECT_THAT(svg, HasSubstr("one&lt;"));
  // From 1 (the bottom, 375) to 100 (the top, 60), in the middle 10; x from 70 to 880.
  EXPECT_THAT(svg, HasSubstr("points=\"70.0,375.0 475.0,217.5 880.0,60.0\""));
}

TEST(Chart, MarksShowLeastAndMostAndWhatIsNothing) {
  const std::string svg = chart::marks_svg("T", {{"chord", "ir", 10, 1, 100}, {"chord", "lv", 0, 0, 0}});
  EXPECT_THAT(svg, HasSubstr("<title>ir: 10 (1 to 100)</title>"));
  EXPECT_THAT(svg, HasSubstr("fill=\"white\"><title>lv: 0 (0 to 0)</title>"));
  EXPECT_THAT(svg, HasSubstr("x1=\"260.0\""));
  EXPECT_THAT(svg, HasSubstr("x2=\"970.0\""));
}

TEST(Experiment, RowsAreKeptInOneLine) {
  const Rows rows = {{{"a", 1}, {"b", "x"}}};
  const std::string line = experiment_line({"name quick", "today", rows});
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(parse_experiment_rows(line).key, "name quick");
  EXPECT_EQ(parse_experiment_rows(line).measured, "today");
  EXPECT_EQ(parse_experiment_rows(line).rows, rows);
  EXPECT_EQ(parse_experiment_rows("{\"system\": \"x\"}").key, "");
  EXPECT_EQ(parse_experiment_rows("nonsense").key, "");
}

}  // namespace
}  // namespace gainsay::tools::zoo
