// Runs whose history could not be judged.
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::unjudged_test {
namespace {

struct Mark {
  int n = 0;
};
struct Listener {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
};

// A history that cannot be judged is no violation, and the run is not called right.
TEST(Hunt, RunsThatCouldNotBeJudgedAreCounted) {
  const Scenario scenario = Scenario::of("unjudged", [](World& world) {
    const auto actor = world.spawn<Listener>("actor");
    for (int i = 0; i < 2; ++i) world.send(actor, Mark{i});
    world.history("what clients see", [](std::span<const HistoryEntry>, const WorldReader&) {
      return Complaint::unjudged("too long");
    });
  });
  HuntOptions options;
  options.strategy = "random";
  options.runs = 7;
  const HuntResult random = hunt(scenario, {}, options);
  EXPECT_EQ(random.unjudged_runs, 7U);
  EXPECT_EQ(random.buggy_runs, 0U);
  EXPECT_EQ(random.verdict(), Verdict::unknown);
  EXPECT_EQ(random.exit_code(), 3);
  ASSERT_FALSE(random.warnings.empty());
  EXPECT_NE(random.warnings.back().find("the history of 7 of 7 runs could not be judged"), std::string::npos);
  options.strategy = "dfs";
  options.runs.reset();
  const HuntResult search = hunt(scenario, {}, options);
  EXPECT_EQ(search.unjudged_runs, search.runs);
  EXPECT_FALSE(search.complete);
  EXPECT_EQ(search.verdict(), Verdict::unknown);
}

}  // namespace
}  // namespace gainsay::unjudged_test
