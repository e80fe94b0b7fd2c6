// Liveness of single executions: loops that are fair, loops that are not, temperature.
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/shrink_violation.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/strategy/walks/random.hpp"

namespace gainsay::liveness_test {
namespace {

struct Go {};
struct Wanted {};
struct Served {};

struct Service {
  using Observes = Messages<Wanted, Served>;
  bool wanted = false;
  void on(const Wanted&) { wanted = true; }
  void on(const Served&) { wanted = false; }
  bool hot() const { return wanted; }
};

// Two that are too polite: each hands the turn to the other for ever. `stubborn` takes it the third time.
struct Turn {
  int handed = 0;
};
struct Polite {
  using Receives = Messages<Turn>;
  Ref<Polite> other;
  bool stubborn = false;
  bool first = false;
  void on(const Turn& turn, Context& ctx) {
    if (turn.handed == 0) ctx.notify<Service>(Wanted{});
    if (stubborn && turn.handed >= 2) return ctx.notify<Service>(Served{});
    ctx.send(other, Turn{std::min(turn.handed + 1, stubborn ? 3 : 1)});
  }
};

every_run::Body politeness(bool stubborn) {
  return [stubborn](World& world) {
    world.monitor<Service>("service");
    const auto a = world.declare<Polite>("a");
    const auto b = world.declare<Polite>("b");
    world.init(a, Polite{b, stubborn, true});
    world.init(b, Polite{a, stubborn, false});
    world.send(a, Turn{});
  };
}

// One run of a random schedule.
RunOutcome random_run(const Blueprint& blueprint, std::size_t steps_max, LivenessOptions liveness,
                      std::vector<Decision>* steps = nullptr, std::uint64_t seed = 1, bool memo = true) {
  Execution execution(blueprint, {.steps_max = steps_max, .memo = memo, .liveness = liveness});
  RandomStrategy strategy({});
  (void)strategy.begin({0, seed, steps_max});
  RunOutcome outcome = execution.run(strategy, Keep{});
  if (steps != nullptr) *steps = execution.trace().decisions();
  return outcome;
}

TEST(Lasso, IsTheExactLoopOfALivelock) {
  // Steps: a gets the turn (hot), b, a, b, ... The world with Turn{1} on its way to b comes back every two steps.
  const Blueprint blueprint = every_run::build(politeness(false));
  for (const bool memo : {true, false}) {
    std::vector<Decision> steps;
    const RunOutcome outcome = random_run(blueprint, 1000, {.lasso_after = 0}, &steps, 1, memo);
    ASSERT_TRUE(outcome.violation);
    EXPECT_EQ(outcome.violation->property, "service");
    EXPECT_EQ(outcome.violation->loop_from, 1U);
    EXPECT_EQ(outcome.violation->step, 2U);
    EXPECT_EQ(outcome.violation->message,
              "the monitor can stay hot for ever: steps 2 to 3 lead back to the same world, and include "
              "every event that stays enabled");
    EXPECT_EQ(steps.size(), 3U);
  }
}

TEST(Lasso, IsNotLookedForBeforeTheMonitorHasBeenHotForAWhile) {
  const Blueprint blueprint = every_run::build(politeness(false));
  const RunOutcome outcome = random_run(blueprint, 1000, {.lasso_after = 50});
  ASSERT_TRUE(outcome.violation);
  EXPECT_EQ(outcome.violation->loop_from, 51U);  // hot after one step, watched from 51 on
  EXPECT_EQ(outcome.violation->step, 52U);
}

TEST(Lasso, IsNotThereWhereTheServiceComes) {
  const RunOutcome outcome = random_run(every_run::build(politeness(true)), 1000, {.lasso_after = 0});
  EXPECT_FALSE(outcome.violation);
  EXPECT_EQ(outcome.ending, Ending::quiescent);
}

// --- fairness ---

struct Serve {};
// Somebody who could serve at any moment.
struct Server {
  using Receives = Messages<Serve>;
  void on(const Serve&, Context& ctx) { ctx.notify<Service>(Served{}); }
};

// Follows ids: the events of one actor alone, as long as there are any.
class Only final : public Strategy {
 public:
  explicit Only(ActorId actor) : actor_(actor) {}
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    if (point.is_value()) return answer_++ % point.size();
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (point.event(i).receiver == actor_) return i;
    }
    return 0;
  }

