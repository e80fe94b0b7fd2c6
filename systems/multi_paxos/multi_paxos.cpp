#include "systems/multi_paxos/multi_paxos.hpp"

#include <algorithm>
#include <chrono>

namespace multi_paxos {

using gainsay::Context;
using namespace std::chrono_literals;

void Node::on_start(Context& ctx) { ctx.after(1s, LeaderTimeout{}); }

// --- acceptors ---

void Node::on(const Prepare& prepare, Context& ctx) {
  if (prepare.ballot <= promised) return;
  promised = prepare.ballot;
  ctx.reply(Promise{prepare.ballot, votes});
}

void Node::on(const Accept& accept, Context& ctx) {
  if (accept.ballot < promised) return;
  promised = accept.ballot;
  votes[accept.slot] = {accept.ballot, accept.command};
  ctx.reply(Accepted{accept.ballot, accept.slot});
}

// --- leaders ---

void Node::on(const LeaderTimeout&, Context& ctx) {
  ctx.after(1s, LeaderTimeout{});
  if (leads && promised == ballot) return;  // it knows of nobody else
  const auto n = static_cast<Ballot>(nodes.size());
  ballot = (std::max(promised, ballot) + n - 1) / n * n + index + 1;
  leads = false;
  if (bug != Bug::stale_promises) promisers.clear();
  binding.clear();
  proposed.clear();
  acceptors.clear();
  ctx.send(nodes, Prepare{ballot});
}

void Node::on(const Promise& promise, Context& ctx) {
  if (leads || promise.ballot != ballot) return;
  promisers.insert(ctx.sender());
  for (const auto& [slot, vote] : promise.votes) binding[slot].raise_to(vote);
  if (paxos::is_majority(promisers.size(), nodes.size())) lead(ctx);
}

void Node::lead(Context& ctx) {
  leads = true;
  Slot last = binding.empty() ? 0 : binding.rbegin()->first;
  if (!log.empty()) last = std::max(last, log.rbegin()->first);
  for (Slot slot = 1; slot <= last; ++slot) {
    if (log.contains(slot)) {
      propose(slot, log[slot], ctx);
    } else {
      propose(slot, binding[slot].value, ctx);  // 0, an empty command, if nobody has voted
    }
  }
  for (const Command command : asked) propose_new(command, ctx);
}

void Node::propose(Slot slot, Command command, Context& ctx) {
  proposed[slot] = command;
  ctx.send(nodes, Accept{ballot, slot, command});
}

void Node::propose_new(Command command, Context& ctx) {
  for (const auto& [slot, in_slot] : proposed) {
    if (in_slot == command) return;
  }
  propose(proposed.empty() ? 1 : proposed.rbegin()->first + 1, command, ctx);
}

void Node::on(const Update& update, Context& ctx) {
  asked.push_back(update.command);
  if (leads) propose_new(update.command, ctx);
}

void Node::on(const Accepted& accepted, Context& ctx) {
  if (!leads || accepted.ballot != ballot) return;
  std::set<gainsay::ActorId>& who = acceptors[accepted.slot];
  const std::size_t before = who.size();
  who.insert(ctx.sender());
  const std::size_t needed = bug == Bug::minority ? nodes.size() / 2 : nodes.size() / 2 + 1;
  if (before >= needed || who.size() < needed) return;
  const Chosen chosen{accepted.slot, proposed[accepted.slot]};
  ctx.notify<Agreement>(chosen);
  ctx.send(nodes, chosen);
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t nodes = 3;
  std::uint32_t updates = 2;
  std::uint32_t timeouts = 4;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "promises and votes are those of more than half of the nodes, in one ballot");
    d.value(Bug::minority, "half of the nodes, rounded down, are enough to choose a command");
    d.value(Bug::stale_promises, "a node that promised an earlier ballot counts as having promised this one");
    d.field(&Options::nodes, "how many nodes there are").range(1, 9);
    d.field(&Options::updates, "how many clients ask, for one command each").range(1, 9);
    d.field(&Options::timeouts, "how often nodes may try to become the leader, in total").range(1, 100);
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(multi_paxos, "Nodes compete to lead and fill a log", Options) {
  using gainsay::View;

  world.order(options.order);
  world.timer_budget<LeaderTimeout>(options.timeouts);
  const auto nodes = world.group<Node>("node", options.nodes, [&](std::size_t i, gainsay::Group<Node> all) {
    return Node{.index = static_cast<std::uint32_t>(i), .nodes = all, .bug = options.bug};
  });
  world.group<Client>("client", options.updates, [&](std::size_t i) {
    return Client{.nodes = nodes, .command = static_cast<Command>(i) + 1};
  });
  const auto agreement = world.monitor<Agreement>("agreement", Agreement{.commands = options.updates});
  world.reached("every command is chosen", agreement, [=](View v) {
    std::set<Command> chosen;
    for (const auto& [slot, command] : v[agreement].log) chosen.insert(command);
    chosen.erase(0);
    return chosen.size() == options.updates;
  });
}

}  // namespace multi_paxos
