// Tables with mistakes: one clear message each, when the world is built, that names the machine and the state.
#include "gainsay/scenario/machine.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct A {};
struct B {};

enum class State { one, two, three };

// The problems of a table that was given to the builder by hand.
std::vector<std::string> problems(const std::function<void(MachineBuilder&)>& describe) {
  MachineType type;
  type.name = "Subject";
  MachineBuilder builder(type, reflect::enumerator_names<State>(),
                         {&reflect::value_type<A>(), &reflect::value_type<B>()});
  describe(builder);
  builder.finish();
  return type.problems;
}

constexpr StateIndex one = 0;
constexpr StateIndex two = 1;
constexpr StateIndex three = 2;

const ValueType& a() { return reflect::value_type<A>(); }
const ValueType& b() { return reflect::value_type<B>(); }
MachineRow act() {
  return {MachineRow::Kind::act, 0, MachineAction([](const std::byte*, void*, const void*, Context&) {}, 0),
          0};
}
MachineRow row(MachineRow::Kind kind, StateIndex target = 0) { return {kind, target, {}, 0}; }

// Right in every respect; the tests spoil it one by one.
void sound(MachineBuilder& t) {
  t.start(one);
  for (const StateIndex state : {one, two, three}) t.describe(state);
  t.row(one, a(), row(MachineRow::Kind::go_to, two));
  t.row(two, a(), row(MachineRow::Kind::push, three));
  t.row(three, b(), row(MachineRow::Kind::pop));
}

TEST(MachineTable, ASoundTableHasNoProblems) { EXPECT_THAT(problems(sound), ElementsAre()); }

TEST(MachineTable, NeedsAStartState) {
  EXPECT_THAT(problems([](MachineBuilder& t) { t.describe(one); }),
              ElementsAre("machine 'Subject': it has no start state; add t.start(State::...)"));
}

TEST(MachineTable, StartsOnce) {
  EXPECT_THAT(problems([](MachineBuilder& t) {
                sound(t);
                t.start(two);
              }).front(),
              "machine 'Subject': two start states, 'one' and 'two'; a machine has one");
}

TEST(MachineTable, KnowsItsStates) {
  EXPECT_THAT(problems([](MachineBuilder& t) {
                sound(t);
                t.row(one, b(), row(MachineRow::Kind::go_to, 7));
              }),
              ElementsAre("machine 'Subject': go_to names state number 7, which is not an enumerator of its "
                          "states (0 to 63)"));
  EXPECT_THAT(problems([](MachineBuilder& t) {
                sound(t);
                t.may_push(one, 9);
              }),
              ElementsAre(HasSubstr("may_push names state number 9")));
  EXPECT_THAT(problems([](MachineBuilder& t) {
                sound(t);
                t.describe(64);
              }),
              ElementsAre(HasSubstr("in names state number 64")));
  EXPECT_THAT(problems([](MachineBuilder& t) { t.start(5); }).front(),
              HasSubstr("start names state number 5"));
}

TEST(MachineTable, DescribesEveryStateItLeadsTo) {
  EXPECT_THAT(
      problems([](MachineBuilder& t) {
        t.start(one);
        t.describe(one);
        t.row(one, a(), row(MachineRow::Kind::go_to, two));
        t.row(one, b(), row(MachineRow::Kind::push, three));
      }),
      ElementsAre("machine 'Subject': one on A -> two: the table does not describe state 'two'; add "
                  "t.in(State::...)",
                  "machine 'Subject': one on B pushes three: the table does not describe state 'three'; "
                  "add t.in(State::...)"));
  EXPECT_THAT(problems([](MachineBuilder& t) { t.start(one); }).front(),
              HasSubstr("it starts in state 'one', which the table does not describe"));
}

TEST(MachineTable, ReachesEveryState) {
  EXPECT_THAT(
      problems([](MachineBuilder& t) {
        t.start(one);
        for (const StateIndex state : {one, two, three}) t.describe(state);
        t.row(one, a(), row(MachineRow::Kind::go_to, two));
        t.row(three, b(), act());
      }),
      ElementsAre("machine 'Subject': state 'three' cannot be reached from the start state 'one'; add a "
                  "go_to, push, may_go_to or may_push that leads to it, or remove it"));
  // What an action may do by itself is a way, too.
  EXPECT_THAT(problems([](MachineBuilder& t) {
                t.start(one);
                for (const StateIndex state : {one, two, three}) t.describe(state);
                t.may_go_to(one, two);
                t.may_push(two, three);
                t.row(one, a(), act());
                t.row(three, b(), act());
              }),
              ElementsAre());
}

TEST(MachineTable, SaysOneThingAboutAnEvent) {
  const auto twice = [](const MachineRow& first, const MachineRow& second) {
    return problems([&](MachineBuilder& t) {
      sound(t);
      t.row(one, b(), first);
      t.row(one, b(), second);
    });
  };
  EXPECT_THAT(
      twice(row(MachineRow::Kind::defer), act()),
      ElementsAre("machine 'Subject': in state 'one', B is both deferred and handled (on); keep one of "
                  "them"));
  EXPECT_THAT(
      twice(row(MachineRow::Kind::ignore), row(MachineRow::Kind::defer)),
      ElementsAre("machine 'Subject': in state 'one', B is both ignored and deferred; keep one of them"));
  EXPECT_THAT(twice(act(), row(MachineRow::Kind::go_to, two)),
              ElementsAre(HasSubstr("B is both handled (on) and handled (go_to)")));
  EXPECT_THAT(twice(act(), act()),
              ElementsAre("machine 'Subject': in state 'one', B is handled (on) twice; remove one"));
}

