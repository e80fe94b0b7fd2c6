// Small random actor systems, for tests in which several searches must agree on every one of them.
//
// A handler is a table: (actor, state, message) gives the next state and what is sent, drawn from the seed by hashing.
// Messages have a level that sinks, so every execution ends. Which features a system has is the test's to say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gainsay/base/hash.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::random_system {

struct Features {
  std::uint64_t seed = 1;
  int actors = 3;
  int states = 2;
  int types = 2;
  int levels = 2;   // a message of level 0 sends nothing
  int outside = 2;  // messages pending at the start
  Delivery order = Delivery::unordered;
  bool gates = false;
  bool timers = false;
  bool choices = false;
  bool starts = false;
  bool spawns = false;
  bool checks = false;     // some local steps are violations
  bool monitor = false;    // a monitor that complains about some orders of notifications
  bool invariant = false;  // about two actors at once
  std::uint32_t timer_budget = 0;
  std::uint32_t drops = 0;
  std::uint32_t duplicates = 0;
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  std::uint32_t partitions = 0;
  std::uint32_t partition_steps = 0;
  bool partition_drops = false;
  ToCrashed to_crashed = ToCrashed::lost;
};

struct Token {
  int type = 0;
  int level = 0;
};
struct Alarm {
  int level = 0;
};
struct Seen {
  int who = 0;
};

struct Watch {
  using Observes = Messages<Seen>;
  int last = -1;
  int repeated = 0;
  void on(const Seen& seen, MonitorContext& m) {
    repeated = seen.who == last ? repeated + 1 : 0;
    last = seen.who;
    m.check(repeated < 2, "the same actor three times in a row");
  }
};

struct Settings {
  std::uint64_t seed = 0;
  int actors = 0;
  int states = 0;
  int types = 0;
  bool timers = false;
  bool choices = false;
  bool spawns = false;
  bool checks = false;
  bool monitor = false;
};

struct Child {
  using Receives = Messages<Token>;
  int got = 0;
  void on(const Token& token) { got = got * 3 + token.type + 1; }
};

template <bool Gated, bool Starts> struct Node {
  using Receives = Messages<Token, Alarm>;
  Settings settings;
  int self = 0;
  int state = 0;

  void on(const Token& token, Context& ctx) { act(token.type, token.level, ctx); }
  void on(const Alarm& alarm, Context& ctx) { act(settings.types, alarm.level, ctx); }
  void on_start(Context& ctx) requires Starts { act(settings.types + 1, 1, ctx); }
  // In each state one type may have to wait.
  bool accepts(const Token& token) const requires Gated {
    const std::uint64_t draw =
        scramble(mix(settings.seed + 77, static_cast<std::uint64_t>(self * 64 + state)));
    return draw % 3 == 0 ||
           static_cast<int>(draw / 3 % static_cast<std::uint64_t>(settings.types)) != token.type;
  }

  void act(int type, int level, Context& ctx) {
    std::uint64_t draw =
        mix(settings.seed, static_cast<std::uint64_t>(((self * 64 + state) * 64 + type) * 64 + level));
    Rng rng(draw);
    if (settings.choices && rng.chance(1, 3)) rng = Rng(draw, 1 + ctx.choose(2));
    state = static_cast<int>(rng.below(static_cast<std::uint64_t>(settings.states)));
    if (settings.checks) ctx.check(!rng.chance(1, 40), "a check of actor " + std::to_string(self));
    if (settings.monitor && rng.chance(1, 2)) ctx.notify<Watch>(Seen{self});
    if (settings.timers && rng.chance(1, 4)) ctx.cancel<Alarm>();
    if (level == 0) return;
    if (settings.timers && rng.chance(1, 4)) ctx.after(Duration(1), Alarm{level - 1});
    if (settings.spawns && rng.chance(1, 6)) {
      const auto child = ctx.spawn("child", Child{});
      ctx.send(child, Token{0, 0});
      ctx.send(child, Token{1, 0});
    }
    const std::uint64_t sends = rng.below(3);
    for (std::uint64_t i = 0; i < sends; ++i) {
      const auto to = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(settings.actors)));
      ctx.send(ActorId{to},
               Token{static_cast<int>(rng.below(static_cast<std::uint64_t>(settings.types))), level - 1});
    }
  }
};

