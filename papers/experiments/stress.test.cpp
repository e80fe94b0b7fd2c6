#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/zoo/experiment.hpp"

namespace gainsay::stress_test {

using namespace tools::zoo;
using testing::HasSubstr;

Rows side(int runs, int buggy, const Rows& first) {
  return {{"runs", runs}, {"buggy", buggy}, {"steps", 10 * runs}, {"first_s", first}};
}

TEST(Stress, SaysWhatTheRowsSay) {
  const Experiment* experiment = find_experiment("stress");
  ASSERT_NE(experiment, nullptr);
  const Rows one = {{"subject", "A"},
                    {"bug", "a"},
                    {"seconds", 2.0},
                    {"threads", side(30, 0, Rows())},
                    {"random", side(9000, 12, 0.25)}};
  const Rows two = {{"subject", "B"},
                    {"bug", "b"},
                    {"seconds", 2.0},
                    {"threads", side(40, 3, 1.5)},
                    {"random", side(8000, 40, 0.01)}};
  const std::string text = experiment->render(Rows::array({one, two})).text;
  EXPECT_THAT(text, HasSubstr("Each bug for 2 s"));
  EXPECT_THAT(text,
              HasSubstr("Stress shows 1 of 2 bugs, in 3 runs; `random` shows 2, in 52 runs. Not seen under "
                        "stress: A."));
}

}  // namespace gainsay::stress_test
