// Random systems driven by a table: (actor, state, type) -> questions, next state, sends, timers, failure.
//
// The same table runs in two places: as a scenario of Gainsay, through `build`, and in the dumb twin
// (tests/twin/twin.hpp), which shares nothing with the kernel but this table. Messages carry a time to live,
// so every execution ends, unless the table says that it is endless.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gainsay/base/rng.hpp"
#include "gainsay/scenario/registry.hpp"

namespace twin {

using gainsay::Delivery;

struct Sent {
  int to = 0;
  int type = 0;
};

// What one answer leads to; with `more`, to another question.
struct Reaction {
  int next = 0;
  std::vector<Sent> sends;
  std::vector<int> arms;  // types of timers
  bool cancels = false;   // before it arms
  bool fails = false;
  bool halts = false;
  std::vector<Reaction> more;
};

struct Rule {
  bool refused = false;  // the actor does not take this type in this state
  std::vector<Reaction> reactions;
};

struct Pending {
  int from = -1;  // -1: outside
  int to = 0;
  int type = 0;
};

struct Link {
  int from = -1;
  int to = 0;
  Delivery order = Delivery::unordered;
};

// Complains when the states of the actors in the scope add up to `sum`.
struct Invariant {
  std::vector<int> scope;
  int sum = 0;
  bool scoped = true;  // whether Gainsay is told the scope
};

struct Cut {
  std::vector<int> left;
  std::vector<int> right;
  int steps = 0;
  bool drops = false;
};

struct Faults {
  int drops = 0;
  int droppable = -1;  // type of timer or message that may be lost: -1 all, 0 notes, 1 pings
  int duplicates = 0;
  int crashes = 0;
  int restarts = 0;
  bool kept = false;
  std::vector<Cut> cuts;
  int cut_budget = 0;
};

// Simulated time, in small numbers.
struct Span {
  int lo = 0;
  int hi = 0;
};
struct LinkSpan {
  int from = -1;
  int to = 0;
  Span span;
};
struct Timing {
  bool on = false;
  Span latency;
  std::vector<LinkSpan> links;
  std::vector<Span> timers;  // by type

  Span of(bool timer, int from, int to, int type) const {
    if (timer) return timers[static_cast<std::size_t>(type)];
    Span span = latency;
    for (const LinkSpan& link : links) {
      if (link.from == from && link.to == to) span = link.span;
    }
    return span;
  }
};

struct Table {
  int actors = 2;
  int states = 2;
  int types = 2;
  int ttl = 1;
  std::vector<Rule> rules;    // of messages, by actor, state, type
  std::vector<Rule> ticking;  // of timers, likewise
  std::vector<Pending> pending;
  Delivery order = Delivery::unordered;
  std::vector<Link> links;
  std::vector<Invariant> invariants;
  std::vector<Invariant> endings;  // `finally`
  Faults faults;
  int timer_budget = -1;  // -1: none
  bool timers_keep_alive = true;
  Timing timing;
  bool endless = false;            // the time to live stays as it is
  std::vector<Invariant> returns;  // `always_eventually`: the states do not add up

  int left(int of) const { return endless ? of : of - 1; }

  const Rule& rule(bool timer, int actor, int state, int type) const {
    return (timer ? ticking : rules)[static_cast<std::size_t>((actor * states + state) * types + type)];
  }
};

// What a random table may contain; 0 means never, n means one in n.
struct Flavour {
  int actors_max = 3;
  int pending_max = 4;
  int ttl_max = 2;
  unsigned choices = 0;
  unsigned timers = 0;
  unsigned gates = 0;
  unsigned failures = 0;
  unsigned halts = 0;
  unsigned invariants = 0;
  bool mixed_orders = false;
  bool faults = false;
  int window_max = 0;  // simulated time: the longest window; 0: untimed
};

class Maker {
 public:
  Maker(std::uint64_t seed, const Flavour& flavour) : rng_(seed), flavour_(flavour) {}

