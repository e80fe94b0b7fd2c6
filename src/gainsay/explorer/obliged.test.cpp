// Faults that must be over in the end: what recovers can be asked to go on, and an execution does not end before.
#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/run/every_run.test.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::obliged_test {
namespace {

struct Ask {};
struct Answer {};
struct Again {};

struct Wanted {};
struct Served {};
struct Service {
  using Observes = Messages<Wanted, Served>;
  bool wanted = false;
  void on(const Wanted&) { wanted = true; }
  void on(const Served&) { wanted = false; }
  bool hot() const { return wanted; }
};

// Asks until it is answered. What is sent to a server that is down is lost.
struct Server;
struct Client {
  using Receives = Messages<Answer, Again>;
  Ref<Server> server;
  bool asked = false;
  bool done = false;
  void on_start(Context& ctx) { ask(ctx); }
  void on(const Answer&, Context& ctx) {
    done = true;
    ctx.cancel<Again>();
    ctx.notify<Service>(Served{});
  }
  void on(const Again&, Context& ctx) {
    if (!done) ask(ctx);
  }
  void ask(Context& ctx);
};
struct Server {
  using Receives = Messages<Ask>;
  bool forgets = false;  // seeded: after a restart it answers no more
  bool silent = false;
  void on_restart(Context&) { silent = forgets; }
  void on(const Ask&, Context& ctx) {
    if (!silent) ctx.reply(Answer{});
  }
};
void Client::ask(Context& ctx) {
  if (!asked) ctx.notify<Service>(Wanted{});
  asked = true;
  ctx.send(server, Ask{});
  ctx.after(Duration(1), Again{});
}

enum class Recovery { may, must, never };

Scenario recovering(Recovery recovery, bool forgets) {
  return Scenario::of("recovering", [=](World& world) {
    world.monitor<Service>("service");
    const auto server = world.spawn("server", Server{forgets, false});
    world.spawn("client", Client{server, false, false});
    // At most one request is on its way; else the states are endless.
    world.order(Delivery::unordered);
    world.timer_budget<Again>(3);
    world.faults().crash(1, server);
    if (recovery == Recovery::may) world.faults().restart(1);
    if (recovery == Recovery::must) world.faults().restarts_eventually();
  });
}

// Asks again only when the last request was lost for sure: a loop without a budget.
struct Poll {};
struct Poller {
  using Receives = Messages<Answer, Poll>;
  Ref<Server> server;
  bool asked = false;
  void on_start(Context& ctx) { ctx.after(Duration(1), Poll{}); }
  void on(const Poll&, Context& ctx) {
    if (!asked) ctx.notify<Service>(Wanted{});
    asked = true;
    ctx.send(server, Ask{});
  }
  void on(const Answer&, Context& ctx) { ctx.notify<Service>(Served{}); }
};

// The request stays on its way while the server is down: only a restart can go on.
Scenario kept(Recovery recovery, bool forgets) {
  return Scenario::of("kept", [=](World& world) {
    world.monitor<Service>("service");
    const auto server = world.spawn("server", Server{forgets, false});
    world.spawn("poller", Poller{server, false});
    world.to_crashed(ToCrashed::kept);
    world.faults().crash(1, server);
    if (recovery == Recovery::may) world.faults().restart(1);
    if (recovery == Recovery::must) world.faults().restarts_eventually();
  });
}

std::size_t violations_of(const Scenario& scenario, const std::string& strategy) {
  if (strategy == "explore") return explore(scenario, {}, {.keep_going = true}).violations.size();
  HuntOptions options;
  options.strategy = strategy;
  if (strategy == "random") options.runs = 300;
  options.keep_going = true;
  return hunt(scenario, {}, options).violations.size();
}

TEST(Obliged, LivenessAfterARestartIsProved) {
  for (const char* how : {"explore", "dfs", "random"}) {
    SCOPED_TRACE(how);
    EXPECT_GT(violations_of(kept(Recovery::may, false), how), 0U) << "it may stay down";
    EXPECT_GT(violations_of(kept(Recovery::never, false), how), 0U);
    EXPECT_EQ(violations_of(kept(Recovery::must, false), how), 0U);
    EXPECT_GT(violations_of(kept(Recovery::must, true), how), 0U) << "it comes back and is silent";
  }
  EXPECT_EQ(explore(kept(Recovery::must, false), {}, {}).live, (std::vector<std::string>{"service"}));
}

TEST(Obliged, RequestsThatAreLostAreAskedAgain) {
  // Three more requests: all of them, and the first, may be lost while the server is down.
  EXPECT_GT(violations_of(recovering(Recovery::must, false), "explore"), 0U);
  EXPECT_GT(violations_of(recovering(Recovery::may, false), "explore"), 0U);
}

// The executions of one message and one crash that must be over: nothing ends while the sink is down.
struct Mark {};
struct Sink {
  using Receives = Messages<Mark>;
  void on(const Mark&) {}
};

TEST(Obliged, NoExecutionEndsBefore) {
  const auto count = [](Recovery recovery) {
    return every_run::every_run([=](World& world) {
             const auto sink = world.spawn<Sink>("sink");
             world.send(sink, Mark{});
             world.faults().crash(1, sink);
             if (recovery == Recovery::may) world.faults().restart(1);
             if (recovery == Recovery::must) world.faults().restarts_eventually();
           })
        .size();
  };
  // M; MC; CM, and with restarts MCR, CMR, CRM: 6 executions; where restarts must happen, MC and CM do not end.
  EXPECT_EQ(count(Recovery::never), 3U);
  EXPECT_EQ(count(Recovery::may), 6U);
  EXPECT_EQ(count(Recovery::must), 4U);
}

// --- cuts ---

Scenario cut(bool heals) {
  return Scenario::of("cut", [=](World& world) {
    world.monitor<Service>("service");
    const auto server = world.spawn("server", Server{});
    const auto poller = world.spawn("poller", Poller{server, false});
    world.faults().partition("split", {{server}, {poller}});
    if (heals) world.faults().heals_eventually();
  });
}

TEST(Obliged, CutsThatHeal) {
  for (const char* how : {"explore", "dfs", "random"}) {
    SCOPED_TRACE(how);
    EXPECT_GT(violations_of(cut(false), how), 0U);
    EXPECT_EQ(violations_of(cut(true), how), 0U);
  }
}

// After the fair suffix has begun, faults are over but for those that must happen.
TEST(Obliged, AFairSuffixHeals) {
  HuntOptions options;
  options.runs = 500;
  options.fair_after = 2;
  options.keep_going = true;
  EXPECT_TRUE(hunt(cut(true), {}, options).violations.empty());
  EXPECT_TRUE(hunt(kept(Recovery::must, false), {}, options).violations.empty());
  EXPECT_FALSE(hunt(cut(false), {}, options).violations.empty());
}

// A loop beside a server that is down: not fair if the restart must happen.
struct Spin {};
struct Spinner {
  using Receives = Messages<Spin>;
  void on(const Spin&, Context& ctx) { ctx.send(ctx.self(*this), Spin{}); }
};

TEST(Obliged, ALoopThatKeepsSomebodyDownIsNotFair) {
  for (const bool must : {false, true}) {
    const Scenario scenario = Scenario::of("spin", [=](World& world) {
      world.monitor<Service>("service");
      const auto server = world.spawn("server", Server{});
      world.spawn("poller", Poller{server, false});
      world.send(world.spawn<Spinner>("spinner"), Spin{});
      world.to_crashed(ToCrashed::kept);
      world.faults().crash(1, server);
      must ? world.faults().restarts_eventually() : world.faults().restart(1);
    });
    for (const FairnessKind kind : {FairnessKind::weak, FairnessKind::actor, FairnessKind::strong}) {
      ExploreOptions options;
      options.fairness = kind;
      EXPECT_EQ(explore(scenario, {}, options).violations.size(), must ? 0U : 1U) << fairness_name(kind);
      HuntOptions hunted;
      hunted.runs = 50;
      hunted.steps_max = 2000;
      hunted.fairness = kind;
      // A random walk restarts it within a few steps: it does not show what may happen where nobody must.
      EXPECT_TRUE(hunt(scenario, {}, hunted).violations.empty()) << fairness_name(kind);
    }
  }
}

TEST(Obliged, WhatCannotBeIsRefused) {
  const auto build = [](const std::function<void(World&, Ref<Sink>)>& faults) {
    World world("refused");
    faults(world, world.spawn<Sink>("sink"));
    return world.take();
  };
  EXPECT_THROW(build([](World& w, Ref<Sink>) { w.faults().restarts_eventually(); }), UserError);
  EXPECT_THROW(build([](World& w, Ref<Sink>) { w.faults().heals_eventually(); }), UserError);
  EXPECT_THROW(build([](World& w, Ref<Sink> s) { w.faults().crash(1, s).restart(1).restarts_eventually(); }),
               UserError);
  EXPECT_NO_THROW(build([](World& w, Ref<Sink> s) { w.faults().crash(2, s).restarts_eventually(); }));
}

}  // namespace
}  // namespace gainsay::obliged_test
