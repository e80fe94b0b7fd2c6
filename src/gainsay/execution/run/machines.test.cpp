// Machines, sentence by sentence: what P# promises of states, events and transitions, each promise with its
// test. Everything a test looks at goes through all four ways of executing (every_run.test.hpp).
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/every_run.test.hpp"

namespace gainsay {
namespace {

using every_run::build;
using every_run::every_run;
using every_run::OneRun;
using testing::HasSubstr;

using Log = std::vector<std::string>;

struct A {};
struct B {};
struct C {};
struct Own {};  // raised, never received

// The logs of all executions, each once, in order.
template <class M> std::vector<Log> logs(std::function<void(World&, Ref<M>)> prepare, M initial = {}) {
  std::vector<Log> seen;
  const auto runs = every_run([&](World& world) {
    const Ref<M> machine = world.spawn<M>("m", initial);
    prepare(world, machine);
    world.finally("read the log", [machine, &seen](View v) -> Complaint {
      if (std::find(seen.begin(), seen.end(), v[machine].log) == seen.end()) seen.push_back(v[machine].log);
      return {};
    });
  });
  for (const OneRun& run : runs) EXPECT_EQ(run.trace.violation, std::nullopt) << run.trace.violation->message;
  std::sort(seen.begin(), seen.end());
  return seen;
}

// The only log there is.
template <class M> Log log_of(std::function<void(World&, Ref<M>)> prepare, M initial = {}) {
  const std::vector<Log> all = logs<M>(std::move(prepare), std::move(initial));
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Log{} : all.front();
}

// The violations of all executions, each once.
template <class M>
std::vector<std::string> violations(std::function<void(World&, Ref<M>)> prepare, M initial = {}) {
  std::vector<std::string> texts;
  for (const OneRun& run : every_run([&](World& world) { prepare(world, world.spawn<M>("m", initial)); })) {
    if (!run.trace.violation) continue;
    const std::string text = run.trace.violation->property + ": " + run.trace.violation->message;
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

template <class M, class... Events> std::function<void(World&, Ref<M>)> sends(Events... events) {
  return [=](World& world, [[maybe_unused]] Ref<M> machine) {
    world.order(Delivery::fifo);
    (world.send(machine, events), ...);
  };
}

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
  EXPECT_THAT(texts[0], HasSubstr("bad transition: m (Chain) in state 's' does not come to rest"));
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

// --- push and pop ---

struct Stacked {
  enum class State { base, first, second, other };
  using Receives = Messages<A, B, C, Halt>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Stacked>& t) {
    t.start(State::base);
    t.in(State::base)
        .entry(&Stacked::enter)
        .exit(&Stacked::leave)
        .push<A>(State::first)
        .on<B>(&Stacked::note_b)
        .go_to<C>(State::other);
    t.in(State::first).entry(&Stacked::enter).exit(&Stacked::leave).pop<A>([](Stacked& s) {
      s.log.push_back("popping");
    });
    t.in(State::first).push<Own>(State::second);
    t.in(State::second).entry(&Stacked::enter).exit(&Stacked::leave);
    t.in(State::other).entry(&Stacked::enter).exit(&Stacked::leave).ignore<A, B, C>();
  }
  static std::string name(State state) {
    const char* const names[] = {"base", "first", "second", "other"};
    return names[static_cast<int>(state)];
  }
  void enter() { log.push_back("enter " + name(machine.state)); }
  void leave() { log.push_back("leave " + name(machine.state)); }
  void note_b() { log.push_back("B in " + name(machine.state)); }
};

// "A push enters the new state on top of the old one, which is not left; a pop leaves it, and the old one is
// current again without being entered."
TEST(Machines, PushDoesNotLeaveAndPopDoesNotEnter) {
  EXPECT_EQ(log_of<Stacked>(sends<Stacked>(A{})), (Log{"enter base", "enter first"}));
  EXPECT_EQ(log_of<Stacked>(sends<Stacked>(A{}, A{})),
            (Log{"enter base", "enter first", "popping", "leave first"}));
  EXPECT_EQ(log_of<Stacked>(sends<Stacked>(A{}, A{}, A{})),
            (Log{"enter base", "enter first", "popping", "leave first", "enter first"}));
}

// "A pushed state inherits the actions of the states below it": B is handled by the action of `base` while
// the machine is in `first`.
TEST(Machines, PushedStatesInheritActions) {
  EXPECT_EQ(log_of<Stacked>(sends<Stacked>(A{}, B{})), (Log{"enter base", "enter first", "B in first"}));
}

// "Transitions are not inherited: an event that only a lower state moves on pops the states above it, with
// their exits, and is then handled there."
TEST(Machines, ATransitionBelowPopsWhatIsAbove) {
  EXPECT_EQ(log_of<Stacked>(sends<Stacked>(A{}, C{})),
            (Log{"enter base", "enter first", "leave first", "leave base", "enter other"}));
}

// "A machine that no state keeps from halting leaves all its states and takes no more events."
TEST(Machines, HaltLeavesAllStates) {
  EXPECT_EQ(log_of<Stacked>(sends<Stacked>(A{}, Halt{}, B{})),
            (Log{"enter base", "enter first", "leave first", "leave base"}));
}

struct Inherits {
  enum class State { low, high };
  using Receives = Messages<A, B, C>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Inherits>& t) {
    t.start(State::low);
    t.in(State::low).entry([](Inherits&, Context& ctx) { ctx.push(State::high); }).may_push(State::high);
    t.in(State::low).defer<A>().ignore<B>().on<C>([](Inherits& i) { i.log.push_back("low C"); });
    t.in(State::high)
        .on<C>([](Inherits& i, Context& ctx) {
          i.log.push_back("high C");
          if (i.log.size() == 2) ctx.pop();
        })
        .on<Own>([](Inherits&) {});
  }
};

// "A pushed state inherits what the states below defer and ignore, and its own word goes before theirs."
TEST(Machines, PushedStatesInheritDefersAndIgnores) {
  const auto runs = every_run([](World& world) {
    const auto m = world.spawn<Inherits>("m");
    world.send(m, A{});
    world.send(m, B{});
  });
  for (const OneRun& run : runs) {
    EXPECT_EQ(run.trace.violation, std::nullopt);
    EXPECT_EQ(run.trace.steps.size(), 2U);  // the start and B; A waits for ever
  }
  EXPECT_EQ(log_of<Inherits>(sends<Inherits>(C{}, C{}, C{})), (Log{"high C", "high C", "low C"}));
}

// --- what an action asks for ---

struct Wisher {
  enum class State { s, t, u };
  enum class Other { x };
  using Receives = Messages<A>;
  Machine<State> machine{};
  Log log{};
  int what = 0;