  Table make() {
    Table table;
    table.actors = 1 + below(flavour_.actors_max);
    table.states = 1 + below(3);
    table.types = 1 + below(2);
    table.ttl = below(flavour_.ttl_max + 1);
    const int rules = table.actors * table.states * table.types;
    for (int i = 0; i < rules; ++i) {
      table.rules.push_back(rule(table));
      table.ticking.push_back(rule(table));
    }
    const int pending = 1 + below(flavour_.pending_max);
    for (int i = 0; i < pending; ++i) {
      table.pending.push_back({below(table.actors + 1) - 1, below(table.actors), below(table.types)});
    }
    if (flavour_.mixed_orders) {
      const int orders = flavour_.window_max > 0 ? 4 : 5;  // queue order knows no time
      for (int from = -1; from < table.actors; ++from) {
        for (int to = 0; to < table.actors; ++to) {
          if (below(2) == 0) table.links.push_back({from, to, static_cast<Delivery>(below(orders))});
        }
      }
    }
    for (int i = 0; i < 2 && one_in(flavour_.invariants); ++i) {
      table.invariants.push_back(invariant(table));
      table.endings.push_back(invariant(table));
    }
    if (flavour_.faults) table.faults = faults(table);
    if (flavour_.timers != 0 && below(3) == 0) table.timer_budget = below(3);
    if (flavour_.timers != 0) table.timers_keep_alive = below(3) != 0;
    if (flavour_.window_max > 0) table.timing = timing(table);
    return table;
  }

 private:
  int below(int n) { return static_cast<int>(rng_.below(static_cast<std::uint64_t>(n))); }
  bool one_in(unsigned n) { return n != 0 && rng_.below(n) == 0; }

  Rule rule(const Table& table) {
    Rule made;
    made.refused = one_in(flavour_.gates);
    const int answers = one_in(flavour_.choices) ? 2 + below(2) : 1;
    for (int i = 0; i < answers; ++i) made.reactions.push_back(reaction(table, true));
    return made;
  }
  Reaction reaction(const Table& table, bool may_ask_more) {
    Reaction made;
    made.next = below(table.states);
    const int sends = below(3);
    for (int i = 0; i < sends; ++i) made.sends.push_back({below(table.actors), below(table.types)});
    if (one_in(flavour_.timers)) made.arms.push_back(below(table.types));
    if (one_in(flavour_.timers * 2)) made.arms.push_back(below(table.types));
    made.cancels = one_in(flavour_.timers * 2);
    made.fails = one_in(flavour_.failures);
    made.halts = one_in(flavour_.halts);
    if (may_ask_more && one_in(flavour_.choices * 2)) {
      for (int i = 0; i < 2; ++i) made.more.push_back(reaction(table, false));
    }
    return made;
  }
  Invariant invariant(const Table& table) {
    Invariant made;
    for (int a = 0; a < table.actors; ++a) {
      if (below(2) == 0) made.scope.push_back(a);
    }
    if (made.scope.empty()) made.scope.push_back(below(table.actors));
    made.sum = 1 + below(3);
    made.scoped = below(2) == 0;
    return made;
  }
  Span span() {
    const int lo = below(3);
    return {lo, lo + below(flavour_.window_max + 1)};
  }
  Timing timing(const Table& table) {
    Timing made;
    made.on = true;
    made.latency = span();
    for (int from = -1; from < table.actors; ++from) {
      for (int to = 0; to < table.actors; ++to) {
        if (below(2) == 0) made.links.push_back({from, to, span()});
      }
    }
    for (int type = 0; type < table.types; ++type) made.timers.push_back(span());
    return made;
  }
  Faults faults(const Table& table) {
    Faults made;
    if (below(3) == 0) {
      made.drops = 1 + below(2);
      made.droppable = below(3) - 1;
    }
    if (below(3) == 0) made.duplicates = 1 + below(2);
    if (below(3) == 0) {
      made.crashes = 1 + below(2);
      made.restarts = below(2);
      made.kept = below(2) == 0;
    }
    if (table.actors > 1 && below(3) == 0) {
      const int cuts = 1 + below(2);
      for (int i = 0; i < cuts; ++i) {
        Cut cut{{0}, {1}, below(3), below(2) == 0};
        for (int a = 2; a < table.actors; ++a) {
          if (below(2) == 0) cut.left.push_back(a);
        }
        made.cuts.push_back(cut);
      }
      made.cut_budget = 1 + below(2);
    }
    return made;
  }

