// The memo: what is remembered, forgotten and given up, and that nobody sees any difference.
#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/execution/run/execution.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::memo_test {
namespace {

struct Mark {
  int n = 0;
};

// Mixes everything it gets into its state, so that hardly any state comes back.
struct Hoarder {
  using Receives = Messages<Mark>;
  std::uint64_t state = 1;
  Ref<Hoarder> other;
  void on(const Mark& mark, Context& ctx) {
    state = mix(state, static_cast<std::uint64_t>(mark.n) + 1);
    if (mark.n > 0) ctx.send(other, Mark{mark.n - 1});
    ctx.check(state % 64 != 0, "one in 64");
  }
};

// Has two states and sees many of the same messages.
struct Toggle {
  using Receives = Messages<Mark>;
  bool on_ = false;
  void on(const Mark&) { on_ = !on_; }
};

Blueprint mixed() {
  return every_run::build([](World& world) {
    const auto a = world.declare<Hoarder>("a");
    const auto b = world.spawn("b", Hoarder{.state = 2, .other = a});
    world.init(a, Hoarder{.state = 1, .other = b});
    const auto toggle = world.spawn<Toggle>("toggle");
    for (int i = 0; i < 6; ++i) {
      world.send(a, Mark{5 + i});
      world.send(b, Mark{5 + i});
      for (int k = 0; k < 4; ++k) world.send(toggle, Mark{i});
    }
    world.always("parity", {a, toggle}, [a, toggle](View v) -> Complaint {
      if (v[toggle].on_ && v[a].state % 200 == 7) return "odd";
      return {};
    });
  });
}

struct Outcome {
  std::vector<EventId> ids;
  std::optional<Violation> violation;
  std::uint64_t trace_class = 0;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run_once(Execution& execution, RandomStrategy& strategy, std::uint64_t index) {
  const auto keep = strategy.begin({index, 1, 10'000});
  const RunOutcome outcome = execution.run(strategy, *keep);
  Outcome result{{}, outcome.violation, outcome.trace_class};
  for (const StepRecord& record : execution.records()) result.ids.push_back(record.id);
  return result;
}

// An actor whose handler runs for more than a quarter of its steps, after some thousands of them, is executed
// live from then on; one whose steps are remembered is not; and no execution differs from one without the
// memo.
TEST(Memo, IsGivenUpWhereItDoesNotPay) {
  const Blueprint blueprint = mixed();
  Execution memo(blueprint, {});
  Execution live(blueprint, {.memo = false});
  RandomStrategy strategy_a({});
  RandomStrategy strategy_b({});
  std::size_t violated = 0;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const Outcome expected = run_once(live, strategy_b, i);
    ASSERT_EQ(run_once(memo, strategy_a, i), expected) << "run " << i;
    violated += expected.violation ? 1 : 0;
    memo.tidy(~std::size_t{0});
    live.tidy(~std::size_t{0});
  }
  EXPECT_GT(violated, 100U);
  EXPECT_LT(violated, 600U);
  const auto is_live = [&](std::size_t slot) { return memo.world().cells[slot] == live_cell; };
  EXPECT_TRUE(is_live(0));
  EXPECT_TRUE(is_live(1));
  EXPECT_FALSE(is_live(2));
  EXPECT_LE(memo.kernel().handler_calls(2), 2U * 6U);  // states times messages
}

// Everything is forgotten between runs as soon as it takes more room than it may.
TEST(Memo, CanBeForgottenBetweenRuns) {
  const Blueprint blueprint = mixed();
  Execution memo(blueprint, {});
  Execution forgetful(blueprint, {});
  RandomStrategy strategy_a({});
  RandomStrategy strategy_b({});
  std::size_t most = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Outcome expected = run_once(memo, strategy_a, i);
    ASSERT_EQ(run_once(forgetful, strategy_b, i), expected) << "run " << i;
    most = std::max(most, forgetful.kernel().bytes());
    forgetful.tidy(0);
  }
  EXPECT_GT(memo.kernel().bytes(), most);
  EXPECT_GT(forgetful.kernel().handler_calls(2), memo.kernel().handler_calls(2));
}

// A dfs whose memory is taken away after every run still goes through the same executions (in every_run),
// also with gates, choices, timers and faults.
struct Everything {
  using Receives = Messages<Mark>;
  std::uint32_t got = 0;
  bool accepts(const Mark& mark) const { return mark.n < 3 || got > 0; }
  void on(const Mark& mark, Context& ctx) {
    got += 1 + ctx.choose(2);
    ctx.persist(mark);
    if (mark.n == 1) ctx.after(Duration(1), Mark{4});
    if (mark.n == 4) ctx.cancel<Mark>();
  }
};

TEST(Memo, CanBeForgottenInTheMiddleOfASearch) {
  EXPECT_GT(every_run::counts([](World& world) {
              const auto actor = world.spawn<Everything>("everything");
              world.order(Delivery::fifo);
              world.send(actor, Mark{3});
              world.send(actor, Mark{1});
              world.faults().drop(1).crash(1, actor).restart(1);
            }).runs,
            100U);
}

// The key of a remembered step is the whole of (local state, sender, message): two messages that differ only
// in who sent them.
struct Remembers {
  using Receives = Messages<Mark>;
  std::vector<std::uint64_t> senders;
  void on(const Mark&, Context& ctx) { senders.push_back(ctx.sender() == outside ? 99 : ctx.sender().raw); }
};

TEST(Memo, KnowsTheSender) {
  const auto runs = every_run::every_run([](World& world) {
    const auto actor = world.spawn<Remembers>("actor");
    const auto others = world.group<Toggle>("other", 2);
    world.order(Delivery::mailbox);
    world.send_from(others[0], actor, Mark{});
    world.send_from(others[1], actor, Mark{});
    world.send(actor, Mark{});
    world.finally("senders", [actor](View v) -> Complaint {
      if (v[actor].senders != std::vector<std::uint64_t>{1, 2, 99}) return "mixed up";
      return {};
    });
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.violation, std::nullopt);
}

// Equal states of two actors of one type are two: what one does must not be taken for what the other does.
struct Selfish {
  using Receives = Messages<Mark>;
  int mine = 0;
  void on(const Mark&, Context& ctx) { mine = static_cast<int>(ctx.self().raw) + 1; }
};

TEST(Memo, KnowsTheReceiver) {
  for (const auto& run : every_run::every_run([](World& world) {
         const auto group = world.group<Selfish>("s", 3);
         for (const auto each : group) world.send(each, Mark{});
         world.finally("own", [group](View v) -> Complaint {
           for (std::size_t i = 0; i < 3; ++i) {
             if (v[group[i]].mine != static_cast<int>(i) + 1) return "took another's";
           }
           return {};
         });
       })) {
    EXPECT_EQ(run.trace.violation, std::nullopt);
  }
}

// Hidden local state is part of the key: the durable part and the number of actors spawned.
struct Hidden {
  using Receives = Messages<Mark>;
  int seen = 0;
  void on(const Mark& mark, Context& ctx) {
    if (mark.n < 10) {
      ctx.persist(mark);
    } else {
      seen = ctx.recover<Mark>().value_or(Mark{-1}).n;
    }
  }
};

TEST(Memo, KnowsTheDurablePart) {
  std::set<std::string> seen;
  for (const auto& run : every_run::every_run([](World& world) {
         const auto actor = world.spawn<Hidden>("hidden");
         for (const int n : {1, 2, 10}) world.send(actor, Mark{n});
         world.finally("seen", [actor](View v) -> Complaint { return std::to_string(v[actor].seen); });
       })) {
    // What was persisted last before the 10 is what it recovers.
    int last = -1;
    for (const Step& step : run.trace.steps) {
      const EventId id = step.event.id;
      if (id == outside_event_id(EventKind::deliver, ActorId{0}, 2)) break;
      last = id == outside_event_id(EventKind::deliver, ActorId{0}, 0) ? 1 : 2;
    }
    EXPECT_EQ(run.trace.violation.value().message, std::to_string(last));
    seen.insert(run.trace.violation->message);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"-1", "1", "2"}));
}

// --- const handlers ---

// Its handler is const: only what it does by its context can be seen.
struct Listener {
  using Receives = Messages<Mark>;
  int unused = 0;
  void on(const Mark& mark, Context& ctx) const {
    if (mark.n == 1) ctx.persist(mark);
    if (mark.n == 2) ctx.halt();
  }
};

TEST(ConstHandler, LeavesNothingToJudge) {
  int asked = 0;
  const Blueprint blueprint = every_run::build([&](World& world) {
    const auto listener = world.spawn<Listener>("listener");
    for (int i = 0; i < 5; ++i) world.send(listener, Mark{0});
    world.always("asked", {listener}, [&asked, listener](View v) -> Complaint {
      asked += 1 + v[listener].unused;
      return {};
    });
  });
  Execution live(blueprint, {.memo = false});
  RandomStrategy strategy({});
  EXPECT_EQ(run_once(live, strategy, 0).ids.size(), 5U);
  EXPECT_EQ(asked, 1);  // of the world that it begins with
}

// Every actor is asked about in the first world, and then the one that has changed.
TEST(AlwaysEach, IsAskedOfTheActorThatHasChanged) {
  std::vector<ActorId> asked;
  std::vector<ActorId> expected;
  const Blueprint blueprint = every_run::build([&](World& world) {
    const auto toggles = world.group<Toggle>("toggle", 3);
    expected = {toggles[0], toggles[1], toggles[2], toggles[1], toggles[1]};
    for (int i = 0; i < 2; ++i) world.send(toggles[1], Mark{i});
    world.always_each("asked", toggles, [&asked](View, Ref<Toggle> each) -> Complaint {
      asked.push_back(each);
      return {};
    });
  });
  Execution live(blueprint, {.memo = false});
  RandomStrategy strategy({});
  EXPECT_EQ(run_once(live, strategy, 0).ids.size(), 2U);
  EXPECT_EQ(asked, expected);
}

// The modes of every_run, of which two call handlers live, agree.
TEST(ConstHandler, MayHaltAndStore) {
  std::set<std::string> seen;
  for (const auto& run : every_run::every_run([](World& world) {
         const auto listener = world.spawn<Listener>("listener");
         for (const int n : {0, 1, 2}) world.send(listener, Mark{n});
         world.always("up and blank", {listener}, [listener](View v) -> Complaint {
           if (v.halted(listener)) return "it has halted";
           if (v.durable<Mark>(listener)) return "it has stored";
           return {};
         });
       })) {
    ASSERT_TRUE(run.trace.violation);
    seen.insert(run.trace.violation->message);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"it has halted", "it has stored"}));
}

struct Sly {
  using Receives = Messages<Mark>;
  mutable int calls = 0;
  void on(const Mark&) const { ++calls; }
};

TEST(ConstHandler, MustNotChangeAMutableField) {
  const Blueprint blueprint =
      every_run::build([](World& world) { world.send(world.spawn<Sly>("sly"), Mark{0}); });
  Execution memo(blueprint, {});
  RandomStrategy strategy({});
  const Outcome outcome = run_once(memo, strategy, 0);
  ASSERT_TRUE(outcome.violation);
  EXPECT_EQ(outcome.violation->property, "mutable field");
  EXPECT_EQ(outcome.violation->message,
            "a const handler of sly changes a field: make the handler non-const, or the field not mutable");
}

}  // namespace
}  // namespace gainsay::memo_test
