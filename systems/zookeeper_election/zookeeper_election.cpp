#include "systems/zookeeper_election/zookeeper_election.hpp"

#include <algorithm>

namespace zookeeper_election {

using gainsay::Context;
using gainsay::Ref;
using namespace std::chrono_literals;

// With vote_order, as in 3.4.3 (ZOOKEEPER-1419), the higher id wins even if its epoch is older: then each of two
// votes may beat the other.
bool Node::beats(const Vote& one, const Vote& other) const {
  if (bug == Bug::vote_order)
    return one.epoch > other.epoch || (one.epoch == other.epoch && one.transaction > other.transaction) ||
           (one.transaction == other.transaction && one.leader > other.leader);
  return std::tie(one.epoch, one.transaction, one.leader) >
         std::tie(other.epoch, other.transaction, other.leader);
}

void Voting::on(const Voted& now, gainsay::MonitorContext& monitor) {
  Votes& votes = of[now.node];
  if (votes.round != now.round)
    votes = {now.round, now.vote, {}};  // another round, or after a crash the first
  if (votes.last == now.vote) return;
  votes.left.push_back(votes.last);
  votes.last = now.vote;
  monitor.check(std::find(votes.left.begin(), votes.left.end(), now.vote) == votes.left.end(), [&] {
    return "node " + std::to_string(now.node) + " returns to the vote for node " +
           std::to_string(now.vote.leader) + " in round " + std::to_string(now.round);
  });
}

std::size_t Node::agreeing_with_vote() const {
  std::size_t n = 0;
  for (const auto& [node, heard] : looking_votes) n += heard.vote == vote && heard.round == round ? 1 : 0;
  return n;
}

// Whatever the round was in which they decided (ZOOKEEPER-1732): a leader may have got followers in several.
std::size_t Node::decided_for(NodeId leader) const {
  std::size_t n = 0;
  for (const auto& [node, heard] : decided_votes) n += heard.vote.leader == leader ? 1 : 0;
  return n;
}

// --- looking for a leader ---

void Node::clear(Context& ctx) {
  finalizing = false;
  looking_votes.clear();
  decided_votes.clear();
  followers.clear();
  established = false;
  ctx.cancel<Finalize>();
  ctx.cancel<Resend>();
  ctx.cancel<DiscoveryOver>();
}

void Node::on(const Start&, Context& ctx) {
  if (state != State::down) return;
  ++life;
  look(ctx);
  if (crashes > 0) ctx.send(Ref<Node>(ctx.self()), Crash{});
}

void Node::look(Context& ctx) {
  clear(ctx);
  state = State::looking;
  ++round;
  vote = own_vote();
  ctx.notify<Voting>(Voted{id, 0, vote});  // a round begins, maybe one that it has been in before
  broadcast(ctx);
  if (timed) ctx.after(1s, Resend{});
  wait_if_many_agree(ctx);  // who is alone is a majority already
}

void Node::tell(Ref<Node> whom, Context& ctx) const { ctx.send(whom, Notification{id, vote, round, state}); }

void Node::broadcast(Context& ctx) {
  ctx.notify<Voting>(Voted{id, round, vote});
  looking_votes[id] = {vote, round, state};
  for (const Ref<Node> node : nodes) {
    if (node != ctx.self()) tell(node, ctx);
  }
}

// A vote may have gone to a node that was down.
void Node::on(const Resend&, Context& ctx) {
  broadcast(ctx);
  ctx.after(1s, Resend{});
}

void Node::on(const Notification& heard, Context& ctx) {
  if (state == State::down) return;
  if (state != State::looking) {
    if (heard.state == State::looking) tell(Ref<Node>(ctx.sender()), ctx);
    return;
  }
  if (heard.state == State::looking && heard.round < round) {
    tell(Ref<Node>(ctx.sender()), ctx);
    return;
  }
  if (finalizing) {  // only a better vote interrupts the wait
    if (!beats(heard.vote, vote)) return;
    finalizing = false;
    ctx.cancel<Finalize>();
  }
  if (heard.state == State::looking) {
    hear_looking(heard, ctx);
  } else {
    hear_decided(heard, ctx);
  }
}

void Node::hear_looking(const Notification& heard, Context& ctx) {
  if (heard.round > round) {
    round = heard.round;
    looking_votes.clear();
    vote = beats(heard.vote, own_vote()) ? heard.vote : own_vote();
    broadcast(ctx);
  } else if (beats(heard.vote, vote)) {
    vote = heard.vote;
    broadcast(ctx);
  } else if (!timed && beats(vote, heard.vote)) {
    tell(Ref<Node>(ctx.sender()), ctx);  // nothing is sent again by itself, and it may have been down
  }
  looking_votes[heard.from] = {heard.vote, heard.round, heard.state};
  wait_if_many_agree(ctx);
}

void Node::wait_if_many_agree(Context& ctx) {
  if (!majority(agreeing_with_vote())) return;
  if (!timed) {
    decide(vote, ctx);
    return;
  }
  finalizing = true;
  ctx.after(200ms, Finalize{});
}

// Others have decided: join them if they are many, and if the leader itself is among them.
void Node::hear_decided(const Notification& heard, Context& ctx) {
  const Heard news{heard.vote, heard.round, heard.state};
  decided_votes[heard.from] = news;
  const NodeId leader = heard.vote.leader;
  const auto of_leader = decided_votes.find(leader);
  const bool leads = leader == id
                         ? heard.round == round
                         : of_leader != decided_votes.end() && of_leader->second.state == State::leading;
  if (heard.round == round) looking_votes[heard.from] = news;
  if (!leads) return;
  const bool in_round = heard.round == round && heard.vote == vote && majority(agreeing_with_vote());
  if (!in_round && !majority(decided_for(leader))) return;
  round = heard.round;
  decide(heard.vote, ctx);
}

void Node::on(const Finalize&, Context& ctx) { decide(vote, ctx); }

// --- discovery ---

void Node::decide(const Vote& decided, Context& ctx) {
  clear(ctx);
  vote = decided;
  state = vote.leader == id ? State::leading : State::following;
  if (bug == Bug::no_discovery) {
    established = true;
    if (state == State::leading) ctx.notify<Leadership>(Established{id});
    return;
  }
  if (timed) ctx.after(5s, DiscoveryOver{});
  if (state == State::following) {
    ctx.send(nodes[vote.leader], Follow{id, life});
  } else {
    establish_if_many_follow(ctx);
  }
}

void Node::on(const Follow& follow, Context& ctx) {
  if (state != State::leading) {
    ctx.reply(Refused{});
    return;
  }
  followers[follow.from] = follow.life;
  if (established) {
    ctx.reply(Accepted{epoch, follow.life});
  } else {
    establish_if_many_follow(ctx);
  }
}

void Node::establish_if_many_follow(Context& ctx) {
  if (!majority(followers.size() + 1)) return;
  established = true;
  ++epoch;
  ctx.cancel<DiscoveryOver>();
  ctx.notify<Leadership>(Established{id});
  for (const auto& [follower, its_life] : followers) ctx.send(nodes[follower], Accepted{epoch, its_life});
}

void Node::on(const Accepted& accepted, Context& ctx) {
  const bool asked = state == State::following && ctx.sender() == nodes[vote.leader];
  if (!asked || accepted.life != life) {  // that was long ago
    ctx.send(Ref<Node>(ctx.sender()), Closed{id, accepted.life});
    return;
  }
  established = true;
  epoch = accepted.epoch;
  ctx.cancel<DiscoveryOver>();
}

void Node::on(const Refused&, Context& ctx) {
  if (state == State::following && ctx.sender() == nodes[vote.leader] && !established) look(ctx);
}

void Node::on(const DiscoveryOver&, Context& ctx) { give_up(ctx); }

void Node::give_up(Context& ctx) {
  if (state == State::leading && established) ctx.notify<Leadership>(Lost{id});
  for (const auto& [follower, its_life] : followers) ctx.send(nodes[follower], Closed{id, life});
  if (state == State::following) ctx.send(nodes[vote.leader], Closed{id, life});
  look(ctx);
}

void Node::on(const Closed& closed, Context& ctx) {
  if (state == State::following && vote.leader == closed.from) {
    look(ctx);
  } else if (state == State::leading) {
    const auto follower = followers.find(closed.from);
    if (follower != followers.end() && follower->second <= closed.life) followers.erase(follower);
    if (established && bug != Bug::no_discovery && !majority(followers.size() + 1)) give_up(ctx);
  }
}

// --- crashes ---

void Node::on(const Crash&, Context& ctx) {
  if (state == State::leading && established) ctx.notify<Leadership>(Lost{id});
  clear(ctx);
  state = State::down;
  round = 0;
  if (crashes > 0) {  // untimed: the reboot follows the crash
    --crashes;
    ctx.send(Ref<Node>(ctx.self()), Start{});
  }
  for (const Ref<Node> node : nodes) {
    if (node != ctx.self()) ctx.send(node, Closed{id, life});
  }
}

void Environment::on_start(Context& ctx) {
  if (crashes) ctx.after(0ms, CrashTick{}, 5s);
}

void Environment::on(const CrashTick&, Context& ctx) {
  victim = ctx.choose(static_cast<std::uint32_t>(nodes.size()));
  ctx.send(nodes[*victim], Crash{});
  ctx.after(1s, RebootTick{}, 10s);
}

void Environment::on(const RebootTick&, Context& ctx) { ctx.send(nodes[*victim], Start{}); }

enum class Epochs { equal, uneven };

struct Options {
  Bug bug = Bug::none;
  std::uint32_t nodes = 3;
  bool crash = true;
  bool timed = true;
  std::uint32_t victim = 2;
  Epochs epochs = Epochs::equal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "who believes to lead or follow finds out whether the others agree");
    d.value(Bug::no_discovery, "the vote alone decides: messages that come late leave two leaders");
    d.value(Bug::vote_order,
            "a higher id beats a newer epoch, and the other way round (ZOOKEEPER-1419); shows with "
            "epochs=uneven");
    d.field(&Options::nodes, "how many nodes there are").range(1, 9);
    d.field(&Options::crash, "whether one node crashes and comes back");
    d.field(&Options::timed, "simulated time; false: no timers, and every order of events is possible");
    d.field(&Options::victim, "untimed: who crashes; timed, it is drawn").range(0, 8);
    d.field(&Options::epochs, "what the nodes remember of earlier leaders");
    d.value(Epochs::equal, "the same");
    d.value(Epochs::uneven, "node 0 knows of one leader more than the others");
  }
};