  gainsay::Rng rng_;
  Flavour flavour_;
};

// --- the table as a scenario ---

// The table in use. It does not change while anything runs, so handlers that read it are functions.
inline const Table* current_table = nullptr;

// Messages of type 0 are notes, the others pings, so that there are two kinds to the kernel.
struct Note {
  int type = 0;
  int ttl = 0;
};
struct Ping {
  int type = 0;
  int ttl = 0;
};
struct Tick {
  int type = 0;
  int ttl = 0;
};

struct Node {
  using Receives = gainsay::Messages<Note, Ping, Tick>;
  int self = 0;
  int state = 0;

  bool accepts(const Note& note) const { return !current_table->rule(false, self, state, note.type).refused; }
  bool accepts(const Ping& ping) const { return !current_table->rule(false, self, state, ping.type).refused; }
  bool accepts(const Tick& tick) const { return !current_table->rule(true, self, state, tick.type).refused; }

  void on(const Note& note, gainsay::Context& ctx) {
    react(current_table->rule(false, self, state, note.type).reactions, note.ttl, ctx);
  }
  void on(const Ping& ping, gainsay::Context& ctx) {
    react(current_table->rule(false, self, state, ping.type).reactions, ping.ttl, ctx);
  }
  void on(const Tick& tick, gainsay::Context& ctx) {
    react(current_table->rule(true, self, state, tick.type).reactions, tick.ttl, ctx);
  }

