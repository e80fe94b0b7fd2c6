#include "gainsay/strategy/follow/script.hpp"

#include <gtest/gtest.h>

namespace gainsay::script_test {
namespace {

Event event(std::uint64_t id, EventKind kind = EventKind::deliver, std::uint32_t receiver = 0) {
  Event made;
  made.id = EventId{id};
  made.kind = kind;
  made.receiver = ActorId{receiver};
  return made;
}

TEST(Script, FindsDecisionsAmongEventsAndEventsAmongDecisions) {
  Script script({decision_of(event(7)), decision_of(event(3)), decision_of(event(7, EventKind::drop)),
                 decision_of(event(3))});
  const std::vector<Event> events = {event(9), event(7, EventKind::drop), event(3), event(7)};
  const auto at = [&](std::size_t i) { return events[i]; };
  EXPECT_EQ(script.find(0, events.size(), at), 3U);
  EXPECT_EQ(script.find(1, events.size(), at), 2U);
  EXPECT_EQ(script.find(2, events.size(), at), 1U);
  EXPECT_EQ(script.find(0, 3, at), Script::nowhere);
  EXPECT_EQ(script.place_of(event(7)), 0U);
  EXPECT_EQ(script.place_of(event(7, EventKind::drop)), 2U);
  EXPECT_EQ(script.place_of(event(7), 1), Script::nowhere);
  EXPECT_EQ(script.place_of(event(3)), 1U);
  EXPECT_EQ(script.place_of(event(3), 2), 3U);
  EXPECT_EQ(script.place_of(event(3), 4), Script::nowhere);
  EXPECT_EQ(script.place_of(event(9)), Script::nowhere);
  EXPECT_EQ(script.place_of(event(3, EventKind::deliver, 1)), Script::nowhere);
}

TEST(Script, GivesTheAnswersOfWhatIsExecuted) {
  Script script({decision_of(event(1), {{1, 2}}), decision_of(event(2), {{0, 2}, {4, 5}})});
  EXPECT_EQ(script.answer(2), std::nullopt) << "nothing is executed yet";
  script.execute(1);
  EXPECT_EQ(script.answer(2), 0U);
  EXPECT_EQ(script.answer(5), 4U);
  EXPECT_EQ(script.answer(5), std::nullopt);
  script.execute(0);
  EXPECT_EQ(script.answer(3), std::nullopt) << "another question";
  script.execute(0);
  EXPECT_EQ(script.answer(2), 1U);
  script.execute(Script::nowhere);
  EXPECT_EQ(script.answer(2), std::nullopt);
}

TEST(RecordedAnswers, KnowWhetherTheSameWasAsked) {
  const std::vector<DataChoice> recorded = {{1, 2}, {2, 3}};
  RecordedAnswers answers(recorded);
  EXPECT_FALSE(answers.same_questions()) << "two are missing";
  EXPECT_EQ(answers.next(2), 1U);
  EXPECT_EQ(answers.next(3), 2U);
  EXPECT_TRUE(answers.same_questions());
  EXPECT_EQ(answers.next(3), std::nullopt);
  EXPECT_FALSE(answers.same_questions());
  RecordedAnswers other(recorded);
  EXPECT_EQ(other.next(4), std::nullopt);
  EXPECT_EQ(other.next(3), 2U);
  EXPECT_FALSE(other.same_questions());
  EXPECT_TRUE(RecordedAnswers().same_questions());
}

}  // namespace
}  // namespace gainsay::script_test
