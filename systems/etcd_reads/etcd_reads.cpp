#include "systems/etcd_reads/etcd_reads.hpp"

namespace etcd_reads {

using gainsay::ActorId;
using gainsay::Context;

void Client::on(const Operate&, Context& ctx) {
  const std::uint32_t kind = ctx.choose(3);  // read, write 0, write 1
  const std::uint32_t node = ctx.choose(static_cast<std::uint32_t>(nodes.size()));
  const int value = kind == 2 ? 1 : 0;
  if (kind == 0) {
    ctx.invoke_for(ctx.self(), Spec::Read{});
  } else {
    ctx.invoke_for(ctx.self(), Spec::Write{value});
  }
  ctx.send(nodes[node], Request{kind == 0, value, ctx.self(), false});
}

void Node::on(const Tick&, Context& ctx) {
  if (role == Role::leader) {
    replicate(ctx);
  } else if (!heard) {
    campaign(ctx);
  }
  heard = false;
}

void Node::on(const Request& request, Context& ctx) {
  if (request.read && bug == Bug::local_reads) {
    ctx.complete_for(request.client, value);
    return;
  }
  if (role == Role::leader) {
    if (request.read && bug == Bug::consistent_reads) {
      ctx.complete_for(request.client, value);
      return;
    }
    log.push_back({term, request.read, request.value, request.client});
    replicate(ctx);
    advance(ctx);
    return;
  }
  if (leader == gainsay::nobody) {
    ctx.complete_for(request.client, gainsay::Completion::failed);
  } else if (!request.forwarded) {
    Request forwarded = request;
    forwarded.forwarded = true;
    ctx.send(leader, forwarded);
  }  // else the client never hears of it
}

// A newer term: whatever this node was, it is a follower now.
void Node::adopt(std::uint32_t newer, Context&) {
  if (newer <= term) return;
  term = newer;
  role = Role::follower;
  voted_for = gainsay::nobody;
  leader = gainsay::nobody;
  votes.clear();
  match.clear();
}

void Node::campaign(Context& ctx) {
  adopt(term + 1, ctx);
  role = Role::candidate;
  voted_for = ctx.self();
  votes = {ctx.self()};
  for (const auto node : nodes) {
    if (node != ctx.self()) ctx.send(node, RequestVote{term, last_term(), length()});
  }
}

void Node::on(const RequestVote& request, Context& ctx) {
  adopt(request.term, ctx);
  const bool as_new =
      request.last_term != last_term() ? request.last_term > last_term() : request.length >= length();
  const bool free = voted_for == gainsay::nobody || voted_for == ctx.sender();
  const bool granted = request.term == term && role == Role::follower && as_new && free;
  if (granted) {
    voted_for = ctx.sender();
    heard = true;
  }
  ctx.reply(Vote{term, granted});
}

void Node::on(const Vote& vote, Context& ctx) {
  adopt(vote.term, ctx);
  if (role != Role::candidate || vote.term != term || !vote.granted) return;
  votes.insert(ctx.sender());
  if (!majority(votes.size())) return;
  role = Role::leader;
  leader = ctx.self();
  votes.clear();
  match.clear();
  replicate(ctx);
}

void Node::replicate(Context& ctx) {
  for (const auto node : nodes) {
    if (node != ctx.self()) ctx.send(node, Append{term, log, commit});
  }
}

void Node::on(const Append& append, Context& ctx) {
  adopt(append.term, ctx);
  if (append.term < term) {
    ctx.reply(Appended{term, 0});
    return;
  }
  role = Role::follower;
  leader = ctx.sender();
  heard = true;
  // What contradicts the leader goes; an older Append of this term is a prefix of what is here.
  std::size_t same = 0;
  while (same < log.size() && same < append.log.size() && log[same] == append.log[same]) ++same;
  if (same < append.log.size()) log = append.log;
  const auto known = static_cast<std::uint32_t>(append.log.size());
  apply(std::min(append.commit, known), ctx);
  ctx.reply(Appended{term, known});
}

void Node::on(const Appended& appended, Context& ctx) {
  adopt(appended.term, ctx);
  if (role != Role::leader || appended.term != term) return;
  std::uint32_t& known = match[ctx.sender()];
  known = std::max(known, appended.length);
  advance(ctx);
}

// An entry of this term that a majority has is committed, and so is all before it.
void Node::advance(Context& ctx) {
  const std::uint32_t before = commit;
  for (std::uint32_t upto = length(); upto > commit; --upto) {
    if (log[upto - 1].term != term) break;
    const auto have =
        std::count_if(match.begin(), match.end(), [&](const auto& each) { return each.second >= upto; });
    if (!majority(static_cast<std::size_t>(have) + 1)) continue;
    apply(upto, ctx);
    break;
  }
  if (commit > before) replicate(ctx);
}

// The leader of an entry's own term answers the client: there is one, and it comes here once.
void Node::apply(std::uint32_t upto, Context& ctx) {
  ctx.check(upto <= length(), "what is committed is in the log");
  for (; commit < upto; ++commit) {
    const Entry& entry = log[commit];
    if (!entry.read) value = entry.value;
    if (role != Role::leader || entry.term != term) continue;
    if (entry.read) {
      ctx.complete_for(entry.client, value);
    } else {
      ctx.complete_for(entry.client, gainsay::specs::Done{});
    }
  }
}

using gainsay::family::CutFamily;

struct Options {
  Bug bug = Bug::none;
  std::uint32_t nodes = 5;
  std::uint32_t leader = 4;
  std::uint32_t clients = 2;
  std::uint32_t rounds = 1;
  std::uint32_t ticks = 60;
  CutFamily family = CutFamily::balanced;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "reads go through the log, as writes do");
    d.value(Bug::local_reads, "any node answers a read from its own copy (figure 2.1, left)");
    d.value(Bug::consistent_reads,
            "the supposed leader answers a read from its own copy (figure 2.1, right)");
    d.field(&Options::nodes, "how many nodes").range(3, 9);
    d.field(&Options::leader, "the initial leader, from 1").range(1, 9);
    d.field(&Options::clients, "how many clients, with one operation each").range(1, 50);
    d.field(&Options::rounds, "maximum number of cuts").range(0, 50);
    d.field(&Options::ticks, "maximum number of clock ticks in total").range(0, 100'000);
    d.field(&Options::family, "which partitions are possible");
    d.value(CutFamily::balanced, "two blocks of about equal size");
    d.value(CutFamily::uniform, "any two blocks");
    d.value(CutFamily::semibalanced, "two blocks that differ as little as possible");
    d.value(CutFamily::covering, "a smallest family that isolates every node in a minority");
  }
};

