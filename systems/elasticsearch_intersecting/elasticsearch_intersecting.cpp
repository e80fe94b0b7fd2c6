#include "systems/elasticsearch_intersecting/elasticsearch_intersecting.hpp"

#include <algorithm>

namespace elasticsearch_intersecting {

using gainsay::ActorId;
using gainsay::Context;

void Node::on(const Index& index, Context& ctx) {
  if (master == ctx.self()) {
    log.push_back({term, index.client});
    replicate_to_all(ctx);
    acknowledge(ctx);
  } else if (master != gainsay::nobody && !index.forwarded) {
    ctx.send(master, Index{index.client, true});
  }  // else the client never hears of it
}

void Node::take_term(std::uint32_t newer) {
  term = newer;
  master = gainsay::nobody;
  asked = 0;
  votes.clear();
  match.clear();
}

void Node::on(const Tick&, Context& ctx) {
  if (master == ctx.self()) {
    members = answered;
    members.insert(ctx.self());
    answered.clear();
    if (quorum(members.size())) {
      replicate_to_all(ctx);
    } else {
      master = gainsay::nobody;
    }
  } else if (!heard) {
    take_term(term + 1);
    asked = term;
    votes[ctx.self()] = Vote{term, accepted_in, log};
    for (const auto node : nodes) {
      if (node != ctx.self()) ctx.send(node, Elect{term});
    }
  }
  heard = false;
}

// One vote in a term: a newer one is taken up by voting.
void Node::on(const Elect& elect, Context& ctx) {
  if (elect.term <= term) return;
  take_term(elect.term);
  heard = true;
  ctx.reply(Vote{term, accepted_in, log});
}

// A master begins with the newest log of a quorum: what was acknowledged before is in it.
void Node::on(const Vote& vote, Context& ctx) {
  if (asked == 0 || vote.term != asked) return;
  votes[ctx.sender()] = vote;
  if (!quorum(votes.size())) return;
  const auto newest = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.accepted_in, a.second.log.size()) <
           std::pair(b.second.accepted_in, b.second.log.size());
  });
  log = newest->second.log;
  accepted_in = term;
  asked = 0;
  votes.clear();
  match.clear();
  members = answered = {nodes.begin(), nodes.end()};
  master = ctx.self();
  replicate_to_all(ctx);
}

void Node::replicate_to_all(Context& ctx) {
  for (const auto node : nodes) {
    if (node != ctx.self()) ctx.send(node, Replicate{term, log});
  }
}

void Node::on(const Replicate& replicate, Context& ctx) {
  const auto length = static_cast<std::uint32_t>(replicate.log.size());
  if (replicate.term < term) {
    if (bug == Bug::answers_both) {
      ctx.reply(Replicated{replicate.term, length, false});  // its own master is another one by now
    } else {
      ctx.reply(Replicated{term, 0, false});
    }
    return;
  }
  if (replicate.term > term) take_term(replicate.term);
  master = ctx.sender();
  asked = 0;
  heard = true;
  if (accepted_in < term || replicate.log.size() >= log.size()) log = replicate.log;
  accepted_in = term;
  ctx.reply(Replicated{term, length, true});
}

void Node::on(const Replicated& replicated, Context& ctx) {
  if (replicated.term > term) take_term(replicated.term);
  if (master != ctx.self() || replicated.term != term) return;
  if (replicated.follows) members.insert(ctx.sender());
  answered.insert(ctx.sender());
  std::uint32_t& known = match[ctx.sender()];
  known = std::max(known, replicated.length);
  acknowledge(ctx);
}

void Node::acknowledge(Context&) {
  for (std::size_t upto = log.size(); upto > acknowledged.size(); --upto) {
    const auto have = std::count_if(match.begin(), match.end(), [&](const auto& each) {
      return each.second >= upto && members.contains(each.first);
    });
    if (!quorum(static_cast<std::size_t>(have) + 1)) continue;
    acknowledged.assign(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(upto));
    return;
  }
}

// --- the scenario ---

using gainsay::family::CutFamily;

struct Options {
  Bug bug = Bug::none;
  std::uint32_t nodes = 5;
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
  std::uint32_t ticks = 60;
  CutFamily family = CutFamily::balanced;
  bool bridge = true;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a node that has voted in a term refuses masters of older terms");
    d.value(Bug::answers_both, "a node votes for a new master but continues to answer the old one");
    d.field(&Options::nodes, "how many nodes").range(3, 7);
    d.field(&Options::clients, "how many clients, with one write each").range(1, 50);
    d.field(&Options::rounds, "maximum number of cuts").range(0, 50);
    d.field(&Options::ticks, "maximum number of clock ticks in total").range(0, 100'000);
    d.field(&Options::family, "which cuts are possible");
    d.value(CutFamily::balanced, "blocks of about equal size, any of them the bridge");
    d.value(CutFamily::uniform, "any two sides and any bridge");
    d.value(CutFamily::semibalanced, "without a bridge: two blocks that differ as little as possible");
    d.value(CutFamily::covering,
            "a smallest family that separates any two nodes with any third in the bridge");
    d.field(&Options::bridge, "some nodes reach both sides of a cut");
  }
};

GAINSAY_SCENARIO(elasticsearch_intersecting, "An index with one master, and network cuts with a bridge",
                 Options) {
  const auto nodes = world.group<Node>("n", options.nodes, [&](std::size_t i, gainsay::Group<Node> all) {
    Node node{.nodes = all, .bug = options.bug, .master = all[0]};
    if (i == 0) {
      node.members = {all.begin(), all.end()};
      node.answered = node.members;
    }
    return node;
  });
  const auto clocks =
      world.group<Clock>("clock", options.nodes, [&](std::size_t i) { return Clock{.node = nodes[i]}; });
  const auto clients =
      world.group<Client>("client", options.clients, [&](std::size_t) { return Client{.nodes = nodes}; });
  for (const auto client : clients) world.send(client, Operate{});
  std::vector<gainsay::Actors> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.push_back({nodes[i], clocks[i]});
  using gainsay::family::Notion;
  const Notion notion =
      options.bridge ? Notion::bridge(options.nodes, 1, 1, 1) : Notion::split(options.nodes, 2);
  if (options.rounds > 0)
    world.faults().partitions(gainsay::family::Cuts::of(notion, options.family,
                                                        gainsay::family::numbered_names("n", options.nodes)),
                              places, {.rounds = options.rounds, .drops = true});
  world.timer_budget<Pulse>(options.ticks);
  world.timers_keep_alive(false);
  // Masters acknowledge one history: what one has acknowledged is the beginning of what another one has.
  world.always("acknowledged writes agree", nodes, [nodes](gainsay::View view) -> gainsay::Complaint {
    const std::vector<Write>* longest = &view[nodes[0]].acknowledged;
    for (const auto node : nodes) {
      const std::vector<Write>& writes = view[node].acknowledged;
      if (writes.size() > longest->size()) longest = &writes;
    }
    for (const auto node : nodes) {
      const std::vector<Write>& writes = view[node].acknowledged;
      if (!std::equal(writes.begin(), writes.end(), longest->begin()))
        return "two masters have acknowledged different writes in the same place: a split brain";
    }
    return {};
  });
}

}  // namespace elasticsearch_intersecting
