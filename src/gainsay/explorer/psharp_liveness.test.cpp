// P#'s liveness tests: what each of them asks, P#'s expected answer, and ours.
//
// The programs are our own and as small as the question. P# tells hot, cold and unmarked (warm) states apart, calls a
// cycle fair if every machine that is enabled on it is scheduled on it and every fair coin falls both ways, and reports
// a monitor that is hot where the program ends (Deligiannis and others, FAST 2016, section 2.5; its tests of hot, cold
// and warm states, of cycles, of nondeterministic loops and of unfair executions). Here explore, a random hunt and dfs
// must all give P#'s answer, with P#'s fairness; where another kind of fairness says something else, that is said too.
#include <functional>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::psharp_liveness_test {
namespace {

struct Ask {};   // a user waits
struct Give {};  // and is served
struct Rest {};  // neither

// Cold, then hot while a user waits; `Rest` takes it to a state that is neither.
struct WatchDog {
  enum class State { can_get_input, cannot_get_input, between };
  using Observes = Messages<Ask, Give, Rest>;
  MonitorMachine<State> machine{};
  static void table(Table<WatchDog>& t) {
    t.start(State::can_get_input);
    t.in(State::can_get_input).cold().go_to<Ask>(State::cannot_get_input).ignore<Give, Rest>();
    t.in(State::cannot_get_input)
        .hot("the user must get an answer")
        .go_to<Give>(State::can_get_input)
        .go_to<Rest>(State::between)
        .ignore<Ask>();
    t.in(State::between).go_to<Ask>(State::cannot_get_input).go_to<Give>(State::can_get_input).ignore<Rest>();
  }
};

struct Loop {};
struct Other {};

// What a handler tells the monitor, one after the other; then it goes on or stops.
enum class Says { ask, give, rest, ask_give, ask_rest, nothing };
void say(Says what, Context& ctx) {
  if (what == Says::ask || what == Says::ask_give || what == Says::ask_rest) ctx.notify<WatchDog>(Ask{});
  if (what == Says::give || what == Says::ask_give) ctx.notify<WatchDog>(Give{});
  if (what == Says::rest || what == Says::ask_rest) ctx.notify<WatchDog>(Rest{});
}

// First says one thing, then goes round two others for ever (`loops`).
struct Handler {
  using Receives = Messages<Loop, Other>;
  Says first = Says::nothing;
  Says even = Says::nothing;
  Says odd = Says::nothing;
  bool loops = true;
  bool coin = false;    // a fair coin decides whether the loop goes on
  bool choice = false;  // an adversary does
  std::uint32_t at = 0;
  void on(const Loop&, Context& ctx) {
    say(at == 0 ? first : at == 1 ? odd : even, ctx);
    at = at == 1 ? 2 : 1;
    if (coin && ctx.flip()) return ctx.notify<WatchDog>(Give{});
    if (choice && ctx.choose(2) == 1) return ctx.notify<WatchDog>(Give{});
    if (loops) ctx.send(ctx.self(*this), Loop{});
  }
  void on(const Other&, Context& ctx) { ctx.notify<WatchDog>(Give{}); }
};

// Serves when its message arrives, as often as it is sent again.
struct Server {
  using Receives = Messages<Loop>;
  bool again = false;
  void on(const Loop&, Context& ctx) {
    ctx.notify<WatchDog>(Give{});
    if (again) ctx.send(ctx.self(*this), Loop{});
  }
};

enum class Answer { none, at_end, endless };

Answer answer_of(const std::vector<FoundViolation>& violations) {
  if (violations.empty()) return Answer::none;
  EXPECT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].violation.property, "watch dog");
  EXPECT_FALSE(violations[0].violation.is_suspicion());
  return violations[0].violation.loop_from == no_step ? Answer::at_end : Answer::endless;
}

void expect_answers(const std::function<void(World&)>& body, Answer psharp, bool random_finds = true) {
  const FairnessKind fairness = FairnessKind::actor;
  const Scenario scenario = Scenario::of("p#", [&](World& world) {
    world.order(Delivery::mailbox);
    world.monitor<WatchDog>("watch dog");
    body(world);
  });
  ExploreOptions explored;
  explored.fairness = fairness;
  const ExploreResult all = explore(scenario, {}, explored);
  EXPECT_EQ(answer_of(all.violations), psharp) << "explore";
  EXPECT_EQ(all.live.empty(), psharp != Answer::none);
  HuntOptions options;
  options.runs = 20;
  options.steps_max = 1200;
  options.fairness = fairness;
  options.keep_going = true;
  EXPECT_EQ(answer_of(hunt(scenario, {}, options).violations), random_finds ? psharp : Answer::none)
      << "random";
  options.strategy = "dfs";
  options.runs = 5000;
  EXPECT_EQ(answer_of(hunt(scenario, {}, options).violations), psharp) << "dfs";
}

