// Machines, sentence by sentence: what P# promises of states, events and transitions, each promise with its
// test. Everything a test looks at goes through all four ways of executing (every_run.test.hpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/one_machine.test.hpp"

namespace gainsay::machines_test {
namespace {

using every_run::build;
using every_run::every_run;
using every_run::OneRun;
using namespace one_machine;
using testing::HasSubstr;

// --- states, entries, exits ---

struct Lamp {
  enum class State { off, on };
  using Receives = Messages<A, B>;
  Machine<State> machine{};
  Log log{};

  static void table(Table<Lamp>& t) {
    t.start(State::off);
    t.in(State::off)
        .entry([](Lamp& l) { l.log.push_back("enter off"); })
        .exit([](Lamp& l) { l.log.push_back("leave off"); })
        .go_to<A>(State::on, &Lamp::between)
        .on<B>(&Lamp::touched);
    t.in(State::on)
        .entry([](Lamp& l) { l.log.push_back("enter on"); })
        .exit(&Lamp::leave_on)
        .go_to<A>(State::off)
        .go_to<B>(State::on);
  }
  void between(const A&, Context&) { log.push_back("between"); }
  void touched() { log.push_back("touched"); }
  void leave_on() { log.push_back("leave on"); }
};

// "A machine starts in its start state, whose entry runs before any event is handled."
TEST(Machines, StartWithTheEntryOfTheStartState) {
  EXPECT_EQ(log_of<Lamp>(sends<Lamp>()), (Log{"enter off"}));
  EXPECT_EQ(log_of<Lamp>([](World& world, Ref<Lamp> m) { world.send(m, B{}); }),
            (Log{"enter off", "touched"}));
}

// "On an event with a transition, the exit of the old state runs, then the action of the transition, then the
// entry of the new state."
TEST(Machines, LeaveThenActThenEnter) {
  EXPECT_EQ(log_of<Lamp>(sends<Lamp>(A{})), (Log{"enter off", "leave off", "between", "enter on"}));
  EXPECT_EQ(log_of<Lamp>(sends<Lamp>(A{}, A{})),
            (Log{"enter off", "leave off", "between", "enter on", "leave on", "enter off"}));
}

// "An event with an action is handled without leaving the state."
TEST(Machines, ActionsNeitherLeaveNorEnter) {
  EXPECT_EQ(log_of<Lamp>(sends<Lamp>(B{}, B{})), (Log{"enter off", "touched", "touched"}));
}

// "A transition to the state one is in leaves it and enters it."
TEST(Machines, AGoToTheSameStateLeavesAndEnters) {
  EXPECT_EQ(log_of<Lamp>(sends<Lamp>(A{}, B{})),
            (Log{"enter off", "leave off", "between", "enter on", "leave on", "enter on"}));
}

// The start state need not be the first enumerator, and without an entry there is no start event.
struct Late {
  enum class State { second, first };
  using Receives = Messages<A>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Late>& t) {
    t.start(State::first);
    t.in(State::first).go_to<A>(State::second);
    t.in(State::second).on<A>([](Late& l) { l.log.push_back("second"); });
  }
};

TEST(Machines, WithoutAnEntryTheStartIsNoEvent) {
  const auto runs = every_run([](World& world) {
    const auto m = world.spawn<Late>("m");
    world.send(m, A{});
    world.always("starts in first", m, [=](View v) -> Complaint {
      return v[m].machine.state == Late::State::first || v[m].machine.state == Late::State::second
                 ? Complaint{}
                 : Complaint("neither");
    });
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.steps.size(), 1U);
  EXPECT_EQ(log_of<Late>(sends<Late>(A{}, A{})), (Log{"second"}));
}

// --- unhandled events ---

// "An event that the current state does not handle, defer or ignore is an error." The message names machine,
// state and event.
struct Picky {
  enum class State { hungry, full };
  using Receives = Messages<A, B>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Picky>& t) {
    t.start(State::hungry);
    t.in(State::hungry).go_to<A>(State::full);
    t.in(State::full).on<B>([](Picky& p) { p.log.push_back("B"); });
  }
};

TEST(Machines, AnUnhandledEventIsAViolation) {
  EXPECT_EQ(violations<Picky>(sends<Picky>(A{}, A{})),
            (Log{"unhandled message: m (Picky) in state 'full' does not handle A (sent by outside)"}));
  EXPECT_EQ(violations<Picky>(sends<Picky>(B{})),
            (Log{"unhandled message: m (Picky) in state 'hungry' does not handle B (sent by outside)"}));
  EXPECT_EQ(violations<Picky>(sends<Picky>(A{}, B{})), Log{});
}

// --- defer and ignore ---

struct Busy {
  enum class State { busy, idle };
  using Receives = Messages<A, B, C>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Busy>& t) {
    t.start(State::busy);
    t.in(State::busy).defer<A>().ignore<C>().go_to<B>(State::idle);
    t.in(State::idle).on<A>([](Busy& b) { b.log.push_back("A"); }).on<B>([](Busy& b) {
      b.log.push_back("B");
    });
    t.in(State::idle).on<C>([](Busy& b) { b.log.push_back("C"); });
  }
};