GAINSAY_SCENARIO(etcd_reads, "A register replicated by Raft, with quorum, local and 'consistent' reads",
                 Options) {
  const std::uint32_t first = std::min(options.leader, options.nodes) - 1;
  const auto nodes = world.group<Node>("n", options.nodes, [&](std::size_t i, gainsay::Group<Node> all) {
    Node node{.nodes = all, .bug = options.bug, .leader = all[first]};
    if (i == first) node.role = Role::leader;
    node.voted_for = all[first];
    return node;
  });
  const auto clocks =
      world.group<Clock>("clock", options.nodes, [&](std::size_t i) { return Clock{.node = nodes[i]}; });
  const auto clients =
      world.group<Client>("client", options.clients, [&](std::size_t) { return Client{.nodes = nodes}; });
  for (const auto client : clients) world.send(client, Operate{});
  std::vector<gainsay::Actors> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.push_back({nodes[i], clocks[i]});
  if (options.rounds > 0)
    world.faults().partitions(
        gainsay::family::Cuts::of(gainsay::family::Notion::isolate_minority(options.nodes), options.family,
                                  gainsay::family::numbered_names("n", options.nodes)),
        places, {.rounds = options.rounds, .drops = true});
  world.timer_budget<Pulse>(options.ticks);
  world.timers_keep_alive(false);
  world.linearizable<Spec>();
}

}  // namespace etcd_reads