 private:
  ActorId actor_;
  std::size_t answer_ = 0;
};

struct Loop {};
struct Looper {
  using Receives = Messages<Go, Loop>;
  void on(const Go&, Context& ctx) {
    ctx.notify<Service>(Wanted{});
    ctx.send(ctx.self(*this), Loop{});
  }
  void on(const Loop&, Context& ctx) { ctx.send(ctx.self(*this), Loop{}); }
};

Blueprint loop_and_server(bool with_server) {
  return every_run::build([=](World& world) {
    world.monitor<Service>("service");
    const auto looper = world.spawn<Looper>("looper");
    world.send(looper, Go{});
    if (with_server) world.send(world.spawn<Server>("server"), Serve{});
  });
}

RunOutcome run_only(const Blueprint& blueprint, ActorId actor, std::size_t steps_max = 400) {
  Execution execution(blueprint, {.steps_max = steps_max, .liveness = {.lasso_after = 0}});
  Only strategy(actor);
  return execution.run(strategy, Keep{});
}

TEST(Lasso, ThatStarvesSomebodyIsNotReported) {
  // The looper alone comes back to the same world at every step, but the server could act all along.
  const RunOutcome unfair = run_only(loop_and_server(true), ActorId{1});
  EXPECT_FALSE(unfair.violation);
  EXPECT_EQ(unfair.ending, Ending::step_bound);
  const RunOutcome fair = run_only(loop_and_server(false), ActorId{1});
  ASSERT_TRUE(fair.violation);
  EXPECT_EQ(fair.violation->loop_from, 1U);
  EXPECT_EQ(fair.violation->step, 1U);
}

// A server that is closed every other moment: it need not be served by a weakly fair schedule.
struct Toggle {};
struct Gate {
  using Receives = Messages<Toggle, Serve>;
  bool open = true;
  bool accepts(const Serve&) const { return open; }
  void on(const Toggle&, Context& ctx) {
    if (open) ctx.notify<Service>(Wanted{});
    open = !open;
    ctx.send(ctx.self(*this), Toggle{});
  }
  void on(const Serve&, Context& ctx) { ctx.notify<Service>(Served{}); }
};

class Toggles final : public Strategy {
 public:
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override {
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (point.event(i).type == reflect::value_type<Toggle>().name_hash) return i;
    }
    return 0;
  }
};

TEST(Lasso, NeedNotExecuteWhatIsSometimesImpossible) {
  const Blueprint blueprint = every_run::build([](World& world) {
    world.monitor<Service>("service");
    const auto gate = world.spawn<Gate>("gate");
    world.send(gate, Toggle{});
    world.send(gate, Serve{});
  });
  Execution execution(blueprint, {.steps_max = 100, .liveness = {.lasso_after = 0}});
  Toggles strategy;
  const RunOutcome outcome = execution.run(strategy, Keep{});
  ASSERT_TRUE(outcome.violation);
  EXPECT_EQ(outcome.violation->step - outcome.violation->loop_from, 1U);  // closed, open
}

// --- coins and choices ---

template <bool coin> struct Gambler {
  using Receives = Messages<Go, Loop>;
  void on(const Go&, Context& ctx) {
    ctx.notify<Service>(Wanted{});
    ctx.send(ctx.self(*this), Loop{});
  }
  void on(const Loop&, Context& ctx) {
    const bool again = coin ? ctx.flip() : ctx.choose(2) == 1;
    if (again) {
      ctx.send(ctx.self(*this), Loop{});
    } else {
      ctx.notify<Service>(Served{});
    }
  }
};

class Ones final : public Strategy {
 public:
  std::optional<Keep> begin(const RunInfo&) override { return Keep{}; }
  std::size_t choose(const ChoicePoint& point) override { return point.is_value() ? 1 : 0; }
};