// "A deferred event stays in the queue until the machine is in a state that does not defer it." It is not
// enabled: of the two orders of A and B only one exists.
TEST(Machines, ADeferredEventWaits) {
  EXPECT_EQ(log_of<Busy>(sends<Busy>(A{}, B{})), (Log{"A"}));
  EXPECT_EQ(every_run([](World& world) {
              const auto m = world.spawn<Busy>("m");
              world.send(m, A{});
              world.send(m, B{});
            }).size(),
            1U);
}

// "Other events overtake a deferred one, and the deferred keep their order among themselves."
TEST(Machines, ADeferredEventIsOvertakenAndKeepsItsPlace) {
  EXPECT_EQ(log_of<Busy>(sends<Busy>(A{}, B{}, C{})), (Log{"A", "C"}));
  EXPECT_EQ(log_of<Busy>(sends<Busy>(A{}, C{}, B{}, B{})), (Log{"A", "B"}));
}

// A machine that waits with nothing but deferred events is quiescent.
TEST(Machines, DeferredEventsAloneAreNotEnabled) {
  const auto runs = every_run([](World& world) { world.send(world.spawn<Busy>("m"), A{}); });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_TRUE(runs[0].trace.steps.empty());
  EXPECT_EQ(runs[0].ending, Ending::quiescent);
}

// "An ignored event is taken from the queue and has no effect."
TEST(Machines, AnIgnoredEventIsDropped) {
  EXPECT_EQ(log_of<Busy>(sends<Busy>(C{}, B{})), Log{});
  EXPECT_EQ(log_of<Busy>(sends<Busy>(C{}, B{}, C{})), (Log{"C"}));
}

// --- raise ---

struct Raiser {
  enum class State { one, two };
  using Receives = Messages<A, B>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Raiser>& t) {
    t.start(State::one);
    t.in(State::one).on<A>(&Raiser::raise_own).go_to<Own>(State::two).on<B>(&Raiser::note_b);
    t.in(State::two).entry(&Raiser::enter_two).on<B>(&Raiser::note_b).go_to<A>(State::one);
  }
  void raise_own(Context& ctx) {
    ctx.raise(Own{});
    log.push_back("raised");
  }
  void enter_two() { log.push_back("enter two"); }
  void note_b() { log.push_back(machine.state == State::two ? "B in two" : "B in one"); }
};

// "A raised event is handled as soon as the action that raised it has returned, before anything that is in the
// queue." The rest of the action still runs; the B that was sent first is handled later.
TEST(Machines, ARaisedEventComesBeforeAllOthers) {
  EXPECT_EQ(log_of<Raiser>(sends<Raiser>(A{}, B{})), (Log{"raised", "enter two", "B in two"}));
  // It is all one step: nothing comes between, in any schedule.
  EXPECT_EQ(logs<Raiser>([](World& world, Ref<Raiser> m) {
              world.send(m, A{});
              world.send(m, B{});
            }),
            (std::vector<Log>{{"B in one", "raised", "enter two"}, {"raised", "enter two", "B in two"}}));
}

