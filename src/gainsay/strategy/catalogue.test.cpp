#include "gainsay/strategy/catalogue.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"

namespace gainsay::catalogue_test {
namespace {

TEST(Catalogue, KnowsTheBundledStrategies) {
  for (const char* name : {"random", "dfs"}) {
    EXPECT_EQ(find_strategy(name).name, name);
    EXPECT_NE(find_strategy(name).make({}), nullptr);
  }
  EXPECT_EQ(find_strategy("random").kind, StrategyKind::random);
}

TEST(Catalogue, NamesTheNearestForAWrongName) {
  const std::string complaint = complaint_of([] { find_strategy("randon"); });
  EXPECT_NE(complaint.find("unknown strategy 'randon'"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("'random'"), std::string::npos) << complaint;
}

TEST(Catalogue, ChecksTheOptionsOfAStrategy) {
  const StrategyInfo& random = find_strategy("random");
  EXPECT_NE(random.make({{"over", "chains"}, {"faults", "0.5"}}), nullptr);
  EXPECT_NE(complaint_of([&] { random.make({{"over", "chain"}}); }).find("chains"), std::string::npos);
  EXPECT_NE(complaint_of([&] { random.make({{"faults", "1.5"}}); }), "");
  EXPECT_NE(complaint_of([&] { random.make({{"nothing", "1"}}); }), "");
  EXPECT_NE(complaint_of([&] { find_strategy("dfs").make({{"over", "events"}}); }), "");
}

struct LastOptions {
  bool often = false;
};

class LastStrategy final : public Strategy {
 public:
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override { return point.size() - 1; }
};

const RegisterStrategy registration(
    StrategyInfo::of<LastOptions>("last_of_all", "takes the last", StrategyKind::random,
                                  [](const LastOptions&) { return std::make_unique<LastStrategy>(); }));

TEST(Catalogue, TakesStrategiesOfUsers) {
  const StrategyInfo& mine = find_strategy("last_of_all");
  EXPECT_EQ(mine.make({{"often", "true"}})->choose(ChoicePoint::value(0, 9)), 8U);
  ASSERT_EQ(mine.options.size(), 1U);
  EXPECT_EQ(mine.options[0].name, "often");
  const auto all = strategies();
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->name < b->name; }));
  EXPECT_NE(std::find(all.begin(), all.end(), &mine), all.end());
}

TEST(CatalogueDeathTest, RefusesANameTwice) {
  EXPECT_EXIT(RegisterStrategy(StrategyInfo::of<LastOptions>(
                  "dfs", "", StrategyKind::random,
                  [](const LastOptions&) { return std::make_unique<LastStrategy>(); })),
              testing::ExitedWithCode(2), "two strategies are named 'dfs'");
}

}  // namespace
}  // namespace gainsay::catalogue_test