TEST(PSharpLiveness, AHotStateAtTheEndIsABug) {
  expect_answers(
      [](World& world) { world.send(world.spawn("h", Handler{.first = Says::ask, .loops = false}), Loop{}); },
      Answer::at_end);
}

TEST(PSharpLiveness, AColdStateAtTheEndIsNone) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask_give, .loops = false}), Loop{});
      },
      Answer::none);
}

TEST(PSharpLiveness, AWarmStateAtTheEndIsNone) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask_rest, .loops = false}), Loop{});
      },
      Answer::none);
}

TEST(PSharpLiveness, AUserWhoIsServedAgainAndAgainIsNoBug) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask, .even = Says::ask, .odd = Says::give}),
                   Loop{});
      },
      Answer::none);
}

TEST(PSharpLiveness, AHotCycleIsABug) {
  expect_answers([](World& world) { world.send(world.spawn("h", Handler{.first = Says::ask}), Loop{}); },
                 Answer::endless);
}

// The bug of warm states: hot, warm, hot, warm and never cold.
TEST(PSharpLiveness, ACycleOfHotAndWarmIsABug) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask, .even = Says::ask, .odd = Says::rest}),
                   Loop{});
      },
      Answer::endless);
}

TEST(PSharpLiveness, ACycleThatStaysWarmIsNone) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask_rest, .even = Says::rest, .odd = Says::rest}),
                   Loop{});
      },
      Answer::none);
}

// Hot for a moment within a step, and warm at its end: the same.
TEST(PSharpLiveness, HeatWithinAStepCounts) {
  expect_answers(
      [](World& world) {
        world.send(
            world.spawn("h", Handler{.first = Says::rest, .even = Says::ask_rest, .odd = Says::nothing}),
            Loop{});
      },
      Answer::endless);
}

// A loop that only a fair coin could keep hot for ever.
TEST(PSharpLiveness, ANondeterministicLoopWithAFairCoinIsNone) {
  expect_answers(
      [](World& world) { world.send(world.spawn("h", Handler{.first = Says::ask, .coin = true}), Loop{}); },
      Answer::none);
}

// A random walk would have to choose the same answer for 200 steps: it never does.
TEST(PSharpLiveness, ANondeterministicLoopOfAnAdversaryIsABug) {
  expect_answers(
      [](World& world) { world.send(world.spawn("h", Handler{.first = Says::ask, .choice = true}), Loop{}); },
      Answer::endless, false);
}

// Another machine could serve at any moment, and an unfair execution never lets it. It asks only once and the server
// serves for ever, so every fair execution is cold in the end.
TEST(PSharpLiveness, AnUnfairExecutionIsNone) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask}), Loop{});
        world.send(world.spawn("s", Server{true}), Loop{});
      },
      Answer::none);
}

// The server has served before anybody asked.
TEST(PSharpLiveness, AServerThatCameTooEarlyIsABug) {
  expect_answers(
      [](World& world) {
        world.send(world.spawn("h", Handler{.first = Says::ask}), Loop{});
        world.send(world.spawn("s", Server{false}), Loop{});
      },
      Answer::endless);
}

// A ring in which the token goes round and the user waits.
struct Ring {
  using Receives = Messages<Loop>;
  Ref<Ring> next;
  bool asks = false;
  void on(const Loop&, Context& ctx) {
    if (asks) ctx.notify<WatchDog>(Ask{});
    asks = false;
    ctx.send(next, Loop{});
  }
};

TEST(PSharpLiveness, ARingOfNodesThatHandsTheTokenOnIsABug) {
  expect_answers(
      [](World& world) {
        const auto ring = world.group<Ring>("node", 3, [](std::size_t i, Group<Ring> all) {
          return Ring{all[(i + 1) % 3], i == 0};
        });
        world.send(ring[0], Loop{});
      },
      Answer::endless);
}

// A counter that grows is no cycle: nothing is proved, and nothing is suspected before the temperature.
struct Step {
  int n = 0;
};
struct Counter {
  using Receives = Messages<Step>;
  int n = 0;
  void on(const Step& step, Context& ctx) {
    if (n == 0) ctx.notify<WatchDog>(Ask{});
    n = step.n + 1;
    ctx.send(ctx.self(*this), Step{n});
  }
};

TEST(PSharpLiveness, ACounterIsSuspectedAndNotProved) {
  const Scenario scenario = Scenario::of("p#", [](World& world) {
    world.monitor<WatchDog>("watch dog");
    world.send(world.spawn<Counter>("counter"), Step{});
  });
  HuntOptions options;
  options.runs = 1;
  options.steps_max = 1200;
  const HuntResult result = hunt(scenario, {}, options);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_TRUE(result.violations[0].violation.is_suspicion());
  EXPECT_EQ(result.verdict(), Verdict::suspected);
  EXPECT_EQ(result.exit_code(), 3);
  options.suspicions_fail = true;
  const HuntResult strict = hunt(scenario, {}, options);
  EXPECT_EQ(strict.verdict(), Verdict::violated);
  EXPECT_EQ(strict.exit_code(), 1);
}

