#include "gainsay/strategy/walks/portfolio.hpp"

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::portfolio_test {
namespace {

std::string complaint_about(const std::string& members) {
  return complaint_of([&] { find_strategy("portfolio").make({{"members", members}}); });
}

std::vector<std::string> names(const PortfolioOptions& options) {
  std::vector<std::string> list;
  const PortfolioStrategy strategy(options);
  for (const auto& member : strategy.members()) list.push_back(member.name);
  return list;
}

TEST(Portfolio, TakesPartWithEveryDepth) {
  EXPECT_EQ(names({}), (std::vector<std::string>{"random", "pctcp depth=1", "pos", "pct depth=2", "surw",
                                                 "random over=actors", "pctcp depth=2", "pctcp depth=3"}));
  EXPECT_EQ(names({.depth = 1}).size(), 6U);
  EXPECT_EQ(names({.depth = 5}).back(), "pctcp depth=5");
}

TEST(Portfolio, TakesMembersByNameWithOptions) {
  EXPECT_EQ(names({.members = "pctcp depth=4 n=9;pos ; random  over=chains"}),
            (std::vector<std::string>{"pctcp depth=4 n=9", "pos", "random  over=chains"}));
  EXPECT_NE(complaint_about("pctpc").find("pctcp"), std::string::npos);
  EXPECT_NE(complaint_about("pctcp depth=0"), "");
  EXPECT_NE(complaint_about("pctcp depth").find("name=value"), std::string::npos);
  EXPECT_NE(complaint_about("portfolio").find("member"), std::string::npos);
  EXPECT_NE(complaint_about("dfs").find("search"), std::string::npos);
  EXPECT_NE(complaint_about("delay").find("search"), std::string::npos);
  EXPECT_EQ(complaint_about("delay randomised=true"), "");
  EXPECT_NE(complaint_about(" ; ").find("needs members"), std::string::npos);
}

TEST(Portfolio, EachMemberMakesItsShareOfTheRuns) {
  PortfolioStrategy strategy({.members = "random; pctcp depth=2; pos"});
  forest::World world(forest::of_chains({3, 2}));
  world.scout(strategy);
  std::vector<forest::Schedule> runs;
  for (std::uint64_t i = 0; i < 8; ++i) runs.push_back(world.run(strategy, i));
  auto lessons = strategy.take_lessons();
  for (std::uint64_t i = 8; i < 10; ++i) runs.push_back(world.run(strategy, i));
  lessons->merge(*strategy.take_lessons());
  strategy.learn(*lessons);
  const auto shares = strategy.shares();
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0], (StrategyShare{"random", 4, 0, std::nullopt}));
  EXPECT_EQ(shares[1].runs, 3U);
  EXPECT_EQ(shares[2].runs, 3U);
  // A run is what its member would have made of it alone.
  const auto alone = find_strategy("pos").make({});
  EXPECT_EQ(world.run(*alone, 5), runs[5]);
  EXPECT_FALSE(strategy.guarantee().per_run);
}

TEST(Portfolio, CountsWhoFoundWhat) {
  PortfolioStrategy strategy({.members = "random; pos"});
  for (std::uint64_t i = 0; i < 6; ++i) {
    strategy.begin({i, 1, 10});
    EXPECT_EQ(strategy.fair(), i % 2 == 0);  // random is, pos is not
    strategy.end({i == 3 || i == 5 ? Ending::violated : Ending::quiescent, 1});
  }
  strategy.begin({6, 1, 10});
  strategy.end({Ending::interrupted, 1});
  strategy.learn(*strategy.take_lessons());
  EXPECT_EQ(strategy.shares(),
            (std::vector<StrategyShare>{{"random", 3, 0, std::nullopt}, {"pos", 3, 2, 3}}));
}

TEST(Portfolio, NeedsWhatItsMembersNeed) {
  EXPECT_TRUE(PortfolioStrategy({}).needs().scout);
  EXPECT_FALSE(PortfolioStrategy({}).needs().in_order);
  EXPECT_TRUE(PortfolioStrategy({.members = "random; qlearning"}).needs().in_order);
  EXPECT_TRUE(PortfolioStrategy({.members = "random over=chains"}).needs().executed);
  EXPECT_FALSE(PortfolioStrategy({.members = "pctcp depth=1"}).needs().scout);
}

}  // namespace
}  // namespace gainsay::portfolio_test
