// Stable ids: the same message has the same id in every schedule in which its cause is the same, and no
// other.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay::event_ids_test {
namespace {

using every_run::build;
using every_run::every_run;
using every_run::OneRun;

struct Go {
  int n = 0;
};
struct Mark {
  int n = 0;
};

// The ids under which each payload (as printed) is seen over all executions.
std::map<std::string, std::set<std::uint64_t>> ids_by_message(const every_run::Body& body) {
  const Blueprint blueprint = build(body);
  std::map<std::string, std::set<std::uint64_t>> ids;
  for (const OneRun& run : every_run(blueprint)) {
    for (const DocumentStep& step : replay_steps(blueprint, run.trace.decisions(), 200).document.steps) {
      ids[step.message].insert(step.id.raw);
    }
  }
  return ids;
}

struct Sink {
  using Receives = Messages<Mark>;
  std::vector<int> got;
  void on(const Mark& mark) { got.push_back(mark.n); }
};

struct Relay {
  using Receives = Messages<Go, Mark>;
  std::vector<std::pair<ActorId, int>> sends;
  void on(const Go&, Context& ctx) { relay(ctx); }
  void on(const Mark&, Context& ctx) { relay(ctx); }
  void relay(Context& ctx) {
    for (const auto& [to, n] : sends) ctx.send(to, Mark{n});
  }
};

// Seven messages over two hops in hundreds of schedules: one id each, seven ids in all.
TEST(EventIds, DoNotDependOnTheSchedule) {
  const auto ids = ids_by_message([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto b = world.spawn("b", Relay{.sends = {{sink, 1}, {sink, 2}}});
    const auto a = world.spawn("a", Relay{.sends = {{b, 3}, {sink, 4}}});
    world.send(sink, Mark{5});
    world.send(a, Go{6});
  });
  std::set<std::uint64_t> all;
  EXPECT_EQ(ids.size(), 6U);
  for (const auto& [message, its_ids] : ids) {
    EXPECT_EQ(its_ids.size(), 1U) << message;
    all.insert(its_ids.begin(), its_ids.end());
  }
  EXPECT_EQ(all.size(), 6U);
}

// The formula itself, because trace files hold ids and other programs read them.
TEST(EventIds, AreMadeFromCauseAndOrdinal) {
  const auto runs = every_run([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto a = world.spawn("a", Relay{.sends = {{sink, 1}, {sink, 2}}});
    world.order(Delivery::fifo);
    world.send(a, Go{});
    world.send(sink, Mark{0});
  });
  ASSERT_EQ(runs.size(), 4U);               // Go before 1 before 2, 0 anywhere
  const auto& steps = runs[0].trace.steps;  // dfs begins with the first of everything: Go, 0, 1, 2
  const EventId go = outside_event_id(EventKind::deliver, ActorId{1}, 0);
  EXPECT_EQ(steps[0].event.id, go);
  EXPECT_EQ(steps[1].event.id, outside_event_id(EventKind::deliver, ActorId{0}, 0));
  EXPECT_EQ(steps[2].event.id, child_event_id(go.raw, EventKind::deliver, 0));
  EXPECT_EQ(steps[3].event.id, child_event_id(go.raw, EventKind::deliver, 1));
  EXPECT_EQ(steps[2].event.parent, 0U);
  EXPECT_EQ(steps[0].event.parent, no_step);
  EXPECT_EQ(steps[0].event.sender, outside);
  EXPECT_EQ(steps[2].event.sender, ActorId{1});
  EXPECT_EQ(steps[2].event.receiver, ActorId{0});
  EXPECT_EQ(steps[2].event.type, reflect::value_type<Mark>().name_hash);
}

// Sends to its sink on the first message only: another cause, another id, although the payload is the same.
struct Once {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  bool sent = false;
  void on(const Go&, Context& ctx) {
    if (!sent) ctx.send(sink, Mark{7});
    sent = true;
  }
};

TEST(EventIds, FollowTheCause) {
  const auto ids = ids_by_message([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto once = world.spawn("once", Once{.sink = sink});
    for (int i = 0; i < 3; ++i) world.send(once, Go{i});
  });
  ASSERT_EQ(ids.size(), 4U);
  for (const auto& [message, its_ids] : ids)
    EXPECT_EQ(its_ids.size(), message[0] == 'M' ? 3U : 1U) << message;
}

// Tells its sink how many messages came before: one id, several payloads. Who follows ids must know that.
struct Counter {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  int count = 0;
  void on(const Go& go, Context& ctx) {
    if (go.n == 0) ctx.send(sink, Mark{count});
    ++count;
  }
};

TEST(EventIds, DoNotDependOnThePayload) {
  const auto ids = ids_by_message([](World& world) {
    const auto sink = world.spawn<Sink>("sink");
    const auto counter = world.spawn("counter", Counter{.sink = sink});
    for (int i = 0; i < 3; ++i) world.send(counter, Go{i});
  });
  std::set<std::uint64_t> of_marks;
  std::size_t payloads = 0;
  for (const auto& [message, its_ids] : ids) {
    if (message[0] != 'M') continue;
    ++payloads;
    of_marks.insert(its_ids.begin(), its_ids.end());
  }
  EXPECT_EQ(payloads, 3U);
  EXPECT_EQ(of_marks.size(), 1U);
}

// Asks two questions and sends the same whatever the answers are.
struct Asker2 {
  using Receives = Messages<Go>;
  Ref<Sink> sink;
  bool asks = true;
  void on(const Go&, Context& ctx) {
    if (asks) {
      ctx.choose(2);
      ctx.choose(3);
    }
    ctx.send(sink, Mark{1});
    ctx.send(sink, Mark{2});
  }
};

// Six pairs of answers name six families of children, and none of them is the family of no answers.
TEST(EventIds, HoldTheDataChoicesOfTheParent) {
  std::set<std::uint64_t> all;
  for (const bool asks : {true, false}) {
    const auto ids = ids_by_message([asks](World& world) {
      const auto sink = world.spawn<Sink>("sink");
      world.send(world.spawn("asker", Asker2{.sink = sink, .asks = asks}), Go{});
    });
    for (const auto& [message, its_ids] : ids) {
      if (message[0] != 'M') continue;
      EXPECT_EQ(its_ids.size(), asks ? 6U : 1U) << message;
      all.insert(its_ids.begin(), its_ids.end());
    }
  }
  EXPECT_EQ(all.size(), 14U);
}

struct Child {
  using Receives = Messages<Mark>;
  void on_start(Context&) {}
  void on(const Mark&) {}
};

// One handler makes a message, a timer and a start, each the first of its kind, and each again.
struct Parent {
  using Receives = Messages<Go, Mark>;
  void on(const Go&, Context& ctx) {
    for (int i = 0; i < 2; ++i) {
      ctx.send(ctx.self(), Mark{1});
      ctx.after(Duration(1), Mark{2 + i});
      ctx.spawn(Child{});
    }
  }
  void on(const Mark&) {}
};

// Six children: 6! orders, each id once in each execution (every_run looks), the same six in all of them. At
// the parent 4 events in 4! orders; each child has one event: 24 classes.
TEST(EventIds, TellKindsApart) {
  const Blueprint blueprint = build([](World& world) { world.send(world.spawn<Parent>("parent"), Go{}); });
  const auto runs = every_run(blueprint);
  EXPECT_EQ(runs.size(), 720U);
  std::set<std::uint64_t> ids;
  for (const OneRun& run : runs) {
    for (const Step& step : run.trace.steps) ids.insert(step.event.id.raw);
  }
  EXPECT_EQ(ids.size(), 7U);
  EXPECT_EQ(every_run::classes_of(runs, 1), 24U);
}

// A timer that is armed again is another event: the first one's id is gone for good.
struct Rearming {
  using Receives = Messages<Go, Mark>;
  void on(const Go&, Context& ctx) { ctx.after(Duration(1), Mark{1}); }
  void on(const Mark&) {}
};

TEST(EventIds, OfARearmedTimerAreNew) {
  const auto ids = ids_by_message([](World& world) {
    const auto actor = world.spawn<Rearming>("rearming");
    world.send(actor, Go{0});
    world.send(actor, Go{1});
  });
  std::size_t of_timers = 0;
  for (const auto& [message, its_ids] : ids) of_timers += message[0] == 'M' ? its_ids.size() : 0;
  EXPECT_EQ(of_timers, 2U);  // one for each Go that arms it
}

// Faults are named by what they hit and how often.
TEST(EventIds, OfFaultsAreStableToo) {
  const Blueprint blueprint = build([](World& world) {
    const auto sinks = world.group<Sink>("sink", 2);
    world.send(sinks[0], Mark{0});
    world.send(sinks[1], Mark{1});
    world.faults().crash(1, sinks).restart(1).drop(1);
  });
  std::map<std::pair<int, std::uint32_t>, std::set<std::uint64_t>> ids;
  for (const OneRun& run : every_run(blueprint)) {
    for (const Step& step : run.trace.steps) {
      ids[{static_cast<int>(step.event.kind), step.event.receiver.raw}].insert(step.event.id.raw);
    }
  }
  EXPECT_EQ(ids.size(), 8U);  // deliver, drop, crash, restart at either
  std::set<std::uint64_t> all;
  for (const auto& [what, its_ids] : ids) {
    EXPECT_EQ(its_ids.size(), 1U);
    all.insert(its_ids.begin(), its_ids.end());
  }
  EXPECT_EQ(all.size(), 8U);
}

}  // namespace
}  // namespace gainsay::event_ids_test
