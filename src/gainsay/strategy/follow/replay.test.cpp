#include "gainsay/strategy/follow/replay.hpp"

#include <gtest/gtest.h>

#include "gainsay/strategy/choice_tree.test.hpp"

namespace gainsay::replay_test {
namespace {

using choice_tree::Source;

Event event(std::uint64_t id, EventKind kind = EventKind::deliver) {
  Event made;
  made.id = EventId{id};
  made.kind = kind;
  return made;
}

Decision decision(std::uint64_t id, std::vector<DataChoice> answers = {}) {
  return decision_of(event(id), std::move(answers));
}

std::size_t choose(Strategy& strategy, std::size_t step, const std::vector<Event>& list) {
  const Source source(list);
  return strategy.choose(ChoicePoint::events(source, step, list.size(), source.pending_count()));
}

std::size_t answer(ReplayStrategy& strategy, std::size_t step, std::size_t among) {
  return strategy.choose(ChoicePoint::value(step, among));
}

TEST(Replay, FollowsIdsWhereverTheyStand) {
  ReplayStrategy strategy({decision(7, {{1, 2}, {0, 3}}), decision(5, {{2, 3}})});
  strategy.begin({});
  EXPECT_EQ(choose(strategy, 0, {event(5), event(6), event(7)}), 2U);
  EXPECT_EQ(answer(strategy, 0, 2), 1U);
  EXPECT_EQ(answer(strategy, 0, 3), 0U);
  EXPECT_EQ(choose(strategy, 1, {event(5)}), 0U);
  EXPECT_EQ(answer(strategy, 1, 3), 2U);
  // Once more from the beginning.
  strategy.begin({});
  EXPECT_EQ(choose(strategy, 0, {event(7)}), 0U);
  EXPECT_EQ(answer(strategy, 0, 2), 1U);
}

TEST(Replay, AnIdIsNotEnough) {
  ReplayStrategy strategy({decision_of(event(7, EventKind::drop))});
  strategy.begin({});
  EXPECT_EQ(choose(strategy, 0, {event(7), event(7, EventKind::drop)}), 1U);
}

// The same id may stand for another message where its cause did something else.
TEST(Replay, ReceiverAndTypeMustBeTheSame) {
  Event recorded = event(7);
  recorded.receiver = ActorId{1};
  recorded.type = 10;
  Event elsewhere = recorded;
  elsewhere.receiver = ActorId{2};
  Event other = recorded;
  other.type = 11;
  for (const Event& similar : {elsewhere, other}) {
    ReplayStrategy strategy({decision_of(recorded)});
    strategy.begin({});
    EXPECT_EQ(choose(strategy, 0, {similar, recorded}), 1U);
    strategy.begin({});
    EXPECT_THROW(choose(strategy, 0, {similar, event(8)}), Divergence);
  }
  // What a trace file does not say is not compared.
  Decision by_id;
  by_id.id = EventId{7};
  ReplayStrategy strategy({by_id});
  strategy.begin({});
  EXPECT_EQ(choose(strategy, 0, {event(8), elsewhere}), 1U);
}

std::size_t diverges_at(ReplayStrategy& strategy, std::size_t step, const std::vector<Event>& list) {
  try {
    choose(strategy, step, list);
  } catch (const Divergence& divergence) {
    return divergence.step;
  }
  return 999;
}

TEST(Replay, SaysWhereItCannotFollow) {
  ReplayStrategy strategy({decision(7), decision(8)});
  strategy.begin({});
  choose(strategy, 0, {event(7)});
  EXPECT_EQ(diverges_at(strategy, 1, {event(5), event(6)}), 1U);
  EXPECT_EQ(strategy.enabled_at_divergence(), (std::vector<Event>{event(5), event(6)}));
}

TEST(Replay, NoticesOtherQuestions) {
  const std::vector<Decision> steps = {decision(7, {{1, 2}})};
  ReplayStrategy among(steps);
  among.begin({});
  choose(among, 0, {event(7)});
  EXPECT_THROW(answer(among, 0, 3), Divergence);
  ReplayStrategy too_many(steps);
  too_many.begin({});
  choose(too_many, 0, {event(7)});
  answer(too_many, 0, 2);
  EXPECT_THROW(answer(too_many, 0, 2), Divergence);
  ReplayStrategy too_late(steps);
  too_late.begin({});
  EXPECT_THROW(answer(too_late, 1, 2), Divergence);
}

TEST(Replay, EndsWhereTheRecordEnds) {
  ReplayStrategy strategy({decision(7)});
  strategy.begin({});
  choose(strategy, 0, {event(7)});
  EXPECT_EQ(choose(strategy, 1, {event(3, EventKind::crash), event(0, EventKind::stop)}), 1U);
  EXPECT_EQ(diverges_at(strategy, 1, {event(8)}), 1U);
}

}  // namespace
}  // namespace gainsay::replay_test