template <bool coin> RunOutcome gamble() {
  const Blueprint blueprint = every_run::build([](World& world) {
    world.monitor<Service>("service");
    world.send(world.spawn<Gambler<coin>>("gambler"), Go{});
  });
  Execution execution(blueprint, {.steps_max = 100, .liveness = {.lasso_after = 0}});
  Ones strategy;
  return execution.run(strategy, Keep{});
}

TEST(Lasso, DoesNotRestOnACoinThatAlwaysFallsTheSameWay) {
  EXPECT_FALSE(gamble<true>().violation);
  EXPECT_TRUE(gamble<false>().violation);  // an adversary may choose so
}

// A coin that decides nothing that matters.
struct Dither {
  using Receives = Messages<Go, Loop>;
  bool side = false;
  void on(const Go&, Context& ctx) {
    ctx.notify<Service>(Wanted{});
    ctx.send(ctx.self(*this), Loop{});
  }
  void on(const Loop&, Context& ctx) {
    side = ctx.flip();
    ctx.send(ctx.self(*this), Loop{});
  }
};

TEST(Lasso, HasBothOutcomesOfACoinOnIt) {
  const Blueprint blueprint = every_run::build([](World& world) {
    world.monitor<Service>("service");
    world.send(world.spawn<Dither>("dither"), Go{});
  });
  std::vector<Decision> steps;
  const RunOutcome outcome = random_run(blueprint, 400, {.lasso_after = 0}, &steps);
  ASSERT_TRUE(outcome.violation);
  // From each of the two worlds (side false, side true) both outcomes: at least four steps.
  const std::uint32_t from = outcome.violation->loop_from;
  EXPECT_GE(outcome.violation->step + 1 - from, 4U);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;  // (side before, outcome)
  for (std::size_t i = from; i < steps.size(); ++i) {
    ASSERT_EQ(steps[i].answers.size(), 1U);
    const std::uint32_t before = i >= 2 ? steps[i - 1].answers[0].answer : 0;
    seen.insert({before, steps[i].answers[0].answer});
  }
  EXPECT_EQ(seen.size(), 4U);
}

// --- views ---

struct Count {
  int n = 0;
};
struct Counting {
  using Receives = Messages<Count>;
  int seen = 0;
  void on(const Count& count, Context& ctx) {
    if (count.n == 0) ctx.notify<Service>(Wanted{});
    seen = count.n;
    ctx.send(ctx.self(*this), Count{count.n + 1});
  }
};

TEST(Lasso, OnAnAbstractionIsCalledThat) {
  const auto body = [](bool views) {
    return every_run::build([=](World& world) {
      world.monitor<Service>("service");
      world.send(world.spawn<Counting>("counting"), Count{});
      if (!views) return;
      world.view<Counting>([](const Counting&) { return 0; });
      world.view<Count>([](const Count& count) { return count.n == 0; });
    });
  };
  EXPECT_FALSE(random_run(body(false), 400, {.temperature = 1000, .lasso_after = 0}).violation);
  const RunOutcome outcome = random_run(body(true), 400, {.temperature = 1000, .lasso_after = 0});
  ASSERT_TRUE(outcome.violation);
  EXPECT_EQ(outcome.violation->loop_from, 1U);
  EXPECT_NE(outcome.violation->message.find("an abstraction)"), std::string::npos);
}

// A view that hides what matters shows loops that cannot be repeated; they are not reported.
struct Countdown {
  using Receives = Messages<Count>;
  int left = 60;
  void on(const Count&, Context& ctx) {
    if (left == 60) ctx.notify<Service>(Wanted{});
    if (--left == 0) return ctx.notify<Service>(Served{});
    ctx.send(ctx.self(*this), Count{});
  }
};

TEST(Lasso, OnAnAbstractionIsRepeatedBeforeItIsReported) {
  const Blueprint blueprint = every_run::build([](World& world) {
    world.monitor<Service>("service");
    world.send(world.spawn<Countdown>("countdown"), Count{});
    world.view<Countdown>([](const Countdown& c) { return c.left > 2; });
  });
  // Watched from step 58 on (of 60): the loop it seems to close there cannot be repeated twice.
  const RunOutcome outcome = random_run(blueprint, 4000, {.temperature = 1000, .lasso_after = 56});
  EXPECT_FALSE(outcome.violation);
}

