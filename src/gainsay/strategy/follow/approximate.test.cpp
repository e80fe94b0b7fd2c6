#include "gainsay/strategy/follow/approximate.hpp"

#include <gtest/gtest.h>

#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay::approximate_test {
namespace {

Event event(std::uint64_t id, EventKind kind = EventKind::deliver) {
  Event made;
  made.id = EventId{id};
  made.kind = kind;
  return made;
}

std::size_t choose(ApproximateStrategy& strategy, const std::vector<Event>& list) {
  const choice_tree::Source source(list);
  return strategy.choose(ChoicePoint::events(source, 0, list.size(), source.pending_count()));
}

std::size_t answer(ApproximateStrategy& strategy, std::size_t among) {
  return strategy.choose(ChoicePoint::value(0, among));
}

TEST(Approximate, SkipsWhatIsNotPossible) {
  ApproximateStrategy strategy({decision_of(event(1)), decision_of(event(2)), decision_of(event(3))});
  strategy.begin({});
  EXPECT_EQ(choose(strategy, {event(3), event(2)}), 1U);
  EXPECT_EQ(strategy.skipped(), 1U);
  EXPECT_EQ(choose(strategy, {event(1), event(3)}), 1U) << "the turn of the first one is over";
  EXPECT_EQ(choose(strategy, {event(5), event(6)}), 0U);
  EXPECT_EQ(choose(strategy, {event(5), event(0, EventKind::stop)}), 1U);
  EXPECT_EQ(strategy.skipped(), 1U);
  strategy.begin({});
  EXPECT_EQ(strategy.skipped(), 0U);
  EXPECT_EQ(choose(strategy, {event(3), event(2), event(1)}), 2U);
}

TEST(Approximate, NothingIsWantedAfterAStepThatIsNotInTheList) {
  ApproximateStrategy strategy({decision_of(event(1)), decision_of(event(2))});
  strategy.begin({});
  EXPECT_EQ(choose(strategy, {event(8), event(9)}), 0U);
  EXPECT_EQ(strategy.skipped(), 2U);
  EXPECT_EQ(choose(strategy, {event(8), event(1)}), 0U);
}

TEST(Approximate, UsesAnswersAgainWhereTheQuestionIsTheSame) {
  ApproximateStrategy strategy({decision_of(event(1), {{2, 3}, {1, 2}})});
  strategy.begin({});
  choose(strategy, {event(1)});
  EXPECT_EQ(answer(strategy, 3), 2U);
  EXPECT_EQ(answer(strategy, 4), 0U);
  EXPECT_EQ(answer(strategy, 2), 0U) << "a third question was not recorded";
  choose(strategy, {event(5)});
  EXPECT_EQ(answer(strategy, 3), 0U);
}

// The same id may stand for another message where its cause did something else.
TEST(Approximate, ReceiverAndTypeMustBeTheSame) {
  Event recorded = event(7);
  recorded.receiver = ActorId{1};
  recorded.type = 10;
  Event elsewhere = recorded;
  elsewhere.receiver = ActorId{2};
  Event other = recorded;
  other.type = 11;
  for (const Event& similar : {elsewhere, other}) {
    ApproximateStrategy strategy({decision_of(recorded)});
    strategy.begin({});
    EXPECT_EQ(choose(strategy, {event(3), similar}), 0U);
    EXPECT_EQ(strategy.skipped(), 1U);
  }
}

}  // namespace
}  // namespace gainsay::approximate_test