struct Chain {
  enum class State { s };
  using Receives = Messages<A>;
  Machine<State> machine{};
  Log log{};
  int left = 3;
  static void table(Table<Chain>& t) {
    t.start(State::s);
    t.in(State::s).entry(&Chain::enter).on<A>(&Chain::enter).on<Own>(&Chain::again).go_to<B>(State::s);
  }
  void enter(Context& ctx) {
    log.push_back("enter");
    ctx.raise(Own{});
  }
  void again(Context& ctx) {
    log.push_back(std::to_string(left));
    if (left-- > 0) ctx.raise(Own{});
  }
};

// "An entry may raise, and the handler of a raised event may raise again."
TEST(Machines, RaisedEventsRaiseMore) {
  EXPECT_EQ(log_of<Chain>(sends<Chain>()), (Log{"enter", "3", "2", "1", "0"}));
  EXPECT_EQ(log_of<Chain>(sends<Chain>(A{})), (Log{"enter", "3", "2", "1", "0", "enter", "-1"}));
}

TEST(Machines, AMachineThatRaisesForeverIsAViolation) {
  const auto texts = violations<Chain>(sends<Chain>(), Chain{.left = 1'000'000});
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_THAT(texts[0], HasSubstr("bad transition: m (Chain) in state 's' does not terminate"));
}

// "A raised event that no state handles is an error"; one that the state ignores is dropped, one that it
// defers cannot wait.
struct RaisesOdd {
  enum class State { s };
  using Receives = Messages<A, B, C>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<RaisesOdd>& t) {
    t.start(State::s);
    t.in(State::s)
        .on<A>([](RaisesOdd&, Context& ctx) { ctx.raise(Own{}); })
        .on<B>([](RaisesOdd&, Context& ctx) { ctx.raise(C{}); })
        .defer<C>();
  }
};

TEST(Machines, ARaisedEventMustBeHandledAtOnce) {
  EXPECT_EQ(violations<RaisesOdd>(sends<RaisesOdd>(A{})),
            (Log{"unhandled message: m (RaisesOdd) in state 's' does not handle Own (raised by itself)"}));
  EXPECT_EQ(
      violations<RaisesOdd>(sends<RaisesOdd>(B{})),
      (Log{"bad transition: m (RaisesOdd) in state 's' raises C, which state 's' defers; a raised event "
           "cannot wait"}));
}

// --- machines and the rest of the kernel ---

struct Maker {
  using Receives = Messages<A>;
  std::optional<Ref<Late>> made{};
  void on(const A&, Context& ctx) {
    made = ctx.spawn("late", Late{});
    ctx.send(*made, A{});
  }
};

TEST(Machines, CanBeSpawned) {
  const auto runs = every_run([](World& world) {
    const auto maker = world.spawn<Maker>("maker");
    world.send(maker, A{});
    world.finally("it went on", [=](View v) -> Complaint {
      return v[*v[maker].made].machine.state == Late::State::second ? Complaint{} : Complaint("it did not");
    });
  });
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].trace.violation, std::nullopt);
}

TEST(Machines, CrashAndStartAgain) {
  const auto runs = every_run([](World& world) {
    const auto m = world.spawn<Lamp>("m");
    world.send(m, A{});
    world.faults().crash(1, m).restart(1);
    world.finally("whoever restarts is in its first state", [=](View v) -> Complaint {
      if (!v.alive(m) || v[m].log.size() != 1) return {};
      return v[m].machine.state == Lamp::State::off ? Complaint{} : Complaint("it is not");
    });
  });
  EXPECT_GT(runs.size(), 1U);
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, std::nullopt);
}

}  // namespace
}  // namespace gainsay::machines_test
