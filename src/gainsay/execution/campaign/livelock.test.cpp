// pctcp where executions would not end: chains that are set aside, and events that come after the first n.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/base/check.hpp"
#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay {
namespace {

struct Ball {
  int count = 0;
};
struct Player {
  using Receives = Messages<Ball>;
  Ref<Player> other{nobody};
  void on(const Ball& ball, Context& ctx) {
    if (other != nobody) ctx.send(other, ball);
  }
};
struct Bell {};
struct Door {
  using Receives = Messages<Bell>;
  int rung = 0;
  void on(const Bell&) { ++rung; }
};

// Two players throw one ball for ever, and somebody rings.
void game(World& world) {
  const auto a = world.declare<Player>("a");
  const auto b = world.declare<Player>("b");
  world.init(a, Player{b});
  world.init(b, Player{a});
  const auto door = world.spawn<Door>("door");
  world.send(a, Ball{});
  world.send(door, Bell{});
}

// In how many of 100 runs of 40 steps the bell was heard.
std::size_t heard(const OptionTexts& options) {
  std::size_t count = 0;
  HuntOptions how;
  how.strategy = "pctcp";
  how.strategy_options = options;
  how.runs = 100;
  how.steps_max = 40;
  how.unfair_steps_max = 40;
  how.watch = [&](const Execution& execution, const RunOutcome&) {
    std::set<std::uint64_t> receivers;
    for (const StepRecord& record : execution.records())
      receivers.insert(execution.recording().event_of(record).receiver.raw);
    count += receivers.size() == 3 ? 1 : 0;
  };
  hunt(Scenario::of("game", game), {}, how);
  return count;
}

// One of two chains is the higher one: half of the runs never come to the other, unless the loop is noticed.
TEST(Livelock, ACycleIsNoticedBeforeTheThreshold) {
  const std::size_t unnoticed = heard({{"depth", "1"}, {"livelock", "0"}});
  EXPECT_GT(unnoticed, 20U);
  EXPECT_LT(unnoticed, 80U);
  EXPECT_EQ(heard({{"depth", "1"}, {"livelock", "1000"}}), unnoticed) << "the threshold is not reached";
  EXPECT_EQ(heard({{"depth", "1"}, {"livelock", "0"}, {"cycles", "true"}}), 100U);
}

// The ball's later flights are added after the second event, so the bell comes before them.
TEST(Livelock, LateEventsComeAfterTheFirstOnes) {
  EXPECT_EQ(heard({{"depth", "1"}, {"n", "2"}, {"livelock", "0"}, {"late", "after"}}), 100U);
  EXPECT_THROW(heard({{"late", "after"}}), UserError);
}

}  // namespace
}  // namespace gainsay
