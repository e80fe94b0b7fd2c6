// Small systems whose trap is where an execution ends: before a timer that need not fire, or with an operation that
// nobody answered.
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::verdicts_ends_test {
namespace {

struct Go {};
struct Alarm {};
struct Sleeper {
  using Receives = Messages<Go, Alarm>;
  int went = 0;
  bool rang = false;
  void on(const Go&, Context& ctx) {
    ++went;
    ctx.after(Duration(1), Alarm{});
  }
  void on(const Alarm&) { rang = true; }
};

// An execution may end although the timer is armed: then it did not ring. Every search must see that end, also one that
// swaps what commutes and lets the timer ring first.
TEST(Verdicts, AnEndBeforeATimerThatNeedNotFireIsSeen) {
  const Scenario scenario = Scenario::of("sleeper", [](World& world) {
    const auto sleepers = world.group<Sleeper>("sleeper", 2);
    for (const auto sleeper : sleepers) world.send(sleeper, Go{});
    world.timers_keep_alive(false);
    world.finally("rang", [sleepers](View view) -> Complaint {
      for (const auto sleeper : sleepers) {
        if (view[sleeper].went > 0 && !view[sleeper].rang) return "it did not ring";
      }
      return {};
    });
  });
  struct Case {
    const char* strategy;
    OptionTexts options;
  };
  for (const Case& each : std::vector<Case>{{"dfs", {}},
                                            {"sdpor", {}},
                                            {"sdpor", {{"first", "1"}}},
                                            {"sdpor", {{"dependence", "semantic"}}},
                                            {"sdpor", {{"dependence", "semantic"}, {"first", "1"}}},
                                            {"odpor", {{"first", "1"}}},
                                            {"dpor", {{"first", "1"}}}}) {
    HuntOptions options;
    options.strategy = each.strategy;
    options.strategy_options = each.options;
    options.keep_going = true;
    const HuntResult result = hunt(scenario, {}, options);
    EXPECT_EQ(result.violations.size(), 1U) << each.strategy;
  }
}

// The first operation is never answered. The client's order counts all the same: it reads 0 after its own write of 1.
using Reg = specs::Register<int>;
struct Client {
  using Receives = Messages<Go>;
  bool unanswered = true;
  int reads = 0;
  void on(const Go&, Context& ctx) {
    if (unanswered) ctx.invoke(Reg::Read{});
    ctx.complete(ctx.invoke(Reg::Write{1}), specs::Done{});
    ctx.complete(ctx.invoke(Reg::Read{}), reads);
  }
};

TEST(Verdicts, AnUnansweredOperationDoesNotHideTheOrderOfItsClient) {
  for (const bool unanswered : {true, false}) {
    for (const int reads : {0, 1}) {
      const Scenario scenario = Scenario::of("client", [=](World& world) {
        world.send(world.spawn("client", Client{unanswered, reads}), Go{});
        world.sequentially_consistent<Reg>();
      });
      HuntOptions options;
      options.strategy = "dfs";
      EXPECT_EQ(hunt(scenario, {}, options).violations.size(), reads == 0 ? 1U : 0U) << unanswered << reads;
    }
  }
}

}  // namespace
}  // namespace gainsay::verdicts_ends_test
