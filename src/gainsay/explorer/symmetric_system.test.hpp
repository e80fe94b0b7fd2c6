// Small random systems whose actors are alike, for tests of symmetry.
//
// A handler is a table, as in random_system.test.hpp, but it knows members only by what they are to the actor: itself,
// the sender, whom it remembers, whom the message is about, all others, or one it chooses. So the system is symmetric
// however the table is drawn. With `broken` one handler looks at an index.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "gainsay/base/hash.hpp"
#include "gainsay/base/rng.hpp"
#include "gainsay/scenario/world.hpp"

namespace gainsay::symmetric_system {

struct Features {
  std::uint64_t seed = 1;
  std::uint32_t nodes = 3;
  std::uint32_t helpers = 0;  // of another type; `paired`: one for each node
  bool paired = false;
  int states = 2;
  int levels = 2;
  Delivery order = Delivery::unordered;
  bool gates = false;
  bool timers = false;
  bool choices = false;
  bool checks = false;
  bool monitor = false;
  bool one_outside = false;  // the outside sends to one node only
  std::uint32_t drops = 0;
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  bool partitions = false;      // each node alone
  bool about_the_last = false;  // a property that is not symmetric
  bool broken = false;
};

struct Node;
struct Helper;

struct Token {
  int type = 0;
  int level = 0;
  std::optional<Ref<Node>> about{};
};
struct Alarm {
  int level = 0;
};
struct Seen {
  ActorId who;
};

struct Watch {
  using Observes = Messages<Seen>;
  ActorId last = nobody;
  int repeated = 0;
  void on(const Seen& seen, MonitorContext& m) {
    repeated = seen.who == last ? repeated + 1 : 0;
    last = seen.who;
    m.check(repeated < 2, "the same actor three times in a row");
  }
};

struct Settings {
  std::uint64_t seed = 0;
  int states = 2;
  bool causal = false;  // then a step sends to one actor only: the order of sending to several is seen
  bool gates = false;
  bool timers = false;
  bool choices = false;
  bool checks = false;
  bool monitor = false;
  bool broken = false;
};

struct Helper {
  using Receives = Messages<Token>;
  Settings settings;
  std::map<Ref<Node>, int> heard{};
  std::optional<Ref<Node>> owner{};
  void on(const Token& token, Context& ctx) {
    const Ref<Node> from(ctx.sender());
    heard[from] = (heard[from] + token.type + 1) % 3;
    if (token.level > 0) ctx.send(from, Token{token.type, token.level - 1, owner});
  }
};

struct Node {
  using Receives = Messages<Token, Alarm>;
  Settings settings;
  Group<Node> all;
  Group<Helper> helpers;
  std::optional<Ref<Helper>> own{};  // paired
  int state = 0;
  Ref<Node> remembered{};
  std::set<Ref<Node>> known{};

  void on_start(Context& ctx) {
    if (ctx.self() != nobody) act(7, 1, std::nullopt, ctx);
  }
  void on(const Token& token, Context& ctx) { act(token.type, token.level, token.about, ctx); }
  void on(const Alarm& alarm, Context& ctx) { act(5, alarm.level, std::nullopt, ctx); }
  bool accepts(const Token& token) const {
    return !settings.gates || scramble(mix(settings.seed + 77, static_cast<std::uint64_t>(state))) % 3 == 0 ||
           token.type != state % 2;
  }