GAINSAY_SCENARIO(zookeeper_election, "ZooKeeper's leader election with a crash and a reboot", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(gainsay::Delivery::fifo);
  if (options.timed) {
    world.simulated_time();
    world.latency(0ms, 500ms);
  } else if (options.bug != Bug::no_discovery) {
    throw gainsay::UserError(
        "zookeeper_election: timed=false is for bug=no_discovery; discovery needs its timers");
  } else if (options.victim >= options.nodes) {
    throw gainsay::UserError(
        "zookeeper_election: victim must be one of the nodes, which are numbered from 0");
  }
  const auto nodes = world.group<Node>("node", options.nodes, [&](std::size_t i, gainsay::Group<Node> all) {
    const bool knows_more = options.epochs == Epochs::uneven && i == 0;
    const bool may_crash = !options.timed && options.crash && i == options.victim;
    return Node{.id = static_cast<NodeId>(i),
                .nodes = all,
                .bug = options.bug,
                .timed = options.timed,
                .crashes = may_crash ? 1U : 0U,
                .epoch = knows_more ? 2U : 1U};
  });
  for (const auto node : nodes) world.send(node, Start{});
  if (options.timed) world.spawn("environment", Environment{.nodes = nodes, .crashes = options.crash});

  world.monitor<Voting>("votes get better");
  const auto leadership = world.monitor<Leadership>("a leader is found");
  world.finally("the election is consistent", [=](View v) -> Complaint {
    std::optional<NodeId> leader;
    for (const auto each : nodes) {
      const Node& node = v[each];
      if (node.state != State::leading) continue;
      if (leader)
        return "nodes " + std::to_string(*leader) + " and " + std::to_string(node.id) + " both lead";
      leader = node.id;
    }
    for (const auto each : nodes) {
      const Node& node = v[each];
      if (node.state != State::following || node.vote.leader == leader) continue;
      return "node " + std::to_string(node.id) + " follows node " + std::to_string(node.vote.leader) +
             ", which does not lead";
    }
    return {};
  });
  world.reached("a leader is established", leadership,
                [=](View v) { return !v[leadership].leaders.empty(); });
}

}  // namespace zookeeper_election