  static void table(Table<Wisher>& t) {
    t.start(State::s);
    t.in(State::s).on<A>(&Wisher::ask).exit(&Wisher::leave).may_go_to(State::t, State::u);
    t.in(State::t).entry([](Wisher& a) { a.log.push_back("t"); }).ignore<A, Own>();
    t.in(State::u).pop<A>().ignore<Own>();
    t.in(State::t).may_push(State::u);
  }
  void ask(Context& ctx) {
    switch (what) {
      case 0:
        ctx.go_to(State::t);
        log.push_back("asked");
        return;
      case 1:
        ctx.go_to(State::t);
        ctx.raise(Own{});
        return;
      case 2:
        ctx.push(State::t);
        return;
      case 3:
        ctx.pop();
        return;
      case 4:
        ctx.go_to(Other::x);
        return;
      case 5:
        ctx.go_to(State::u);
        return;
      case 6:
        ctx.go_to(State::t);
        ctx.halt();
        return;
      default:
        ctx.go_to(State::t);
    }
  }
  void leave(Context& ctx) {
    if (what == 7) ctx.raise(Own{});
  }
};

std::string asked(int what) {
  const Log texts = violations<Wisher>(sends<Wisher>(A{}), Wisher{.what = what});
  return texts.empty() ? "" : texts.front();
}

// "goto takes effect when the action has returned."
TEST(Machines, AnActionMayAskToGo) {
  EXPECT_EQ(log_of<Wisher>(sends<Wisher>(A{})), (Log{"asked", "t"}));
  EXPECT_EQ(log_of<Wisher>(sends<Wisher>(A{}, A{}), Wisher{.what = 6}), Log{});
}

// "An action calls raise, goto, push or pop at most once, and an exit never."
TEST(Machines, AnActionAsksOnce) {
  EXPECT_THAT(asked(1), HasSubstr("calls ctx.raise after ctx.go_to in one action"));
  EXPECT_THAT(asked(7), HasSubstr("calls ctx.raise while a state is being left"));
}

TEST(Machines, AnActionAsksForWhatTheTableDeclares) {
  EXPECT_EQ(asked(0), "");
  EXPECT_EQ(asked(5), "");
  EXPECT_EQ(asked(2),
            "bad transition: m (Wisher) in state 's' calls ctx.push with a state that its table does not "
            "declare; add may_push(t) to this state");
  EXPECT_THAT(asked(4), HasSubstr("with a state of another machine"));
}

// "A pop without a matching push is an error."
TEST(Machines, APopNeedsAPush) {
  EXPECT_EQ(asked(3), "bad transition: m (Wisher) in state 's' pops a state that was never pushed");
}

struct Plain {
  using Receives = Messages<A>;
  void on(const A&, Context& ctx) { ctx.raise(Own{}); }
};

TEST(Machines, OnlyMachinesRaise) {
  const auto runs = every_run([](World& world) { world.send(world.spawn<Plain>("p"), A{}); });
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_TRUE(runs[0].trace.violation);
  EXPECT_EQ(runs[0].trace.violation->message, "ctx.raise is called by an actor that is no machine");
}

// --- halt ---

struct Mortal {
  enum class State { alive };
  using Receives = Messages<A, B, C>;
  Machine<State> machine{};
  Log log{};
  static void table(Table<Mortal>& t) {
    t.start(State::alive);
    t.in(State::alive)
        .exit([](Mortal& m) { m.log.push_back("exit"); })
        .halt<A>([](Mortal& m) { m.log.push_back("last words"); })
        .on<B>([](Mortal&, Context& ctx) { ctx.raise(Halt{}); })
        .on<C>([](Mortal& m) { m.log.push_back("C"); });
  }
};

// "A machine that has halted handles nothing more; what is sent to it is lost." `halt` and ctx.halt stop on
// the spot, Halt leaves the states first.
TEST(Machines, HaltEndsTheMachine) {
  EXPECT_EQ(log_of<Mortal>(sends<Mortal>(C{}, A{}, C{})), (Log{"C", "last words"}));
  EXPECT_EQ(log_of<Mortal>(sends<Mortal>(B{}, C{})), (Log{"exit"}));
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
}  // namespace gainsay