  void act(int type, int level, std::optional<Ref<Node>> about, Context& ctx) {
    const bool from_remembered = remembered == ctx.sender();
    const bool about_me = about && *about == ctx.self();
    const std::uint64_t key =
        static_cast<std::uint64_t>((((state * 8 + type) * 4 + level) * 2 + from_remembered) * 2 + about_me);
    Rng rng(mix(settings.seed, key));
    if (settings.choices && rng.chance(1, 3)) rng = Rng(mix(settings.seed, key), 1 + ctx.choose(2));
    state = static_cast<int>(rng.below(static_cast<std::uint64_t>(settings.states)));
    if (settings.broken && rng.chance(1, 2))
      state = static_cast<int>(all.index(ctx.self())) % settings.states;
    if (rng.chance(1, 2) && all.contains(ctx.sender())) remembered = Ref<Node>(ctx.sender());
    if (rng.chance(1, 4)) remembered = Ref<Node>();
    if (about && rng.chance(1, 2)) known.insert(*about);
    if (settings.checks) ctx.check(!rng.chance(1, 30), "a check in state " + std::to_string(state));
    if (settings.monitor && rng.chance(1, 3)) ctx.notify<Watch>(Seen{ctx.self()});
    if (settings.timers && rng.chance(1, 4)) ctx.cancel<Alarm>();
    if (level == 0) return;
    if (settings.timers && rng.chance(1, 4)) ctx.after(Duration(1), Alarm{level - 1});
    const Token token{static_cast<int>(rng.below(2)), level - 1,
                      rng.chance(1, 2) ? std::optional(Ref<Node>(ctx.self())) : about};
    switch (rng.below(6)) {
      case 0:
        if (all.contains(ctx.sender()) || helpers.contains(ctx.sender())) ctx.send(ctx.sender(), token);
        break;
      case 1:
        if (remembered != nobody) ctx.send(remembered, token);
        break;
      case 2:
        if (settings.causal) break;
        for (const Ref<Node> other : all) {
          if (other != ctx.self()) ctx.send(other, token);
        }
        break;
      case 3:
        ctx.send(settings.choices ? all[ctx.choose(static_cast<std::uint32_t>(all.size()))]
                                  : Ref<Node>(ctx.self()),
                 token);
        break;
      case 4:
        if (own) ctx.send(*own, token);
        if (!own && !settings.causal) ctx.send(helpers, token);
        break;
      default:
        break;
    }
  }
};

inline void fill(World& world, const Features& f) {
  const Settings settings{f.seed,   f.states,  f.order == Delivery::causal,
                          f.gates,  f.timers,  f.choices,
                          f.checks, f.monitor, f.broken};
  const auto nodes = world.declare<Node>("node", f.nodes);
  const auto helpers = world.declare<Helper>("helper", f.paired ? f.nodes : f.helpers);
  for (std::uint32_t i = 0; i < helpers.size(); ++i) {
    Helper helper{settings};
    if (f.paired) helper.owner = nodes[i];
    world.init(helpers[i], helper);
  }
  for (std::uint32_t i = 0; i < f.nodes; ++i) {
    Node node{settings, nodes, helpers};
    if (f.paired) node.own = helpers[i];
    world.init(nodes[i], node);
  }
  world.order(f.order);
  for (const Ref<Node> node : nodes) {
    world.send(node, Token{1, f.levels});
    if (f.one_outside) break;
  }
  if (f.monitor) world.monitor<Watch>("watch");
  world.always("not all", {nodes}, [=](View view) -> Complaint {
    for (const Ref<Node> node : nodes) {
      if (view[node].state != 1) return {};
    }
    return "all are in state 1";
  });
  if (f.about_the_last) {
    world.always("the last", {nodes}, [=](View view) -> Complaint {
      const Node& last = view[nodes[nodes.size() - 1]];
      if (last.remembered == nodes[0]) return "the last remembers the first";
      return {};
    });
  }
  if (f.drops > 0) world.faults().drop(f.drops);
  if (f.crashes > 0) world.faults().crash(f.crashes, nodes);
  if (f.restarts > 0) world.faults().restart(f.restarts);
  if (f.partitions) {
    for (const Ref<Node> node : nodes) {
      std::vector<ActorId> rest;
      for (const Ref<Node> other : nodes) {
        if (other != node) rest.push_back(other);
      }
      world.faults().partition("alone " + std::to_string(nodes.index(node)), {Actors(node), Actors(rest)});
    }
  }
}

inline Features draw(std::uint64_t number) {
  Rng rng(number, 815);
  Features f;
  f.seed = number;
  f.nodes = 2 + static_cast<std::uint32_t>(rng.below(2));
  f.paired = rng.chance(1, 4);
  if (!f.paired && rng.chance(1, 3)) f.helpers = 1 + static_cast<std::uint32_t>(rng.below(2));
  f.states = 2 + static_cast<int>(rng.below(2));
  f.levels = 1 + static_cast<int>(rng.below(2));
  if (rng.chance(1, 2)) f.order = static_cast<Delivery>(rng.below(4));
  f.gates = rng.chance(1, 4);
  f.timers = rng.chance(1, 4);
  f.choices = rng.chance(1, 3);
  f.checks = rng.chance(1, 4);
  f.monitor = rng.chance(1, 4);
  f.one_outside = f.nodes > 2 && !f.paired && rng.chance(1, 4);
  switch (rng.below(8)) {
    case 0:
      f.drops = 1;
      break;
    case 1:
      f.crashes = 1;
      f.restarts = static_cast<std::uint32_t>(rng.below(2));
      break;
    case 2:
      f.partitions = true;
      break;
    default:
      break;
  }
  return f;
}

inline std::string text(const Features& f) {
  std::string text = "seed " + std::to_string(f.seed) + ", " + std::to_string(f.nodes) + " nodes, order " +
                     std::to_string(static_cast<int>(f.order));
  const auto add = [&](bool has, const char* what) {
    if (has) text += std::string(", ") + what;
  };
  add(f.helpers > 0, "helpers");
  add(f.paired, "paired");
  add(f.gates, "gates");
  add(f.timers, "timers");
  add(f.choices, "choices");
  add(f.checks, "checks");
  add(f.monitor, "monitor");
  add(f.one_outside, "one outside");
  add(f.drops > 0, "drop");
  add(f.crashes > 0, "crash");
  add(f.restarts > 0, "restart");
  add(f.partitions, "partitions");
  return text;
}

}  // namespace gainsay::symmetric_system