TEST(MachineTable, HasOneEntryAndOneExitForAState) {
  const MachineAction action([](const std::byte*, void*, const void*, Context&) {}, 0);
  EXPECT_THAT(problems([&](MachineBuilder& t) {
                sound(t);
                t.entry(two, action);
                t.entry(two, action);
                t.exit(three, action);
                t.exit(three, action);
              }),
              ElementsAre("machine 'Subject': state 'two' has two entry actions",
                          "machine 'Subject': state 'three' has two exit actions"));
}

TEST(MachineTable, PopsOnlyWhatIsPushed) {
  EXPECT_THAT(problems([](MachineBuilder& t) {
                sound(t);
                t.row(two, b(), row(MachineRow::Kind::pop));
              }),
              ElementsAre("machine 'Subject': two on B pops, but nothing ever pushes this state"));
  // What takes the place of a pushed state can be popped as well.
  EXPECT_THAT(problems([](MachineBuilder& t) {
                sound(t);
                t.row(three, a(), row(MachineRow::Kind::go_to, two));
                t.row(two, b(), row(MachineRow::Kind::pop));
              }),
              ElementsAre());
}

TEST(MachineTable, SaysSomethingAboutEveryEventItReceives) {
  EXPECT_THAT(problems([](MachineBuilder& t) {
                t.start(one);
                for (const StateIndex state : {one, two, three}) t.describe(state);
                t.row(one, a(), row(MachineRow::Kind::go_to, two));
                t.may_go_to(two, three);
              }),
              ElementsAre("machine 'Subject': it receives B, but no state handles, defers or ignores it; add "
                          "B to a state, or remove it from `Receives`"));
}

// --- through the world ---

struct Broken {
  enum class State { open, shut };
  using Receives = Messages<A>;
  Machine<State> machine{};
  static void table(Table<Broken>& t) {
    t.start(State::open);
    t.in(State::open).on<A>(&Broken::knock).defer<A>().go_to<B>(State::shut);
    t.in(State::shut).ignore<A>();
  }
  void knock() {}
};

TEST(MachineTable, IsCheckedWhenTheWorldIsBuilt) {
  World world("lobby");
  world.spawn<Broken>("door");
  try {
    world.take();
    FAIL() << "it must be refused";
  } catch (const UserError& error) {
    EXPECT_STREQ(
        error.what(),
        "scenario 'lobby': machine 'Broken': in state 'open', A is both handled (on) and deferred; keep "
        "one of them");
  }
}

struct Door {
  enum class State { open, shut, locked };
  using Receives = Messages<A, B, Halt>;
  Machine<State> machine{};
  static void table(Table<Door>& t) {
    t.start(State::shut);
    t.in(State::shut).go_to<A>(State::open).push<B>(State::locked);
    t.in(State::open).go_to<A>(State::shut).defer<B>();
    t.in(State::locked).pop<B>().ignore<A>();
  }
};

TEST(MachineTable, GivesTheActorTypeItsGates) {
  const ActorType& type = value_actor_type<Door>();
  ASSERT_NE(type.machine, nullptr);
  EXPECT_THAT(type.machine->problems, ElementsAre());
  EXPECT_EQ(type.on_start, nullptr);
  EXPECT_TRUE(type.gated);
  const Handler* on_a = type.handler_of(a());
  const Handler* on_b = type.handler_of(b());
  ASSERT_NE(on_a, nullptr);
  ASSERT_NE(on_b, nullptr);
  EXPECT_EQ(on_a->accepts, nullptr);
  ASSERT_NE(on_b->accepts, nullptr);
  Door door = detail::at_start(Door{});
  const B event;
  EXPECT_EQ(door.machine.state, Door::State::shut);
  EXPECT_TRUE(on_b->accepts(&door, &event));
  door.machine.state = Door::State::open;
  EXPECT_FALSE(on_b->accepts(&door, &event));
  // A pushed state inherits what the state below defers.
  door.machine.below = {Door::State::open};
  door.machine.state = Door::State::locked;
  EXPECT_TRUE(on_b->accepts(&door, &event));
}

TEST(MachineTable, NamesItsTransitions) {
  const MachineType& type = *value_actor_type<Door>().machine;
  std::vector<std::string> texts;
  for (const MachineTransition& transition : type.transitions)
    texts.push_back(transition_text(type, transition));
  EXPECT_THAT(texts, ElementsAre("open on A -> shut", "shut on A -> open", "shut on B pushes locked",
                                 "locked ignores A", "locked on B pops"));
  EXPECT_EQ(type.items(), 3U + 3U + 5U);
}

}  // namespace
}  // namespace gainsay
