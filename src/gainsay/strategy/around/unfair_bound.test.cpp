#include "gainsay/strategy/around/unfair_bound.hpp"

#include <gtest/gtest.h>

#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay::unfair_bound_test {
namespace {

// Always the last alternative; fair if it says so.
class Last final : public Strategy {
 public:
  explicit Last(bool fair) : fair_(fair) {}
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override { return point.size() - 1; }
  bool fair() const override { return fair_; }

 private:
  bool fair_;
};

// Two events: the older one was created by step `parent`.
std::vector<Event> two_events(std::uint32_t parent) {
  std::vector<Event> list(2);
  list[0].id = EventId{1};
  list[0].parent = parent;
  list[1].id = EventId{2};
  list[1].parent = parent == no_step ? 90 : parent + 1;
  return list;
}

std::size_t answer_at(std::size_t step, std::uint32_t parent, bool fair) {
  UnfairBound strategy(std::make_unique<Last>(fair), 100);
  strategy.begin({});
  const std::vector<Event> list = two_events(parent);
  const choice_tree::Source source(list);
  return strategy.choose(ChoicePoint::events(source, step, 2, 2));
}

TEST(UnfairBound, CutsWhoStarvesTheOldest) {
  EXPECT_EQ(answer_at(100, no_step, false), cut_run);  // it has waited from the beginning
  EXPECT_EQ(answer_at(100, 49, false), cut_run);       // created by step 49, there from step 50 on
  EXPECT_EQ(answer_at(100, 50, false), 1U);
  EXPECT_EQ(answer_at(149, 50, false), cut_run);
}

TEST(UnfairBound, LeavesTheRestAlone) {
  EXPECT_EQ(answer_at(99, no_step, false), 1U);  // early
  EXPECT_EQ(answer_at(5'000, no_step, true), 1U);
  UnfairBound strategy(std::make_unique<Last>(false), 100);
  strategy.begin({});
  EXPECT_EQ(strategy.choose(ChoicePoint::value(5'000, 3)), 2U);
  // Nothing ordinary is possible: nobody is starved.
  std::vector<Event> faults(1);
  faults[0].kind = EventKind::crash;
  const choice_tree::Source source(faults);
  EXPECT_EQ(strategy.choose(ChoicePoint::events(source, 5'000, 1, 0)), 0U);
}

TEST(UnfairBound, IsWhatItStandsAround) {
  EXPECT_TRUE(UnfairBound(std::make_unique<Last>(true), 1).fair());
  EXPECT_FALSE(UnfairBound(std::make_unique<Last>(false), 1).fair());
  EXPECT_EQ(UnfairBound(std::make_unique<Last>(true), 1).learner(), nullptr);
}

}  // namespace
}  // namespace gainsay::unfair_bound_test