// Monitors that go on in the entry of a state, and in the one they start in.
struct Hasty {
  enum class State { begun, waiting, done };
  using Observes = Messages<Ask, Give>;
  MonitorMachine<State> machine{};
  int entered = 0;
  static void table(Table<Hasty>& t) {
    t.start(State::begun);
    t.in(State::begun).cold().entry(&Hasty::go_on).may_go_to(State::waiting).ignore<Ask, Give>();
    t.in(State::waiting).hot().entry(&Hasty::count).go_to<Give>(State::done).ignore<Ask>();
    t.in(State::done).cold().go_to<Ask>(State::waiting).ignore<Give>();
  }
  void go_on(MonitorContext& m) { m.go_to(State::waiting); }
  void count() { ++entered; }
};

struct Giver {
  using Receives = Messages<Loop>;
  bool gives = true;
  void on(const Loop&, Context& ctx) {
    if (gives) {
      ctx.notify<Hasty>(Give{});
    } else {
      ctx.notify<Hasty>(Ask{});
    }
  }
};

TEST(PSharpLiveness, AMonitorMayGoOnInItsEntry) {
  for (const bool gives : {true, false}) {
    const Scenario scenario = Scenario::of("p#", [gives](World& world) {
      const auto hasty = world.monitor<Hasty>("hasty");
      world.always("entered once", [hasty](View view) -> Complaint {
        return view[hasty].entered == 1 ? Complaint{} : Complaint("the entry of the start state did not run");
      });
      world.send(world.spawn("giver", Giver{gives}), Loop{});
    });
    const ExploreResult result = explore(scenario, {}, {});
    ASSERT_EQ(result.violations.size(), gives ? 0U : 1U);
    if (!gives) {
      EXPECT_EQ(result.violations[0].violation.property, "hasty");
    }
    HuntOptions options;
    options.runs = 2;
    EXPECT_EQ(hunt(scenario, {}, options).violations.size(), gives ? 0U : 1U);
  }
}

// --- where the kinds of fairness differ ---

// The server can serve only every other moment: while the handler is `busy`, the request waits. Weak fairness does
// not oblige anybody to serve, since the event is not possible all along; strong fairness does. To actors it is fair
// that the handler is always busy with something else.
struct Busy {
  using Receives = Messages<Loop, Other>;
  bool busy = false;
  bool asked = false;
  bool accepts(const Other&) const { return !busy; }
  void on(const Loop&, Context& ctx) {
    if (!asked) ctx.notify<WatchDog>(Ask{});
    asked = true;
    busy = !busy;
    ctx.send(ctx.self(*this), Loop{});
  }
  void on(const Other&, Context& ctx) {
    ctx.notify<WatchDog>(Give{});
    asked = true;
    ctx.send(ctx.self(*this), Other{});
  }
};

TEST(Fairness, StrongObligesWhatIsPossibleAgainAndAgain) {
  const auto scenario = Scenario::of("busy", [](World& world) {
    world.monitor<WatchDog>("watch dog");
    const auto busy = world.spawn<Busy>("busy");
    world.send(busy, Loop{});
    world.send(busy, Other{});
  });
  for (const FairnessKind kind : {FairnessKind::weak, FairnessKind::actor, FairnessKind::strong}) {
    ExploreOptions options;
    options.fairness = kind;
    const ExploreResult result = explore(scenario, {}, options);
    EXPECT_EQ(answer_of(result.violations), kind == FairnessKind::strong ? Answer::none : Answer::endless)
        << fairness_name(kind);
    if (kind == FairnessKind::strong) continue;
    EXPECT_EQ(result.violations[0].violation.fairness, kind);
    EXPECT_EQ(*result.violations[0].document.violation, result.violations[0].violation);
  }
}

// The ordinary loop of two actors that take turns: each is fair to the other in every sense.
TEST(Fairness, AllKindsAgreeWhereEverythingHappens) {
  const auto scenario = Scenario::of("turns", [](World& world) {
    world.monitor<WatchDog>("watch dog");
    world.send(world.spawn("h", Handler{.first = Says::ask}), Loop{});
    world.send(world.spawn("k", Handler{}), Loop{});
  });
  for (const FairnessKind kind : {FairnessKind::weak, FairnessKind::actor, FairnessKind::strong}) {
    ExploreOptions options;
    options.fairness = kind;
    EXPECT_EQ(answer_of(explore(scenario, {}, options).violations), Answer::endless) << fairness_name(kind);
    HuntOptions hunted;
    hunted.runs = 20;
    hunted.steps_max = 1200;
    hunted.fairness = kind;
    EXPECT_EQ(answer_of(hunt(scenario, {}, hunted).violations), Answer::endless) << fairness_name(kind);
  }
}

}  // namespace
}  // namespace gainsay::psharp_liveness_test
