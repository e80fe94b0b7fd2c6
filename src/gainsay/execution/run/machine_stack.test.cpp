// Machines that push and pop states, ask for transitions from inside an action, and halt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/execution/run/one_machine.test.hpp"

namespace gainsay::machine_stack_test {
namespace {

using every_run::build;
using every_run::every_run;
using every_run::OneRun;
using namespace one_machine;
using testing::HasSubstr;

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
  EXPECT_EQ(runs[0].trace.violation->message, "ctx.raise is called by an actor that is not a machine");
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

}  // namespace
}  // namespace gainsay::machine_stack_test