  void react(const std::vector<Reaction>& reactions, int ttl, gainsay::Context& ctx) {
    const Reaction& reaction = reactions[ctx.choose(static_cast<std::uint32_t>(reactions.size()))];
    state = reaction.next;
    if (ttl > 0) {
      for (const Sent& sent : reaction.sends) {
        const gainsay::ActorId to{static_cast<std::uint32_t>(sent.to)};
        if (sent.type == 0) {
          ctx.send(to, Note{sent.type, current_table->left(ttl)});
        } else {
          ctx.send(to, Ping{sent.type, current_table->left(ttl)});
        }
      }
      if (reaction.cancels) ctx.cancel<Tick>();
      for (const int type : reaction.arms) {
        const Span span =
            current_table->timing.on ? current_table->timing.of(true, self, self, type) : Span{1, 1};
        ctx.after(gainsay::Duration(span.lo), Tick{type, current_table->left(ttl)},
                  gainsay::Duration(span.hi - span.lo));
      }
    }
    ctx.check(!reaction.fails, "the table says so");
    if (reaction.halts) ctx.halt();
    if (!reaction.more.empty()) react(reaction.more, ttl, ctx);
  }
};

// The same without gates: plain worlds take other paths through the kernel.
struct OpenNode {
  using Receives = gainsay::Messages<Note, Ping, Tick>;
  Node node;
  void on(const Note& note, gainsay::Context& ctx) { node.on(note, ctx); }
  void on(const Ping& ping, gainsay::Context& ctx) { node.on(ping, ctx); }
  void on(const Tick& tick, gainsay::Context& ctx) { node.on(tick, ctx); }
};

inline const Node& node_of(const Node& node) { return node; }
inline const Node& node_of(const OpenNode& node) { return node.node; }

template <class N>
std::function<gainsay::Complaint(gainsay::View)> complaint_of(gainsay::Group<N> nodes,
                                                              const Invariant& invariant) {
  return [nodes, invariant](gainsay::View view) -> gainsay::Complaint {
    int sum = 0;
    for (const int a : invariant.scope) sum += node_of(view[nodes[static_cast<std::size_t>(a)]]).state;
    if (sum == invariant.sum) return "the states add up";
    return {};
  };
}

template <class N> void build_with(gainsay::World& world, gainsay::Group<N> nodes) {
  const auto id = [](int a) {
    return a < 0 ? gainsay::outside : gainsay::ActorId{static_cast<std::uint32_t>(a)};
  };
  const auto ids = [&](const std::vector<int>& list) {
    std::vector<gainsay::ActorId> all;
    for (const int a : list) all.push_back(id(a));
    return all;
  };
  const Timing& timing = current_table->timing;
  if (timing.on) {
    world.simulated_time();
    world.latency(gainsay::Duration(timing.latency.lo), gainsay::Duration(timing.latency.hi));
    for (const LinkSpan& link : timing.links)
      world.latency(id(link.from), id(link.to), gainsay::Duration(link.span.lo),
                    gainsay::Duration(link.span.hi));
  }
  world.order(current_table->order);
  for (const Link& link : current_table->links) world.order(id(link.from), id(link.to), link.order);
  for (const Pending& pending : current_table->pending) {
    const auto to = nodes[static_cast<std::size_t>(pending.to)];
    if (pending.type == 0) {
      world.send_from(id(pending.from), to, Note{pending.type, current_table->ttl});
    } else {
      world.send_from(id(pending.from), to, Ping{pending.type, current_table->ttl});
    }
  }
  if (current_table->timer_budget >= 0)
    world.timer_budget<Tick>(static_cast<std::uint32_t>(current_table->timer_budget));
  world.timers_keep_alive(current_table->timers_keep_alive);
  int number = 0;
  for (const Invariant& invariant : current_table->invariants) {
    const std::string name = "invariant " + std::to_string(number++);
    if (invariant.scoped) {
      world.always(name, ids(invariant.scope), complaint_of(nodes, invariant));
    } else {
      world.always(name, complaint_of(nodes, invariant));
    }
  }
  number = 0;
  for (const Invariant& ending : current_table->endings) {
    world.finally("ending " + std::to_string(number++), complaint_of(nodes, ending));
  }
  number = 0;
  for (const Invariant& each : current_table->returns)
    world.always_eventually("return " + std::to_string(number++), complaint_of(nodes, each));
  const Faults& faults = current_table->faults;
  const auto count = [](int n) { return static_cast<std::uint32_t>(n); };
  if (faults.drops > 0 && faults.droppable < 0) world.faults().drop(count(faults.drops));
  if (faults.drops > 0 && faults.droppable == 0) world.faults().drop<Note>(count(faults.drops));
  if (faults.drops > 0 && faults.droppable == 1) world.faults().drop<Ping>(count(faults.drops));
  if (faults.duplicates > 0) world.faults().duplicate(count(faults.duplicates));
  if (faults.crashes > 0) world.faults().crash(count(faults.crashes), nodes).restart(count(faults.restarts));
  if (faults.kept) world.to_crashed(gainsay::ToCrashed::kept);
  for (std::size_t i = 0; i < faults.cuts.size(); ++i) {
    const Cut& cut = faults.cuts[i];
    world.faults().partition("cut " + std::to_string(i), {ids(cut.left), ids(cut.right)}, count(cut.steps),
                             cut.drops);
  }
  if (!faults.cuts.empty()) world.faults().partitions(count(faults.cut_budget));
}

inline gainsay::Scenario scenario_of(const Table& of, bool gated) {
  current_table = &of;
  return gainsay::Scenario::of("table", [gated](gainsay::World& world) {
    const auto n = static_cast<std::size_t>(current_table->actors);
    if (gated) {
      build_with(world, world.group<Node>("node", n, [](std::size_t i) {
        return Node{static_cast<int>(i), 0};
      }));
    } else {
      build_with(world, world.group<OpenNode>("node", n, [](std::size_t i) {
        return OpenNode{{static_cast<int>(i), 0}};
      }));
    }
  });
}

}  // namespace twin
