// Faults together: exact numbers of executions of tiny worlds, and what is left after them.
//
// A world is quiescent when only faults are left; stopping there is one more choice. Where neither is
// possible any more the execution just ends.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/marks.test.hpp"

namespace gainsay::faults_test {
namespace {

using every_run::counts;
using every_run::every_run;
using every_run::OneRun;
using fault_worlds::Mark;
using fault_worlds::marks;
using fault_worlds::Sink;

// One message, one drop and one duplicate: deliver; drop; or double, then two messages and one drop: 2! * (1
// + 2).
TEST(Faults, DropAndDuplicate) {
  EXPECT_EQ(counts(marks(1, [](World& world) { world.faults().drop(1).duplicate(1); })).runs, 1U + 1U + 6U);
}

// Drop and crash, one each, one message. Once it is gone: crash or stop, 2. So: deliver 2, drop 2; crash
// first: then deliver (lost) or drop, 2.
TEST(Faults, DropAndCrash) {
  EXPECT_EQ(
      counts(marks(1, [](World& world) { world.faults().drop(1).crash(1, Ref<Sink>(ActorId{0})); })).runs,
      6U);
}

// A fault is offered only while its budget lasts, whatever else happens.
TEST(Faults, BudgetsAreKept) {
  std::map<EventKind, int> most;
  for (const OneRun& run : every_run([](World& world) {
         const auto sinks = world.group<Sink>("s", 2);
         world.order(Delivery::fifo);
         world.send_from(sinks[0], sinks[1], Mark{1});
         world.send(sinks[0], Mark{2});
         world.faults().drop(1).duplicate(1).crash(1, sinks).restart(1).partition("cut", {sinks[0], sinks[1]},
                                                                                  1);
       })) {
    std::map<EventKind, int> counted;
    for (const Step& step : run.trace.steps) ++counted[step.event.kind];
    for (const auto& [kind, count] : counted) most[kind] = std::max(most[kind], count);
    EXPECT_LE(counted[EventKind::restart], counted[EventKind::crash]);
  }
  for (const EventKind kind :
       {EventKind::drop, EventKind::duplicate, EventKind::crash, EventKind::restart, EventKind::partition}) {
    EXPECT_EQ(most[kind], 1) << kind_name(kind);
  }
}

// Invariants see who is down.
TEST(Faults, ChangesOfStatusAreJudged) {
  const auto runs = every_run(marks(1, [](World& world) {
    const Ref<Sink> sink(ActorId{0});
    world.faults().crash(1, sink);
    world.always("up", sink, [sink](View v) -> Complaint {
      if (v.crashed(sink)) return "down";
      return {};
    });
  }));
  ASSERT_EQ(runs.size(), 3U);  // deliver and crash; deliver; crash
  EXPECT_EQ(runs[0].trace.violation.value().step, 1U);
  EXPECT_EQ(runs[1].trace.violation, std::nullopt);
  EXPECT_EQ(runs[2].trace.violation.value().step, 0U);
}

}  // namespace
}  // namespace gainsay::faults_test
