// Cuts between blocks of actors: what they hold or lose, when they heal, and how often there may be one.
#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::partition_test {
namespace {

using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using every_run::texts;
using fault_worlds::Mark;
using fault_worlds::Sink;
using Texts = std::vector<std::string>;

const std::string cut_text = "partition cut: a | b";
const std::string heal_text = "heal cut: a | b";

// A message from a to b; the cut is between them.
every_run::Body divided(
    std::uint32_t for_steps, bool drops, const std::function<void(World&)>& more = [](World&) {}) {
  return [=](World& world) {
    const auto a = world.spawn<Sink>("a");
    const auto b = world.spawn<Sink>("b");
    world.send_from(a, b, Mark{});
    world.faults().partition("cut", {a, b}, for_steps, drops);
    more(world);
  };
}

TEST(Partition, HoldsMessagesUntilItHeals) {
  EXPECT_EQ(texts(divided(0, false)),
            (Texts{"Mark{n: 0}, " + cut_text + ", " + heal_text, "Mark{n: 0}, " + cut_text, "Mark{n: 0}",
                   cut_text + ", " + heal_text + ", Mark{n: 0}", cut_text}));
}

TEST(Partition, OrLosesThem) {
  const every_run::Body body = divided(0, true, [](World& world) {
    world.finally("seen", [](View v) -> Complaint {
      if (v[Ref<Sink>(ActorId{1})].got.empty()) return "lost";
      return {};
    });
  });
  EXPECT_EQ(texts(body),
            (Texts{"Mark{n: 0}, " + cut_text + ", " + heal_text, "Mark{n: 0}, " + cut_text, "Mark{n: 0}",
                   cut_text + ", lost Mark{n: 0}, " + heal_text, cut_text + ", lost Mark{n: 0}",
                   cut_text + ", " + heal_text + ", Mark{n: 0}"}));
  // Lost means that nobody sees it.
  const auto runs = every_run(body);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].trace.violation.has_value(), i == 3 || i == 4) << i;
  }
}

// It is an event of its own, which says what lost the message; files of before there was one are followed as well.
TEST(Partition, WhatItLosesSaysSo) {
  const Blueprint blueprint = every_run::build(divided(0, true));
  std::size_t lost = 0;
  for (const OneRun& run : every_run(blueprint)) {
    std::vector<Decision> old = run.trace.decisions();
    for (Decision& step : old) {
      if (step.kind == EventKind::lost) step.kind = EventKind::deliver;
    }
    const Replay replay = replay_steps(blueprint, old, 100);
    EXPECT_FALSE(replay.diverged_at) << replay.divergence;
    for (std::size_t i = 0; i < run.trace.steps.size(); ++i) {
      const DocumentStep& step = replay.document.steps[i];
      EXPECT_EQ(step.kind, run.trace.steps[i].event.kind);
      EXPECT_EQ(step.cut, step.kind == EventKind::lost ? "partition cut" : "");
      lost += step.kind == EventKind::lost ? 1 : 0;
    }
  }
  EXPECT_EQ(lost, 2U);
}

// For one step: x crosses, y does not.
//   x first: y, then the cut or not (a cut that leaves nothing to do heals at once) | the cut, then y   3
//   y first: x, then the cut or not | the cut, which leaves nothing to do, then x                       3
//   the cut first: only y, after which it has healed, then x                                            1
TEST(Partition, HealsByItselfAfterSoManySteps) {
  const auto all = texts(divided(1, false, [](World& world) { world.send(Ref<Sink>(ActorId{1}), Mark{9}); }));
  const std::string x = "Mark{n: 0}";
  const std::string y = "Mark{n: 9}";
  const std::string comma = ", ";
  EXPECT_EQ(all, (Texts{x + comma + y + comma + cut_text, x + comma + y, x + comma + cut_text + comma + y,
                        y + comma + x + comma + cut_text, y + comma + x, y + comma + cut_text + comma + x,
                        cut_text + comma + y + comma + x}));
}

// Three that do not cross, a cut first of all: what crosses waits for as many of them as the cut lasts, and
// may be next.
TEST(Partition, CountsSteps) {
  for (const std::uint32_t steps : {1U, 2U, 3U}) {
    bool next = false;
    for (const OneRun& run : every_run(divided(steps, false, [](World& world) {
           for (int i = 1; i <= 3; ++i) world.send(Ref<Sink>(ActorId{1}), Mark{i});
         }))) {
      if (run.trace.steps[0].event.kind != EventKind::partition) continue;
      for (std::uint32_t i = 1; i <= steps; ++i) EXPECT_EQ(run.trace.steps[i].event.sender, outside);
      next = next || run.trace.steps[steps + 1].event.sender == ActorId{0};
    }
    EXPECT_TRUE(next);
  }
}

TEST(Partition, TheBudgetIsForAllTogether) {
  const auto program = [](std::uint32_t budget) {
    return counts([=](World& world) {
             const auto a = world.spawn<Sink>("a");
             const auto b = world.spawn<Sink>("b");
             world.send_from(a, b, Mark{});
             world.faults().partition("p", {a, b}).partition("q", {b, a}).partitions(budget);
           })
        .runs;
  };
  // With the message delivered, W(b) executions are left: stop, or one of two cuts, and there stop or heal:
  // W(0) = 1, W(b) = 1 + 2 (1 + W(b-1)): W(1) = 5, W(2) = 13. While it is held: stop, or heal: H(b) = 1 +
  // S(b). From the beginning: deliver, or one of two cuts: S(0) = 1, S(b) = W(b) + 2 H(b-1). H(0) = 2; S(1) =
  // 5 + 4 = 9; H(1) = 10; S(2) = 13 + 20 = 33.
  EXPECT_EQ(program(1), 9U);
  EXPECT_EQ(program(2), 33U);
}

// Who is in no block reaches everybody, and so does the outside; within a block nothing is cut.
TEST(Partition, CutsOnlyBetweenBlocks) {
  for (const OneRun& run : every_run([](World& world) {
         const auto sinks = world.group<Sink>("s", 4);
         world.order(Delivery::mailbox);
         world.send_from(sinks[0], sinks[1], Mark{1});  // within a block
         world.send_from(sinks[3], sinks[2], Mark{2});  // from who is in none
         world.send_from(sinks[2], sinks[3], Mark{3});  // to who is in none
         world.send(sinks[2], Mark{4});
         world.send_from(sinks[0], sinks[0], Mark{5});  // to oneself
         world.faults().partition("cut", {{sinks[0], sinks[1]}, sinks[2]});
       })) {
    std::size_t delivered = 0;
    for (const Step& step : run.trace.steps) delivered += step.event.kind == EventKind::deliver ? 1 : 0;
    EXPECT_EQ(delivered, 5U);
  }
}

// In a mailbox, what cannot get through is overtaken: a's message stands before b's.
//   a first: b, then cut and heal | cut | nothing; or cut, then b and (heal | nothing), or heal and b    6
//   cut first: b, then heal and a | nothing; or heal, then a b                                           3
TEST(Partition, AMailboxIsNotBlocked) {
  EXPECT_EQ(counts([](World& world) {
              world.order(Delivery::mailbox);
              const auto c = world.spawn<Sink>("c");
              const auto a = world.spawn<Sink>("a");
              const auto b = world.spawn<Sink>("b");
              world.send_from(a, c, Mark{1});
              world.send_from(b, c, Mark{2});
              world.faults().partition("cut", {a, c});
            }).runs,
            9U);
}

}  // namespace
}  // namespace gainsay::partition_test