template <bool Gated, bool Starts> void fill(World& world, const Features& f) {
  using A = Node<Gated, Starts>;
  const Settings settings{f.seed,    f.actors, f.states, f.types,  f.timers,
                          f.choices, f.spawns, f.checks, f.monitor};
  const Group<A> nodes = world.group<A>("node", static_cast<std::size_t>(f.actors), [&](std::size_t i) {
    return A{settings, static_cast<int>(i), 0};
  });
  Rng rng(f.seed, 9);
  for (int i = 0; i < f.outside; ++i) {
    const auto to = rng.below(static_cast<std::uint64_t>(f.actors));
    world.send(nodes[to], Token{static_cast<int>(rng.below(static_cast<std::uint64_t>(f.types))), f.levels});
  }
  world.order(f.order);
  if (f.monitor) world.monitor<Watch>("watch");
  if (f.invariant && f.actors > 1) {
    world.always("not both", {nodes[0], nodes[1]}, [=](View view) -> Complaint {
      if (view[nodes[0]].state == 1 && view[nodes[1]].state == 1) return "both are in state 1";
      return {};
    });
  }
  if (f.timer_budget > 0) world.timer_budget<Alarm>(f.timer_budget);
  if (f.drops > 0) world.faults().drop(f.drops);
  if (f.duplicates > 0) world.faults().duplicate(f.duplicates);
  if (f.crashes > 0) world.faults().crash(f.crashes, nodes);
  if (f.restarts > 0) world.faults().restart(f.restarts);
  if (f.partitions > 0) {
    world.faults().partition("cut", {{nodes[0]}, {nodes[1]}}, f.partition_steps, f.partition_drops);
    world.faults().partitions(f.partitions);
  }
  world.to_crashed(f.to_crashed);
}

inline void fill(World& world, const Features& features) {
  if (features.gates) {
    features.starts ? fill<true, true>(world, features) : fill<true, false>(world, features);
  } else {
    features.starts ? fill<false, true>(world, features) : fill<false, false>(world, features);
  }
}

inline Blueprint build(const Features& features) {
  World world("random");
  fill(world, features);
  return world.take();
}

// Features drawn from a number: all kinds of worlds turn up, most of them small.
inline Features draw(std::uint64_t number) {
  Rng rng(number, 4711);
  Features f;
  f.seed = number;
  f.actors = 2 + static_cast<int>(rng.below(3));
  f.states = 2 + static_cast<int>(rng.below(2));
  f.types = 1 + static_cast<int>(rng.below(3));
  f.levels = 1 + static_cast<int>(rng.below(2));
  f.outside = 2 + static_cast<int>(rng.below(2));
  if (rng.chance(1, 2)) f.order = static_cast<Delivery>(rng.below(4));
  f.gates = rng.chance(1, 4);
  f.timers = rng.chance(1, 4);
  if (f.timers && rng.chance(1, 2)) f.timer_budget = 1;
  f.choices = rng.chance(1, 4);
  f.starts = rng.chance(1, 6);
  f.spawns = rng.chance(1, 6);
  f.checks = rng.chance(1, 4);
  f.monitor = rng.chance(1, 4);
  f.invariant = rng.chance(1, 4);
  switch (rng.below(10)) {
    case 0:
      f.drops = 1;
      break;
    case 1:
      f.duplicates = 1;
      break;
    case 2:
      f.crashes = 1;
      f.restarts = static_cast<std::uint32_t>(rng.below(2));
      if (rng.chance(1, 2)) f.to_crashed = ToCrashed::kept;
      break;
    case 3:
      f.partitions = 1;
      f.partition_steps = static_cast<std::uint32_t>(rng.below(3));
      f.partition_drops = rng.chance(1, 2);
      break;
    default:
      break;
  }
  return f;
}

inline std::string text(const Features& f) {
  std::string text = "seed " + std::to_string(f.seed) + ", " + std::to_string(f.actors) + " actors, levels " +
                     std::to_string(f.levels) + ", outside " + std::to_string(f.outside) + ", order " +
                     std::to_string(static_cast<int>(f.order));
  const auto add = [&](bool has, const char* what) {
    if (has) text += std::string(", ") + what;
  };
  add(f.gates, "gates");
  add(f.timers, "timers");
  add(f.timer_budget > 0, "timer budget");
  add(f.choices, "choices");
  add(f.starts, "starts");
  add(f.spawns, "spawns");
  add(f.checks, "checks");
  add(f.monitor, "monitor");
  add(f.invariant, "invariant");
  add(f.drops > 0, "drop");
  add(f.duplicates > 0, "duplicate");
  add(f.crashes > 0, "crash");
  add(f.restarts > 0, "restart");
  add(f.partitions > 0, "partition");
  return text;
}

}  // namespace gainsay::random_system
