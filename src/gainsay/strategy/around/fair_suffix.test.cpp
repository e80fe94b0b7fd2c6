#include "gainsay/strategy/around/fair_suffix.hpp"

#include "gainsay/strategy/choice_tree.test.hpp"
#include "gainsay/strategy/walks/forest.test.hpp"

namespace gainsay::fair_suffix_test {
namespace {

using forest::no_parent;

// Always the last alternative: as unfair as can be.
class Last final : public Strategy {
 public:
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    ++asked;
    return point.size() - 1;
  }
  void end(const RunEnd& end) override { ended = end; }

  std::size_t asked = 0;
  RunEnd ended;
};

TEST(FairSuffix, BeginsAtItsStepAndSaysSo) {
  auto owned = std::make_unique<Last>();
  Last& inner = *owned;
  FairSuffix strategy(std::move(owned), 3);
  forest::World world(forest::of_chains({6, 1}));
  EXPECT_FALSE(strategy.fair());
  world.run(strategy, 0);
  EXPECT_EQ(inner.asked, 3U);
  EXPECT_TRUE(strategy.fair());
  EXPECT_TRUE(inner.ended.fair_suffix);
  forest::World(forest::of_chains({2})).run(strategy, 1);
  EXPECT_FALSE(strategy.fair());
  EXPECT_FALSE(inner.ended.fair_suffix);
  EXPECT_EQ(inner.ended.steps, 2U);
}

TEST(FairSuffix, IsUniformAndWithoutFaults) {
  std::vector<Event> list(5);
  for (std::size_t i = 0; i < list.size(); ++i) list[i].id = EventId{i + 1};
  list[3].kind = EventKind::crash;
  list[4].kind = EventKind::stop;
  const choice_tree::Source source(list);
  FairSuffix strategy(std::make_unique<Last>(), 0);
  std::map<std::size_t, std::uint64_t> counts;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    strategy.begin({i, 1, 100});
    ++counts[strategy.choose(ChoicePoint::events(source, 0, 4, 3))];
  }
  forest::expect_distribution(counts, std::map<std::size_t, double>{{0, 1.0 / 3}, {1, 1.0 / 3}, {2, 1.0 / 3}},
                              20'000);
  // Quiescent: only stopping is left. With timers that do not keep the world alive it is one of the choices.
  const std::vector<Event> quiet = {list[3], list[4]};
  const choice_tree::Source end(quiet);
  strategy.begin({0, 1, 100});
  EXPECT_EQ(strategy.choose(ChoicePoint::events(end, 0, 2, 0)), 1U);
}

}  // namespace
}  // namespace gainsay::fair_suffix_test