// --- temperature ---

Blueprint counting() {  // no world comes back; every step is a round of its own
  return every_run::build([](World& world) {
    world.monitor<Service>("service");
    world.send(world.spawn<Counting>("counting"), Count{});
  });
}

TEST(Temperature, CountsRoundsOfAFairSchedule) {
  const RunOutcome fair = random_run(counting(), 1000, {.temperature = 30, .lasso_after = 0});
  ASSERT_TRUE(fair.violation);
  EXPECT_EQ(fair.violation->hot_from, 1U);
  EXPECT_EQ(fair.violation->step, 30U);
  EXPECT_EQ(fair.violation->loop_from, no_step);
  EXPECT_TRUE(fair.violation->is_suspicion());
  EXPECT_NE(fair.violation->message.find("hot in each of 30 fair rounds"), std::string::npos);
  const Blueprint blueprint = counting();
  Execution execution(blueprint, {.steps_max = 1000, .liveness = {.temperature = 30, .lasso_after = 0}});
  Ones unfair;
  EXPECT_FALSE(execution.run(unfair, Keep{}).violation);
}

TEST(Temperature, IsAHundredRoundsUnlessSaidOtherwise) {
  const RunOutcome outcome = random_run(counting(), 300, {});
  ASSERT_TRUE(outcome.violation);
  EXPECT_EQ(outcome.violation->hot_from, 76U);  // hot after one step, looked at from 300 / 4 steps later on
  EXPECT_EQ(outcome.violation->step, 175U);
}

// --- replay, shrink, unroll ---

TEST(Liveness, ViolationsReplay) {
  for (const bool loops : {true, false}) {
    const Blueprint blueprint = loops ? every_run::build(politeness(false)) : counting();
    std::vector<Decision> steps;
    const RunOutcome outcome = random_run(blueprint, 1000, {.temperature = 30, .lasso_after = 50}, &steps);
    ASSERT_TRUE(outcome.violation);
    EXPECT_EQ(outcome.violation->is_suspicion(), !loops);
    const Replay replay = replay_steps(blueprint, steps, 1000, outcome.violation);
    ASSERT_TRUE(replay.outcome.violation);
    EXPECT_EQ(*replay.outcome.violation, *outcome.violation);
    EXPECT_FALSE(find_nondeterminism(blueprint, steps, 1000, outcome.violation));
  }
}

TEST(Liveness, LoopsShrink) {
  const Blueprint blueprint = every_run::build(politeness(false));
  std::vector<Decision> steps;
  const RunOutcome outcome = random_run(blueprint, 1000, {.lasso_after = 50}, &steps);
  ASSERT_TRUE(outcome.violation);
  const auto [shrunk, violation] = shrink_violation(blueprint, steps, *outcome.violation);
  EXPECT_EQ(shrunk.steps.size(), 3U);
  EXPECT_EQ(violation.loop_from, 1U);
  EXPECT_EQ(violation.step, 2U);
}

TEST(Liveness, EveryLassoUnrolledTripsTheTemperature) {
  const Blueprint blueprint = every_run::build(politeness(false));
  std::vector<Decision> steps;
  const RunOutcome outcome = random_run(blueprint, 1000, {.lasso_after = 0}, &steps);
  ASSERT_TRUE(outcome.violation);
  const auto longer = unroll(blueprint, steps, outcome.violation->loop_from, 2, 500);
  ASSERT_TRUE(longer);
  ASSERT_GE(longer->size(), 500U);
  Violation hot;
  hot.property = "service";
  hot.step = 450;
  hot.hot_from = 1;  // 450 steps
  const Replay replay = replay_steps(blueprint, *longer, 1000, hot);
  ASSERT_TRUE(replay.outcome.violation);
  EXPECT_EQ(replay.outcome.violation->step, 450U);
  EXPECT_EQ(replay.outcome.violation->hot_from, 1U);
}

}  // namespace
}  // namespace gainsay::liveness_test
