#include "gainsay/scenario/actor.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "gainsay/scenario/idle_port.hpp"

namespace gainsay {
namespace {

struct Num {
  int n = 0;
};
struct Text {
  std::string text;
};
struct Other {};

// --- what counts as a handler ---

struct WithContext {
  using Receives = Messages<Num, Text>;
  int sum = 0;
  void on(const Num& num, Context&) { sum += num.n; }
  void on(const Text& text) { sum += static_cast<int>(text.text.size()); }
};

static_assert(Receives<WithContext, Num>);
static_assert(!Receives<WithContext, Other>);

// What converts to a message is not that message.
struct Converts {
  operator Num() const { return {}; }
};
struct FromOther {
  FromOther(const Other&) {}
};
struct Taker {
  void on(const Num&, Context&) {}
  void on(const FromOther&, Context&) {}
};
static_assert(detail::HandlesWithContext<Taker, Num>);
static_assert(!detail::HandlesWithContext<Taker, Converts>);
static_assert(!detail::HandlesWithContext<Taker, Other>);
static_assert(detail::HandlesAlone<WithContext, Text>);
static_assert(!detail::HandlesAlone<WithContext, Num>);

// --- which handlers are const ---

struct Answers {
  using Receives = Messages<Num, Text, Other>;
  int got = 0;
  void on(const Num&, Context&) const {}
  void on(const Text&) const {}
  void on(const Other&) { ++got; }
};
struct Twice {
  void on(const Num&, Context&) const {}
  void on(const Num&, Context&) {}
};
struct TwiceByValue {
  void on(const Num&) const {}
  void on(Num) {}
};
struct ForAll {
  template <class M> void on(const M&) const {}
  void on(const Num&) {}
};
static_assert(detail::HandlesMutable<Twice, Num> && detail::HandlesMutable<TwiceByValue, Num>);
static_assert(detail::HandlesMutable<ForAll, Num>);
static_assert(detail::HandlesConst<ForAll, Text> && !detail::HandlesMutable<ForAll, Text>);

TEST(ActorType, KnowsConstHandlers) {
  const ActorType& type = value_actor_type<Answers>();
  EXPECT_TRUE(type.handler_of(reflect::value_type<Num>())->is_const);
  EXPECT_TRUE(type.handler_of(reflect::value_type<Text>())->is_const);
  EXPECT_FALSE(type.handler_of(reflect::value_type<Other>())->is_const);
  EXPECT_FALSE(value_actor_type<WithContext>().handler_of(reflect::value_type<Num>())->is_const);
}

TEST(ActorType, HasOneHandlerPerMessage) {
  const ActorType& type = value_actor_type<WithContext>();
  EXPECT_EQ(type.name, "WithContext");
  ASSERT_EQ(type.handlers.size(), 2U);
  EXPECT_EQ(type.handler_of(reflect::value_type<Other>()), nullptr);
  EXPECT_EQ(type.value, &reflect::value_type<WithContext>());
  EXPECT_FALSE(type.gated);
  EXPECT_EQ(type.on_start, nullptr);
  EXPECT_EQ(type.on_restart, nullptr);
  EXPECT_EQ(type.waiting, nullptr);

  WithContext actor;
  IdlePort port;
  Context context(port, ActorId{0}, outside);
  const Num num{5};
  const Text text{"four"};
  type.handler_of(reflect::value_type<Num>())->handle(&actor, &num, context);
  type.handler_of(reflect::value_type<Text>())->handle(&actor, &text, context);
  EXPECT_EQ(actor.sum, 9);
}

struct Nothing {
  using Receives = Messages<>;
};

TEST(ActorType, MayReceiveNothing) { EXPECT_TRUE(value_actor_type<Nothing>().handlers.empty()); }

// --- optional members ---

struct Full {
  using Receives = Messages<Num, Text>;
  int least = 3;
  std::string log;
  void on_start(Context&) { log += "start "; }
  void on_restart(Context&) { log += "restart "; }
  bool accepts(const Num& num) const { return num.n >= least; }
  bool waiting() const { return least > 0; }
  void on(const Num&) {}
  void on(const Text&) {}
};

struct OnlyStart {
  using Receives = Messages<>;
  int starts = 0;
  void on_start(Context&) { ++starts; }
};

struct WithReason {
  using Receives = Messages<>;
  std::string reason;
  std::string waiting() const { return reason; }
};

TEST(ActorType, TakesWhatIsThere) {
  const ActorType& type = value_actor_type<Full>();
  EXPECT_TRUE(type.gated);
  Full actor;
  IdlePort port;
  Context context(port, ActorId{0}, outside);
  type.on_start(&actor, context);
  type.on_restart(&actor, context);
  EXPECT_EQ(actor.log, "start restart ");
  const Handler* num = type.handler_of(reflect::value_type<Num>());
  const Num two{2};
  const Num three{3};
  EXPECT_FALSE(num->accepts(&actor, &two));
  EXPECT_TRUE(num->accepts(&actor, &three));
  EXPECT_EQ(type.handler_of(reflect::value_type<Text>())->accepts, nullptr);
  EXPECT_EQ(type.waiting(&actor, {}), "it is still waiting");
  actor.least = 0;
  EXPECT_EQ(type.waiting(&actor, {}), "");
}

TEST(ActorType, ARestartIsAStartUnlessItSaysOtherwise) {
  const ActorType& type = value_actor_type<OnlyStart>();
  OnlyStart actor;
  IdlePort port;
  Context context(port, ActorId{0}, outside);
  type.on_restart(&actor, context);
  EXPECT_EQ(actor.starts, 1);
}

TEST(ActorType, WaitingMayGiveAReason) {
  const WithReason actor{"for rain"};
  EXPECT_EQ(value_actor_type<WithReason>().waiting(&actor, {}), "for rain");
}

class Opaque {
 public:
  using Receives = Messages<Num>;
  void on(const Num&) {}

 private:
  std::unique_ptr<int> secret_;
};

TEST(ActorType, OpaqueActorsHaveNoValue) {
  EXPECT_EQ(opaque_actor_type<Opaque>().value, nullptr);
  EXPECT_EQ(opaque_actor_type<Opaque>().handlers.size(), 1U);
}

// A handler whose message is not listed would never be called. What takes whatever it is given, is private to the
// actor under another name, or takes what converts to it, is no such handler.
struct Forgets {
  using Receives = Messages<Num>;
  void on(const Num&) {}
  void on(const Text&, Context&) {}
};
struct ForgetsTwo {
  using Receives = Messages<>;
  void on(const Num&) {}
  void on(const Text&) {}
};
struct TakesAll {
  using Receives = Messages<Num, Text>;
  template <class M> void on(const M&, Context&) {}
};
struct Inherits : WithContext {
  using Receives = WithContext::Receives;
};
static_assert(detail::has_unlisted_handler<Forgets>());
static_assert(detail::has_unlisted_handler<ForgetsTwo>());
static_assert(!detail::has_unlisted_handler<TakesAll>());
static_assert(!detail::has_unlisted_handler<Inherits>());
static_assert(!detail::has_unlisted_handler<WithContext>());
static_assert(!detail::has_unlisted_handler<Nothing>());

}  // namespace
}  // namespace gainsay
