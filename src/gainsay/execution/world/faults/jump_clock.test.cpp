#include <gtest/gtest.h>

#include "gainsay/execution/world/faults/endings.test.hpp"

namespace gainsay::jump_clock_test {
namespace {

using every_run::endings;
using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

struct Look {};
struct Ring {};

struct Clock {
  using Receives = Messages<Look, Ring>;
  std::string seen;
  void on(const Look&, Context& ctx) {
    look(ctx);
    ctx.after(milliseconds(10), Ring{});
  }
  void on(const Ring&, Context& ctx) { look(ctx); }
  void look(Context& ctx) {
    seen += " " + std::to_string(std::chrono::duration_cast<milliseconds>(ctx.now()).count());
  }
};

every_run::Body clock_with(const std::function<void(World&, Ref<Clock>)>& faults) {
  return [=](World& world) {
    world.simulated_time();
    const auto clock = world.spawn<Clock>("clock");
    world.send(clock, Look{});
    faults(world, clock);
    world.finally("end", [clock](View view) -> Complaint { return "sees" + view[clock].seen; });
  };
}

// The clock jumps; the timer does not: it is due 10 ms after it was armed, whatever the clock shows then.
TEST(JumpClock, NowJumpsAndTimersDoNot) {
  EXPECT_EQ(endings(clock_with([](World& world, Ref<Clock> clock) {
              world.faults().jump_clock(1, clock, milliseconds(5000));
            })),
            (Texts{"Look, timer Ring, jump_clock by 5s => sees 0 10", "Look, timer Ring => sees 0 10",
                   "Look, jump_clock by 5s, timer Ring => sees 0 5010",
                   "jump_clock by 5s, Look, timer Ring => sees 5000 5010"}));
}

// Several jumps add up, to the skew of the clock too; each plan has its budget.
TEST(JumpClock, BackwardsAndByPlan) {
  const Texts all = endings(clock_with([](World& world, Ref<Clock> clock) {
    world.clock_offset(clock, milliseconds(100));
    world.faults().jump_clock(1, clock, milliseconds(1000)).jump_clock(1, clock, milliseconds(-300));
  }));
  const auto has = [&](const std::string& text) {
    return std::find(all.begin(), all.end(), text) != all.end();
  };
  EXPECT_TRUE(has("jump_clock by 1s, jump_clock by -300ms, Look, timer Ring => sees 800 810"));
  EXPECT_TRUE(has("jump_clock by -300ms, Look, jump_clock by 1s, timer Ring => sees -200 810"));
  EXPECT_TRUE(has("Look, timer Ring => sees 100 110"));
}

// Only the clock of the actor that is named.
TEST(JumpClock, OthersSeeNothingOfIt) {
  for (const std::string& text : endings([](World& world) {
         world.simulated_time();
         const auto clocks = world.group<Clock>("clock", 2);
         world.send(clocks[1], Look{});
         world.faults().jump_clock(1, clocks[0], milliseconds(7));
         world.finally("end", [clocks](View view) -> Complaint { return "sees" + view[clocks[1]].seen; });
       }))
    EXPECT_EQ(text.substr(text.find("=>")), "=> sees 0 10");
}

}  // namespace
}  // namespace gainsay::jump_clock_test
