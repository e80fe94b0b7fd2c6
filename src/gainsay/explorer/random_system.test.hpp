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
#include "gainsay/explorer/random_features.test.hpp"
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/oracle/specs/register.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::random_system {

struct Token {
  int type = 0;
  int level = 0;
};
struct Parcel {
  int type = 0;
  int level = 0;
};
struct Alarm {
  int level = 0;
};
struct Saved {
  int state = 0;
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

struct Heated {};
struct Cooled {};
struct Warmed {};
struct Warmth {
  using Observes = Messages<Heated, Cooled, Warmed>;
  int heat = 0;  // cold, warm, hot
  void on(const Heated&) { heat = 2; }
  void on(const Cooled&) { heat = 0; }
  void on(const Warmed&) { heat = 1; }
  bool hot() const { return heat == 2; }
  bool cold() const { return heat == 0; }
};
inline void tell_warmth(std::uint64_t draw, Context& ctx) {
  switch (draw % 4) {
    case 0:
      return ctx.notify<Warmth>(Heated{});
    case 1:
      return ctx.notify<Warmth>(Cooled{});
    case 2:
      return ctx.notify<Warmth>(Warmed{});
    default:
      return;
  }
}

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
  bool disk = false;
  bool parcels = false;
  int check_share = 40;
  bool clients = false;
  bool warmth = false;
};

using Value = specs::Register<int>;

// Writes to the register, or reads from it, for some client, all in one step.
inline void serve(Rng& rng, int actors, int value, Context& ctx) {
  const ActorId client{static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(actors)))};
  if (rng.chance(1, 2)) {
    ctx.invoke_for(client, Value::Write{value});
    ctx.complete_for(client, specs::Done{});
  } else {
    ctx.invoke_for(client, Value::Read{});
    ctx.complete_for(client, value);
  }
}

struct Child {
  using Receives = Messages<Token>;
  int got = 0;
  bool warmth = false;
  void on(const Token& token, Context& ctx) {
    got = got * 3 + token.type + 1;
    if (warmth) tell_warmth(static_cast<std::uint64_t>(got), ctx);
  }
};

template <bool Gated, bool Starts> struct Node {
  using Receives = Messages<Token, Parcel, Alarm>;
  Settings settings;
  int self = 0;
  int state = 0;

  void on(const Token& token, Context& ctx) { act(token.type, token.level, ctx); }
  void on(const Parcel& parcel, Context& ctx) { act(parcel.type, parcel.level, ctx); }
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
    if (settings.disk) {
      if (const auto saved = ctx.recover<Saved>()) state = (state + saved->state) % settings.states;
      if (rng.chance(2, 3) && !ctx.persist(Saved{state})) state = 0;
    }
    if (settings.checks)
      ctx.check(!rng.chance(1, static_cast<std::uint64_t>(settings.check_share)),
                "a check of actor " + std::to_string(self) +
                    (settings.check_share < 40 ? " at " + std::to_string(type) : ""));
    if (settings.clients && rng.chance(1, 2)) serve(rng, settings.actors, state, ctx);
    if (settings.monitor && rng.chance(1, 2)) ctx.notify<Watch>(Seen{self});
    if (settings.warmth) tell_warmth(draw >> 7U, ctx);
    if (settings.timers && rng.chance(1, 4)) ctx.cancel<Alarm>();
    if (level == 0) return;
    if (settings.timers && rng.chance(1, 4)) ctx.after(Duration(1), Alarm{level - 1});
    if (settings.spawns && rng.chance(1, 6)) {
      const auto child = ctx.spawn("child", Child{0, settings.warmth});
      ctx.send(child, Token{0, 0});
      ctx.send(child, Token{1, 0});
    }
    const std::uint64_t sends = rng.below(3);
    for (std::uint64_t i = 0; i < sends; ++i) {
      const auto to = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(settings.actors)));
      const int what = static_cast<int>(rng.below(static_cast<std::uint64_t>(settings.types)));
      if (settings.parcels && rng.chance(1, 2)) {
        ctx.send(ActorId{to}, Parcel{what, level - 1});
      } else {
        ctx.send(ActorId{to}, Token{what, level - 1});
      }
    }
  }
};

// Two halves. What a message does follows from its own half and concerns no other, so those of different types may be
// swapped, except where somebody looks at both halves, at the monitor or at a client.
struct Halves {
  using Receives = Messages<Token>;
  Settings settings;
  int self = 0;
  int state = 0;  // of type 0
  int other = 0;  // of type 1

