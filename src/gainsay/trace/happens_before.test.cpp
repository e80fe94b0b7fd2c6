#include "gainsay/trace/happens_before.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gainsay/base/rng.hpp"

namespace gainsay {
namespace {

Step at(std::uint32_t actor, std::uint32_t parent = no_step) {
  Step step;
  step.event.receiver = ActorId{actor};
  step.event.parent = parent;
  return step;
}
Step everywhere(EventKind kind) {
  Step step;
  step.event.kind = kind;
  return step;
}

// The definition, taken literally: a relation of causes and program order, closed until nothing is added.
class Closure {
 public:
  explicit Closure(const std::vector<Step>& steps)
      : before_(steps.size(), std::vector<bool>(steps.size(), false)) {
    const std::size_t n = steps.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const Event& a = steps[i].event;
        const Event& b = steps[j].event;
        const bool one_actor = a.receiver == b.receiver || a.receiver == nobody || b.receiver == nobody;
        before_[i][j] = one_actor || b.parent == i;
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) before_[i][j] = before_[i][j] || (before_[i][k] && before_[k][j]);
      }
    }
  }
  bool before(std::size_t i, std::size_t j) const { return before_[i][j]; }

 private:
  std::vector<std::vector<bool>> before_;
};

TEST(HappensBefore, OfNothingIsEmpty) { EXPECT_EQ(HappensBefore({}).size(), 0U); }

TEST(HappensBefore, FollowsCausesAndTheOrderAtOneActor) {
  //   0: a     1: b (from 0)     2: c     3: c (from 1)     4: a
  const std::vector<Step> steps = {at(0), at(1, 0), at(2), at(2, 1), at(0)};
  const HappensBefore order(steps);
  EXPECT_TRUE(order.before(0, 1));
  EXPECT_TRUE(order.before(0, 3)) << "through step 1";
  EXPECT_TRUE(order.before(2, 3)) << "at the same actor";
  EXPECT_TRUE(order.before(0, 4));
  EXPECT_TRUE(order.concurrent(0, 2));
  EXPECT_TRUE(order.concurrent(2, 1));
  EXPECT_TRUE(order.concurrent(3, 4));
  EXPECT_FALSE(order.before(3, 0));
  EXPECT_FALSE(order.before(1, 1));
  EXPECT_FALSE(order.concurrent(1, 1));
}

TEST(HappensBefore, APartitionStandsInEverySequence) {
  const std::vector<Step> steps = {at(0), everywhere(EventKind::partition), at(1),
                                   everywhere(EventKind::heal), at(2)};
  const HappensBefore order(steps);
  EXPECT_TRUE(order.before(0, 2)) << "through the partition";
  EXPECT_TRUE(order.before(1, 4));
  EXPECT_TRUE(order.before(2, 4));
}

TEST(HappensBefore, AClockCountsThePastOfEachActor) {
  const std::vector<Step> steps = {at(7), at(9, 0), at(7), at(9, 2)};
  const HappensBefore order(steps);
  const auto clock = order.clock(3);
  EXPECT_EQ(std::vector<std::uint32_t>(clock.begin(), clock.end()), (std::vector<std::uint32_t>{2, 2, 0}));
}

TEST(HappensBefore, AgreesWithTheTransitiveClosureOnRandomTraces) {
  Rng rng(1978);
  std::size_t ordered = 0;
  std::size_t concurrent = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t actors = 1 + rng.below(6);
    const std::uint64_t length = rng.below(30);
    std::vector<Step> steps;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (rng.chance(1, 20)) {
        steps.push_back(everywhere(rng.chance(1, 2) ? EventKind::partition : EventKind::heal));
        continue;
      }
      // Spawned actors have the top bit set; columns must not depend on how ids look.
      auto actor = static_cast<std::uint32_t>(rng.below(actors));
      if (actor % 2 == 1) actor |= 0x80000000U;
      steps.push_back(
          at(actor, i > 0 && rng.chance(2, 3) ? static_cast<std::uint32_t>(rng.below(i)) : no_step));
    }
    const HappensBefore order(steps);
    const Closure closure(steps);
    ASSERT_EQ(order.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        ASSERT_EQ(order.before(i, j), closure.before(i, j))
            << "round " << round << ", steps " << i << " and " << j;
        ASSERT_EQ(order.concurrent(i, j), i != j && !closure.before(i, j) && !closure.before(j, i));
        ordered += order.before(i, j) ? 1 : 0;
        concurrent += order.concurrent(i, j) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(ordered, 10'000U);
  EXPECT_GT(concurrent, 10'000U);
}

TEST(HappensBeforeDeathTest, EffectsDoNotPrecedeTheirCauses) {
  const std::vector<Step> steps = {at(0, 1), at(1)};
  EXPECT_DEATH(HappensBefore{steps}, "a cause comes before its effect");
  const std::vector<Step> one = {at(0)};
  EXPECT_DEATH(HappensBefore(one).before(0, 1), "steps of this execution");
}

}  // namespace
}  // namespace gainsay
