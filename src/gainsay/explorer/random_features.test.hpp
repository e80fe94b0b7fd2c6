// Which features a small random system has (random_system.test.hpp), drawn from a number.
#pragma once

#include <cstdint>
#include <string>

#include "gainsay/base/rng.hpp"
#include "gainsay/trace/delivery.hpp"

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