  void on(const Token& token, Context& ctx) {
    int& half = token.type == 0 ? state : other;
    Rng rng(mix(settings.seed,
                static_cast<std::uint64_t>(((self * 64 + half) * 64 + token.type) * 64 + token.level)));
    half = static_cast<int>(rng.below(static_cast<std::uint64_t>(settings.states)));
    if (settings.checks)
      ctx.check(!rng.chance(1, static_cast<std::uint64_t>(settings.check_share)),
                "a check of actor " + std::to_string(self));
    if (settings.monitor && rng.chance(1, 2)) ctx.notify<Watch>(Seen{self * 2 + token.type});
    if (settings.clients && rng.chance(1, 2)) serve(rng, settings.actors, half, ctx);
    if (token.level == 0) return;
    for (std::uint64_t i = rng.below(3); i > 0; --i) {
      const auto to = static_cast<std::uint32_t>(rng.below(static_cast<std::uint64_t>(settings.actors)));
      ctx.send(ActorId{to}, Token{static_cast<int>(rng.below(2)), token.level - 1});
    }
  }
};

template <class A> void fill_with(World& world, const Features& f) {
  const Settings settings{f.seed,   f.actors,  f.states, f.types,   f.timers,      f.choices, f.spawns,
                          f.checks, f.monitor, f.disk,   f.parcels, f.check_share, f.clients, f.warmth};
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
  if (f.warmth) world.monitor<Warmth>("warmth");
  if (f.endless_property) {
    world.always_eventually("comes back", {nodes[0]}, [=](View view) -> Complaint {
      return view[nodes[0]].state == 0 ? Complaint{} : Complaint("it is not in its first state");
    });
  }
  if (f.invariant && f.actors > 1) {
    world.always("not both", {nodes[0], nodes[1]}, [=](View view) -> Complaint {
      if (view[nodes[0]].state == 1 && view[nodes[1]].state == 1) return "both are in state 1";
      return {};
    });
  }
  if constexpr (std::is_same_v<A, Halves>) {
    world.key<Token>([](const Token& token) { return token.type; });
    if (f.own_invariant) {
      world.always("first half first", {nodes[0]}, [=](View view) -> Complaint {
        if (view[nodes[0]].other == 1 && view[nodes[0]].state == 0) return "the second half came first";
        return {};
      });
    }
  } else if (f.own_invariant) {
    world.always("not the last", {nodes[0]}, [=, last = f.states - 1](View view) -> Complaint {
      return view[nodes[0]].state == last ? Complaint("the last state") : Complaint{};
    });
  }
  if (f.clients) world.sequentially_consistent<Value>();
  if (f.timers_optional) world.timers_keep_alive(false);
  if (f.corruptions > 0) {
    world.faults().corrupt<Token>(f.corruptions, [types = f.types](const Token& token) {
      return Token{(token.type + 1) % types, token.level};
    });
  }
  if (f.timer_budget > 0) world.timer_budget<Alarm>(f.timer_budget);
  if (f.drops > 0) {
    f.parcels ? world.faults().drop<Token>(f.drops) : world.faults().drop(f.drops);
  }
  if (f.duplicates > 0) {
    f.parcels ? world.faults().duplicate<Token>(f.duplicates) : world.faults().duplicate(f.duplicates);
  }
  if (f.parcel_drops > 0) world.faults().drop<Parcel>(f.parcel_drops);
  if (f.parcel_duplicates > 0) world.faults().duplicate<Parcel>(f.parcel_duplicates);
  if (f.isolations > 0) world.faults().isolate(f.isolations, nodes, f.isolation_steps, f.isolation_drops);
  if (f.recreations > 0) world.faults().recreate(f.recreations, nodes);
  if (f.failing_writes > 0) world.faults().fail_write(f.failing_writes, nodes);
  if (f.tears > 0) {
    world.faults().tear_write<Saved>(f.tears, nodes, [](const Saved& before, const Saved& saved) {
      return Saved{before.state + saved.state + 1};
    });
  }
  if (f.losing_writes > 0) world.faults().lose_write(f.losing_writes, nodes);
  if (f.crashes > 0) world.faults().crash(f.crashes, nodes);
  if (f.restarts > 0 && !f.obliged) world.faults().restart(f.restarts);
  if (f.crashes > 0 && f.obliged) world.faults().restarts_eventually();
  if (f.partitions > 0) {
    world.faults().partition("cut", {{nodes[0]}, {nodes[1]}}, f.partition_steps, f.partition_drops);
    world.faults().partitions(f.partitions);
    if (f.obliged) world.faults().heals_eventually();
  }
  world.to_crashed(f.to_crashed);
}

inline void fill(World& world, const Features& features) {
  if (features.keys) {
    fill_with<Halves>(world, features);
  } else if (features.gates) {
    features.starts ? fill_with<Node<true, true>>(world, features)
                    : fill_with<Node<true, false>>(world, features);
  } else {
    features.starts ? fill_with<Node<false, true>>(world, features)
                    : fill_with<Node<false, false>>(world, features);
  }
}

inline Blueprint build(const Features& features) {
  World world("random");
  fill(world, features);
  return world.take();
}

}  // namespace gainsay::random_system
