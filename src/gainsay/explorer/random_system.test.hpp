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
#include "gainsay/oracle/client_history.hpp"
#include "gainsay/oracle/specs/register.hpp"
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
  bool disk = false;  // actors persist and recover
  bool parcels =
      false;  // some messages are of a second type, with budgets of its own for drops and duplicates
  std::uint32_t parcel_drops = 0;
  std::uint32_t parcel_duplicates = 0;
  std::uint32_t isolations = 0;
  std::uint32_t isolation_steps = 1;
  bool isolation_drops = false;
  std::uint32_t recreations = 0;
  std::uint32_t failing_writes = 0;
  std::uint32_t tears = 0;
  std::uint32_t losing_writes = 0;
  std::uint32_t corruptions = 0;
  int check_share = 40;          // one of so many local steps is a violation, where there are checks
  bool timers_optional = false;  // an execution may end although timers are armed
  bool clients = false;  // any actor begins and ends operations of any other; each client's order is judged
  bool keys = false;     // actors are made of two halves that messages of different types keep apart
  bool own_invariant = false;  // about one actor
  bool warmth = false;   // a liveness monitor with warm states, told by actors and by those that they spawn
  bool obliged = false;  // who is down comes back, and cuts are healed
  bool endless_property = false;  // a property of endless executions, which must hold where one ends
};

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

// The same with one or two faults that `draw` does not draw; smaller, because they are many.
inline Features draw_faulty(std::uint64_t number) {
  Features f = draw(number);
  Rng rng(number, 815);
  f.actors = 2;
  f.levels = 1;
  f.outside = 2;
  f.spawns = false;
  f.drops = f.duplicates = f.crashes = f.restarts = f.partitions = 0;
  f.to_crashed = rng.chance(1, 2) ? ToCrashed::lost : ToCrashed::kept;
  f.disk = rng.chance(1, 3);
  switch (rng.below(7)) {
    case 0:
      f.isolations = 1;
      f.isolation_steps = 1 + static_cast<std::uint32_t>(rng.below(2));
      f.isolation_drops = rng.chance(1, 2);
      break;
    case 1:
      f.recreations = 1;
      break;
    case 2:
      f.failing_writes = 1;
      break;
    case 3:
      f.tears = 1;
      break;
    case 4:
      f.losing_writes = 1;
      f.crashes = 1;
      f.restarts = 1;
      break;
    case 5:
      f.parcels = true;
      f.drops = 1;
      f.parcel_drops = 1;
      break;
    default:
      f.parcels = true;
      f.parcel_duplicates = 1;
      break;
  }
  f.disk = f.disk || f.failing_writes + f.tears + f.losing_writes > 0;
  if (rng.chance(1, 4) && f.recreations == 0) f.recreations = 1;
  if (rng.chance(1, 6) && f.crashes == 0) f.crashes = 1;
  return f;
}

// Nothing but timers that need not fire: where an execution ends is what is to be found.
inline Features draw_optional(std::uint64_t number) {
  Rng rng(number, 99);
  Features f;
  f.seed = number;
  f.actors = 1 + static_cast<int>(rng.below(2));
  f.types = 1 + static_cast<int>(rng.below(2));
  f.levels = 1 + static_cast<int>(rng.below(2));
  f.outside = 2 + static_cast<int>(rng.below(2));
  f.timers = f.timers_optional = true;
  return f;
}

// The same with what hides behind something else: many violations, optional timers, changed messages, crashes under
// causal order.
inline Features draw_hidden(std::uint64_t number) {
  Features f = draw(number);
  Rng rng(number, 1234);
  if (rng.chance(1, 2)) {
    f.checks = true;
    f.check_share = 3 + static_cast<int>(rng.below(6));
  }
  f.own_invariant = rng.chance(1, 4);
  f.timers_optional = rng.chance(1, 3);
  if (f.timers_optional) f.timers = rng.chance(3, 4);
  if (rng.chance(1, 4)) {
    f.order = Delivery::causal;
    f.outside = 2;
    f.crashes = f.restarts = 1;
  } else if (rng.chance(1, 5)) {
    f.corruptions = 1;
    f.types = std::max(f.types, 2);
    f.outside = 2;
    if (rng.chance(1, 2)) f.order = Delivery::mailbox;
  }
  return f;
}

// The same with liveness: warm monitors, properties of endless executions, faults that must be over in the end, disk
// faults, and monitors that are told by spawned actors. Executions end, so what is judged is where they end.
inline Features draw_live(std::uint64_t number) {
  Features f = number % 2 == 0 ? draw(number) : draw_faulty(number);
  Rng rng(number, 2718);
  f.warmth = rng.chance(3, 4);
  f.endless_property = rng.chance(1, 3);
  f.spawns = rng.chance(1, 3);
  f.checks = f.checks && rng.chance(1, 2);
  f.obliged = rng.chance(1, 2);
  if (f.obliged && f.crashes + f.partitions == 0) {
    if (rng.chance(1, 2)) {
      f.crashes = 1;
    } else {
      f.partitions = 1;
      f.partition_steps = 0;
    }
    f.levels = 1;
    f.outside = 2;
    f.isolations = 0;
  }
  return f;
}

// Operations of clients, each begun and ended by whoever is there.
inline Features draw_clients(std::uint64_t number) {
  Features f = draw(number);
  Rng rng(number, 99);
  f.clients = true;
  f.gates = f.gates && rng.chance(1, 2);
  f.invariant = f.invariant && rng.chance(1, 2);
  f.own_invariant = false;
  return f;
}

// Messages with keys, and everything that looks beyond them.
inline Features draw_keyed(std::uint64_t number) {
  Features f = draw(number);
  Rng rng(number, 31);
  f.keys = true;
  f.types = 2;
  f.actors = 1 + static_cast<int>(rng.below(3));
  f.outside = 2 + static_cast<int>(rng.below(3));
  f.order = Delivery::unordered;
  f.gates = f.timers = f.choices = f.starts = f.spawns = false;
  f.drops = f.duplicates = f.crashes = f.restarts = f.partitions = f.timer_budget = 0;
  f.own_invariant = rng.chance(1, 2);
  f.clients = rng.chance(1, 3);
  f.checks = rng.chance(1, 2);
  f.check_share = 8;
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
  add(f.disk, "disk");
  add(f.parcels, "parcels");
  add(f.isolations > 0, "isolate");
  add(f.recreations > 0, "recreate");
  add(f.failing_writes > 0, "fail write");
  add(f.tears > 0, "tear write");
  add(f.losing_writes > 0, "lose write");
  add(f.corruptions > 0, "corrupt");
  add(f.check_share < 40, "many checks");
  add(f.timers_optional, "optional timers");
  add(f.clients, "clients");
  add(f.keys, "keys");
  add(f.own_invariant, "invariant of one");
  add(f.warmth, "warmth");
  add(f.obliged, "obliged");
  add(f.endless_property, "endless property");
  return text;
}

}  // namespace gainsay::random_system
