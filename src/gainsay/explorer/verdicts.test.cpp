// Small systems on which every complete search, explore and the enumerator must say the same, each for one kind of
// trap: violations behind violations, clients whose operations are begun by servers, keys and properties of one actor,
// crashes under causal order, monitors within one step, actors that are executed in place.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gainsay/execution/campaign/hunt.hpp"
#include "gainsay/execution/campaign/tally.hpp"
#include "gainsay/explorer/certify.hpp"
#include "gainsay/explorer/enumerate.hpp"
#include "gainsay/explorer/explore.hpp"
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::verdicts_test {
namespace {

using Reg = specs::Register<int>;
using Names = std::set<std::string>;

Names keys_of(const std::vector<FoundViolation>& violations) {
  Names keys;
  for (const FoundViolation& found : violations) keys.insert(violation_key(found.violation));
  return keys;
}

HuntResult search(const Scenario& scenario, const std::string& strategy, const OptionTexts& more = {},
                  bool memo = true) {
  HuntOptions options;
  options.strategy = strategy;
  options.strategy_options = more;
  options.keep_going = true;
  options.memo = memo;
  return hunt(scenario, {}, options);
}

// Every complete search finds all violations that there are, with the memo and without.
void expect_all_found(const Scenario& scenario, std::size_t count, const OptionTexts& more = {}) {
  const Enumeration all = enumerate(scenario.build({}), {});
  Names expected;
  for (const auto& [key, executions] : all.violations) expected.insert(key);
  EXPECT_EQ(expected.size(), count);
  for (const char* strategy : {"dfs", "sdpor", "odpor", "dpor"}) {
    const OptionTexts options = std::string(strategy) == "dfs" ? OptionTexts{} : more;
    for (const bool memo : {true, false}) {
      const HuntResult result = search(scenario, strategy, options, memo);
      EXPECT_TRUE(result.complete) << strategy << ": " << result.incomplete_because;
      EXPECT_EQ(keys_of(result.violations), expected) << strategy << (memo ? "" : " without memo");
    }
  }
}

// --- violations behind violations ---

struct V {};
struct Z {};
struct Go {};
struct W {};
struct U {};

// V is wrong in both of its places. That Z comes first takes U before W at the other actor.
struct Target {
  using Receives = Messages<V, Z>;
  bool z = false;
  void on(const V&, Context& ctx) {
    ctx.check(z, "v before z");
    ctx.check(!z, "v after z");
  }
  void on(const Z&) { z = true; }
};
struct Other {
  using Receives = Messages<Go, W, U>;
  Ref<Target> target;
  bool u = false;
  void on(const Go&, Context& ctx) {
    ctx.send(ctx.self(*this), W{});
    ctx.send(ctx.self(*this), U{});
  }
  void on(const U&) { u = true; }
  void on(const W&, Context& ctx) {
    if (u) ctx.send(target, Z{});
  }
};

TEST(Verdicts, AViolationBehindAnotherIsFound) {
  const Scenario scenario = Scenario::of("behind", [](World& world) {
    const auto target = world.spawn<Target>("target");
    const auto other = world.spawn<Other>("other", Other{target});
    world.send(target, V{});
    world.send(other, Go{});
  });
  expect_all_found(scenario, 2);
}

// --- clients whose operations are begun by servers ---

struct Act {
  int key = 0;
};
struct Person {
  using Receives = Messages<Act>;
  void on(const Act&) {}
};
// Writes 1, or reads 0, for the client, all in one step.
struct Server {
  using Receives = Messages<Act>;
  Ref<Person> client;
  bool writes = false;
  void on(const Act&, Context& ctx) {
    if (writes) {
      ctx.invoke_for(client, Reg::Write{1});
      ctx.complete_for(client, specs::Done{});
    } else {
      ctx.invoke_for(client, Reg::Read{});
      ctx.complete_for(client, 0);
    }
  }
};

TEST(Verdicts, AClientsOrderIsDecidedByAllItsServers) {
  const Scenario scenario = Scenario::of("servers", [](World& world) {
    const auto client = world.spawn<Person>("client");
    const auto writer = world.spawn<Server>("writer", Server{client, true});
    const auto reader = world.spawn<Server>("reader", Server{client, false});
    world.send(reader, Act{});
    world.send(writer, Act{});
    world.sequentially_consistent<Reg>();
  });
  expect_all_found(scenario, 1);
  for (const char* strategy : {"sdpor", "odpor", "dpor"}) {
    const HuntResult result = search(scenario, strategy);
    EXPECT_NE(std::find(result.complete_for.begin(), result.complete_for.end(), "histories"),
              result.complete_for.end());
  }
  HuntOptions options;
  options.strategy = "sdpor";
  options.keep_going = true;
  const CertifiedHunt certified = certified_hunt(scenario, {}, options);
  ASSERT_TRUE(certified.certificate) << certified.refused_because;
  EXPECT_EQ(verify(*certified.certificate, scenario.build({}), {}).verdict, Verdict::ok);
}

struct KeyedClient {
  using Receives = Messages<Act>;
  void on(const Act& act, Context& ctx) {
    if (act.key == 0) {
      ctx.complete(ctx.invoke(Reg::Write{1}), specs::Done{});
    } else {
      ctx.complete(ctx.invoke(Reg::Read{}), 0);
    }
  }
};

TEST(Verdicts, AClientsOrderIsKeptUnderKeys) {
  const Scenario scenario = Scenario::of("keyed client", [](World& world) {
    const auto client = world.spawn<KeyedClient>("client");
    world.send(client, Act{1});
    world.send(client, Act{0});
    world.key<Act>([](const Act& act) { return act.key; });
    world.sequentially_consistent<Reg>();
  });
  expect_all_found(scenario, 1, {{"dependence", "keyed"}});
}

// --- keys ---

struct Cells {
  using Receives = Messages<Act>;
  bool a = false;
  bool b = false;
  void on(const Act& act) { (act.key == 0 ? a : b) = true; }
};

TEST(Verdicts, AnInvariantOfOneActorSeesBothOrdersOfItsKeys) {
  const Scenario scenario = Scenario::of("cells", [](World& world) {
    const auto cells = world.spawn<Cells>("cells");
    world.send(cells, Act{0});
    world.send(cells, Act{1});
    world.key<Act>([](const Act& act) { return act.key; });
    world.always("b implies a", {cells}, [=](View view) -> Complaint {
      if (view[cells].b && !view[cells].a) return "b without a";
      return {};
    });
  });
  expect_all_found(scenario, 1, {{"dependence", "keyed"}});
}

struct Seen {
  int key = 0;
};
struct Watch {
  using Observes = Messages<Seen>;
  int last = -1;
  void on(const Seen& seen, MonitorContext& m) {
    m.check(last != 1 || seen.key != 0, "1 before 0");
    last = seen.key;
  }
};
struct Notifier {
  using Receives = Messages<Act>;
  void on(const Act& act, Context& ctx) { ctx.notify<Watch>(Seen{act.key}); }
};

TEST(Verdicts, AMonitorSeesBothOrdersOfKeys) {
  const Scenario scenario = Scenario::of("keyed monitor", [](World& world) {
    world.monitor<Watch>("watch");
    const auto actor = world.spawn<Notifier>("actor");
    world.send(actor, Act{0});
    world.send(actor, Act{1});
    world.key<Act>([](const Act& act) { return act.key; });
  });
  expect_all_found(scenario, 1, {{"dependence", "keyed"}});
}

// --- crashes under causal order ---

struct X {};
struct Y {};
struct Receiver {
  using Receives = Messages<X, Z>;
  void on(const X&) {}
  void on(const Z&) {}
};
struct Middle {
  using Receives = Messages<Y, Go>;
  Ref<Receiver> to;
  void on(const Y&) {}
  void on(const Go&, Context& ctx) { ctx.send(to, Z{}); }
};
// X to the receiver, then Y, which tells whoever handles it that X was sent.
struct Source {
  using Receives = Messages<Go>;
  Ref<Receiver> to;
  Ref<Middle> middle;
  void on(const Go&, Context& ctx) {
    ctx.send(to, X{});
    ctx.send(middle, Y{});
  }
};

TEST(Verdicts, WhatIsLostAtACrashedActorTeachesItNothing) {
  const Scenario scenario = Scenario::of("causal crash", [](World& world) {
    const auto receiver = world.spawn<Receiver>("receiver");
    const auto middle = world.spawn<Middle>("middle", Middle{receiver});
    const auto source = world.spawn<Source>("source", Source{receiver, middle});
    world.order(Delivery::causal);
    world.send(source, Go{});
    world.send(middle, Go{});
    world.faults().crash(1, middle).restart(1);
  });
  const Enumeration all = enumerate(scenario.build({}), {});
  for (const char* strategy : {"dfs", "sdpor", "odpor", "dpor"}) {
    std::uint64_t overtaken = 0;  // Y was lost, then Z was sent, and came before X
    std::uint64_t kept = 0;       // Y was handled, then Z was sent, and came before X
    HuntOptions options;
    options.strategy = strategy;
    options.keep_going = true;
    options.watch = [&](const Execution& execution, const RunOutcome&) {
      std::string order;
      bool down = false;
      for (const StepRecord& record : execution.records()) {
        if (record.kind == EventKind::crash) down = true;
        if (record.kind == EventKind::restart) down = false;
        if (record.kind != EventKind::deliver) continue;
        const std::string name(
            execution.kernel().value(execution.kernel().envelope(record.envelope).message).type->name);
        if (name == "Y") order += down ? "y" : "Y";
        if (name == "X" || name == "Z") order += name;
        if (name == "Go" && execution.kernel().envelope(record.envelope).receiver == ActorId{1}) order += "G";
      }
      overtaken += order == "yGZX" ? 1 : 0;
      kept += order == "YGZX" ? 1 : 0;
    };
    const HuntResult result = hunt(scenario, {}, options);
    EXPECT_TRUE(result.complete);
    EXPECT_GT(overtaken, 0U) << strategy;
    EXPECT_EQ(kept, 0U) << strategy;
    if (std::string(strategy) == "dfs") {
      EXPECT_EQ(result.runs, all.executions);
    }
  }
}

// --- monitors within one step ---

struct Want {};
struct Got {};
struct Demand {
  using Observes = Messages<Want, Got>;
  bool wanted = false;
  void on(const Want&) { wanted = true; }
  void on(const Got&) { wanted = false; }
  bool hot() const { return wanted; }
};
struct Tick {};
// Each request is served one step later, in the step that makes the next.
struct Prompt {
  using Receives = Messages<Tick>;
  void on(const Tick&, Context& ctx) {
    ctx.notify<Demand>(Got{});
    ctx.notify<Demand>(Want{});
    ctx.send(ctx.self(*this), Tick{});
  }
};

TEST(Verdicts, AMonitorThatCoolsWithinAStepIsNotHotAllAlong) {
  const Scenario scenario = Scenario::of("prompt", [](World& world) {
    world.monitor<Demand>("demand");
    world.send(world.spawn<Prompt>("prompt"), Tick{});
  });
  const ExploreResult explored = explore(scenario, {}, {});
  EXPECT_TRUE(explored.violations.empty());
  EXPECT_EQ(explored.live, std::vector<std::string>{"demand"});
  for (const bool memo : {true, false}) {
    HuntOptions options;
    options.strategy = "random";
    options.runs = 3;
    options.steps_max = 2000;
    options.memo = memo;
    EXPECT_TRUE(hunt(scenario, {}, options).violations.empty());
  }
}

struct SecondDemand {
  using Observes = Messages<Want>;
  bool wanted = false;
  void on(const Want&) { wanted = true; }
  bool hot() const { return wanted; }
};
struct Endless {
  using Receives = Messages<Tick>;
  void on(const Tick&, Context& ctx) {
    ctx.notify<Demand>(Want{});
    ctx.notify<SecondDemand>(Want{});
    ctx.send(ctx.self(*this), Tick{});
  }
};

TEST(Verdicts, TwoMonitorsHotOnOneLoopAreBothReported) {
  const Scenario scenario = Scenario::of("endless", [](World& world) {
    world.monitor<Demand>("first");
    world.monitor<SecondDemand>("second");
    world.send(world.spawn<Endless>("endless"), Tick{});
  });
  const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
  Names names;
  for (const FoundViolation& found : explored.violations) names.insert(found.violation.property);
  EXPECT_EQ(names, (Names{"first", "second"}));
}

struct Twice {
  using Receives = Messages<Act>;
  int n = 0;
  void on(const Act& act, Context& ctx) {
    n += act.key;
    ctx.notify<Watch>(Seen{act.key});
  }
};

TEST(Verdicts, AStepThatBreaksTwoInvariantsIsToldAlikeByAll) {
  const Scenario scenario = Scenario::of("two invariants", [](World& world) {
    const auto watch = world.monitor<Watch>("watch");
    const auto actor = world.spawn<Twice>("actor");
    world.send(actor, Act{5});
    world.always("of the monitor", {watch}, [=](View view) -> Complaint {
      return view[watch].last == 5 ? Complaint("seen") : Complaint{};
    });
    world.always("of the actor", {actor}, [=](View view) -> Complaint {
      return view[actor].n == 5 ? Complaint("five") : Complaint{};
    });
    world.always("of all", [=](View view) -> Complaint {
      return view[actor].n == 5 ? Complaint("five") : Complaint{};
    });
  });
  const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
  EXPECT_EQ(keys_of(explored.violations), keys_of(search(scenario, "dfs").violations));
  EXPECT_EQ(explored.violations.size(), 1U);
}

struct Refusal {
  using Observes = Messages<Seen>;
  void on(const Seen&, MonitorContext& m) { m.check(false, "first complaint"); }
};
struct LateRefusal {
  using Observes = Messages<Seen>;
  void on(const Seen&, MonitorContext& m) { m.check(false, "second complaint"); }
};
struct Teller {
  using Receives = Messages<Act>;
  void on(const Act&, Context& ctx) {
    ctx.notify<Refusal>(Seen{});
    ctx.notify<LateRefusal>(Seen{});
  }
};

TEST(Verdicts, TheFirstComplaintOfAStepIsTheOneReported) {
  const Scenario scenario = Scenario::of("two complaints", [](World& world) {
    world.monitor<Refusal>("refusal");
    world.monitor<LateRefusal>("late");
    world.send(world.spawn<Teller>("teller"), Act{});
  });
  for (const bool memo : {true, false}) {
    const HuntResult result = search(scenario, "dfs", {}, memo);
    ASSERT_EQ(result.violations.size(), 1U);
    EXPECT_EQ(result.violations[0].violation.message, "first complaint");
  }
  const ExploreResult explored = explore(scenario, {}, {.keep_going = true});
  ASSERT_EQ(explored.violations.size(), 1U);
  EXPECT_EQ(explored.violations[0].violation.message, "first complaint");
}

// --- actors that are executed in place ---

struct Lazy {
  using Receives = Messages<Act>;
  int n = 0;
  void on(const Act& act) { n = std::max(n, act.key); }
};

// Of the messages with key 0 none changes anything, so only those with key 1 concern the invariant: with k messages at
// each of two actors, there are fewer classes than orders.
TEST(Verdicts, ClassesDoNotDependOnTheMemo) {
  const Scenario scenario = Scenario::of("lazy", [](World& world) {
    const auto lazy = world.group<Lazy>("lazy", 2);
    for (const auto& each : lazy) {
      world.send(each, Act{0});
      world.send(each, Act{1});
      world.send(each, Act{0});
    }
    world.always("few", lazy, [=](View view) -> Complaint {
      return view[lazy[0]].n + view[lazy[1]].n > 2 ? Complaint("many") : Complaint{};
    });
  });
  for (const char* strategy : {"sdpor", "odpor", "dpor"}) {
    const HuntResult with = search(scenario, strategy);
    HuntOptions bounded;
    bounded.strategy = strategy;
    bounded.most_bytes = 1;
    for (const HuntResult& other : {search(scenario, strategy, {}, false), hunt(scenario, {}, bounded)}) {
      EXPECT_EQ(with.classes, other.classes) << strategy;
      EXPECT_EQ(with.runs, other.runs) << strategy;
    }
  }
}

}  // namespace
}  // namespace gainsay::verdicts_test
