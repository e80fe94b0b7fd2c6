#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/complaint.test.hpp"
#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::drop_test {
namespace {

using every_run::Counts;
using every_run::counts;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::marks;
using fault_worlds::Other;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

// Every message is delivered or, for at most b of them, lost, in every order: n! * (C(n,0) + ... + C(n,b)).
TEST(Drop, LosesUpToItsBudget) {
  const auto runs = [](std::size_t n, std::uint32_t budget) {
    return counts(marks(n, [budget](World& world) { world.faults().drop(budget); }));
  };
  EXPECT_EQ(runs(1, 1), (Counts{2, 2}));
  EXPECT_EQ(runs(2, 1), (Counts{2 * (1 + 2), 6}));
  EXPECT_EQ(runs(3, 1), (Counts{6 * (1 + 3), 24}));
  EXPECT_EQ(runs(2, 2), (Counts{2 * (1 + 2 + 1), 8}));
  EXPECT_EQ(runs(3, 2), (Counts{6 * (1 + 3 + 3), 42}));
  EXPECT_EQ(runs(2, 9), (Counts{8, 8}));  // there is no more to lose
}

TEST(Drop, OfOneTypeSparesTheOthers) {
  EXPECT_EQ(
      texts([](World& world) {
        world.order(Delivery::fifo);
        const auto sink = world.spawn<Sink>("sink");
        world.send(sink, Other{1});
        world.send(sink, Mark{2});
        world.faults().drop<Mark>(2);
      }),
      (Texts{"Other{n: 1}, Mark{n: 2}", "Other{n: 1}, drop Mark{n: 2}", "drop Mark{n: 2}, Other{n: 1}"}));
}

// Two messages in every order, and each of them is lost or not; with one budget for both, at most one is.
TEST(Drop, TypesHaveBudgetsOfTheirOwn) {
  const auto runs = [](const std::function<void(World&)>& faults) {
    return counts([&](World& world) {
             const auto sink = world.spawn<Sink>("sink");
             world.send(sink, Mark{1});
             world.send(sink, Other{2});
             faults(world);
           })
        .runs;
  };
  EXPECT_EQ(runs([](World& world) { world.faults().drop<Mark>(1).drop<Other>(1); }), 2U * 4);
  EXPECT_EQ(runs([](World& world) { world.faults().drop<Mark>(0).drop<Other>(1); }), 2U * 2);
  EXPECT_EQ(runs([](World& world) { world.faults().drop<Mark, Other>(1); }), 2U * 3);
  // A copy may come before or after each of the other two: 1, 2, and the copies of both.
  EXPECT_EQ(runs([](World& world) { world.faults().duplicate<Mark>(1).duplicate<Other>(1); }),
            runs([](World& world) { world.faults().duplicate<Other>(1).duplicate<Mark>(1); }));
  EXPECT_GT(runs([](World& world) { world.faults().duplicate<Mark>(1).duplicate<Other>(1); }),
            runs([](World& world) { world.faults().duplicate<Mark, Other>(1); }));
}

// What stood behind a lost message moves up: fifo 0 1 with one drop. Deliver 0, then 1 or lose 1; lose 0,
// then 1; lose 1 while 0 is still there, then 0.
TEST(Drop, AQueueMovesUp) {
  EXPECT_EQ(texts([](World& world) {
              world.order(Delivery::fifo);
              const auto sink = world.spawn<Sink>("sink");
              world.send(sink, Mark{0});
              world.send(sink, Mark{1});
              world.faults().drop(1);
            }),
            (Texts{"Mark{n: 0}, Mark{n: 1}", "Mark{n: 0}, drop Mark{n: 1}", "drop Mark{n: 0}, Mark{n: 1}",
                   "drop Mark{n: 1}, Mark{n: 0}"}));
}

// One message each for two actors, one drop: 2! * (1 + 2) executions; who lost what: 3 classes.
TEST(Drop, ConcernsOnlyTheReceiver) {
  EXPECT_EQ(counts([](World& world) {
              for (const auto sink : world.group<Sink>("sink", 2)) world.send(sink, Mark{});
              world.faults().drop(1);
            }),
            (Counts{6, 3}));
}

// Messages whose budgets differ are counted apart, by numbers that have an end.
template <int N> struct Numbered { int n = N; };
template <int... N> every_run::Body dropping(std::integer_sequence<int, N...>) {
  return marks(1, [](World& world) { (world.faults().drop<Numbered<N>>(1), ...); });
}

TEST(Drop, HasBudgetsForUpTo127Types) {
  // Nothing can be lost: the message is delivered.
  EXPECT_EQ(counts(dropping(std::make_integer_sequence<int, 127>())), (Counts{1, 1}));
  const auto too_many = [] { (void)counts(dropping(std::make_integer_sequence<int, 128>())); };
  EXPECT_THAT(complaint_of(too_many), testing::HasSubstr("at most 127 can be told apart"));
}

}  // namespace
}  // namespace gainsay::drop_test
