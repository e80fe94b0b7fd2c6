#include "systems/chain_replication/chain_replication.hpp"

#include <algorithm>
#include <chrono>

namespace chain_replication {

using gainsay::Context;
using gainsay::Ref;

// --- servers ---

void Server::apply(const ForwardUpdate& forward) {
  store[forward.update.key] = forward.update.value;
  history.push_back(forward.sequence);
  sent.push_back(forward);
  last_request[forward.client] = forward.update.request;
}

// A client that asks again when the head has changed may ask for what was done already; the answer is on its way.
void Server::on(const Update& update, Context& ctx) {
  const Ref<Client> client(ctx.sender());
  if (update.request <= last_request[client]) return;
  const ForwardUpdate forward{next++, client, update};
  apply(forward);
  ctx.send(successor, forward);
}

// A head that is the tail as well has sent the update to itself, and applied it before. Taking the counter from
// it rewinds what later updates were given already.
void Server::on(const ForwardUpdate& forward, Context& ctx) {
  if (ctx.sender() != predecessor) return;  // of a server that failed, and the rest of it comes from another
  if (!head) apply(forward);
  if (!head || bug == Bug::rewound_counter) next = forward.sequence + 1;
  if (tail) {
    answer(forward, ctx);
    acknowledge(forward.sequence, ctx);
  } else {
    ctx.send(successor, forward);
  }
}

void Server::answer(const ForwardUpdate& forward, Context& ctx) {
  ctx.send(forward.client, ResponseToUpdate{forward.update.request});
}

void Server::on(const BackwardAck& ack, Context& ctx) { acknowledge(ack.sequence, ctx); }

void Server::acknowledge(Sequence sequence, Context& ctx) {
  if (sequence <= acknowledged) return;
  acknowledged = sequence;
  std::erase_if(sent, [&](const ForwardUpdate& each) { return each.sequence <= sequence; });
  if (!head) ctx.send(predecessor, BackwardAck{sequence});
}

void Server::on(const Query& query, Context& ctx) const {
  const auto found = store.find(query.key);
  ctx.reply(ResponseToQuery{query.request, found == store.end() ? Value() : found->second});
}

void Server::on(const BecomeHead&, Context& ctx) {
  head = true;
  predecessor = ctx.self(*this);
  ctx.reply(Success{});
}

// What the old tail did not acknowledge is now done, because all servers that live have it.
void Server::on(const BecomeTail&, Context& ctx) {
  tail = true;
  successor = ctx.self(*this);
  const std::vector<ForwardUpdate> unanswered = sent;
  for (const ForwardUpdate& forward : unanswered) answer(forward, ctx);
  if (!unanswered.empty()) acknowledge(unanswered.back().sequence, ctx);
  ctx.reply(Success{});
}

void Server::on(const NewPredecessor& changed, Context& ctx) {
  predecessor = changed.predecessor;
  ctx.reply(NewSuccessorInfo{history.empty() ? 0 : history.back(), acknowledged});
}

void Server::on(const NewSuccessor& changed, Context& ctx) {
  successor = changed.successor;
  acknowledge(changed.acknowledged, ctx);
  for (const ForwardUpdate& forward : sent) {
    if (forward.sequence > changed.received) ctx.send(successor, forward);
  }
  ctx.reply(Success{});
}

// --- the master ---

void Master::failed(const FailureDetected& failure, Context& ctx) {
  const auto at = std::find(chain.begin(), chain.end(), failure.server);
  gap = static_cast<std::size_t>(at - chain.begin());
  chain.erase(at);
  if (gap == 0) {
    ctx.send(chain.front(), BecomeHead{});
  } else if (gap == chain.size()) {
    ctx.send(chain.back(), BecomeTail{});
  } else {
    ctx.send(chain[gap], NewPredecessor{chain[gap - 1]});
  }
  ctx.go_to(State::repairing);
}

void Master::fix_successor(const NewSuccessorInfo& info, Context& ctx) {
  if (bug == Bug::broken_chain) {
    corrected(ctx);
  } else {
    ctx.send(chain[gap - 1], NewSuccessor{chain[gap], info.received, info.acknowledged});
  }
}

void Master::corrected(Context& ctx) {
  ctx.send(clients, UpdateHeadTail{chain.front(), chain.back()});
  ctx.send(Ref<FailureDetector>(detector), FailureCorrected{});
  ctx.go_to(State::watching);
}

// --- the failure detector ---

void FailureDetector::arm(Context& ctx) {
  if (failures > 0 && living.size() > 1) ctx.after(std::chrono::seconds(1), FailureTick{});
}

void FailureDetector::on(const FailureTick&, Context& ctx) {
  --failures;
  const auto at = living.begin() + ctx.choose(static_cast<std::uint32_t>(living.size()));
  ctx.send(*at, Fail{});
  living.erase(at);
}

void FailureDetector::on(const Stopped&, Context& ctx) {
  ctx.send(master, FailureDetected{Ref<Server>(ctx.sender())});
}

// --- clients ---

void Client::next(Context& ctx) {
  ++request;
  if (done()) return;
  if (is_update()) {
    value = name + std::to_string(request);
    operation = ctx.invoke(Spec::Put{key(), value});
  } else {
    operation = ctx.invoke(Spec::Get{key()});
  }
  ask(ctx);
}

void Client::ask(Context& ctx) {
  if (is_update()) {
    ctx.send(head, Update{request, key(), value});
  } else {
    ctx.send(tail, Query{request, key()});
  }
}

void Client::on(const ResponseToUpdate& response, Context& ctx) {
  if (response.request != request) return;
  ctx.complete(operation, gainsay::specs::Done{});
  next(ctx);
}

void Client::on(const ResponseToQuery& response, Context& ctx) {
  if (response.request != request) return;
  ctx.complete(operation, response.value);
  next(ctx);
}

void Client::on(const UpdateHeadTail& changed, Context& ctx) {
  head = changed.head;
  tail = changed.tail;
  if (!done()) ask(ctx);
}

// --- what must hold ---

// Names are made where something is wrong, which is rare: properties are asked at every step. A step adds one update at
// most, so the last two tell whether all are sorted.
template <class Name>
static gainsay::Complaint sorted(const Name& name, Ref<Server> ref, const Server& server) {
  const auto& history = server.history;
  const std::size_t last = history.size() - 1;
  if (history.size() < 2 || history[last - 1] < history[last]) return {};
  return "the history of " + name(ref) + " is not sorted: " + std::to_string(history[last - 1]) + " before " +
         std::to_string(history[last]);
}

// Of two servers of the chain: who is nearer to the tail has a part of what the other has, and the other still
// remembers the rest as sent.
template <class Name>
static gainsay::Complaint propagated(const Name& name, Ref<Server> upper_ref, const Server& upper,
                                     Ref<Server> lower_ref, const Server& lower) {
  const std::size_t has = lower.history.size();
  if (has > upper.history.size() ||
      !std::equal(lower.history.begin(), lower.history.end(), upper.history.begin()))
    return name(lower_ref) + " has applied updates that " + name(upper_ref) + " has not";
  for (std::size_t i = has; i < upper.history.size(); ++i) {
    const bool remembered = std::any_of(upper.sent.begin(), upper.sent.end(), [&](const ForwardUpdate& each) {
      return each.sequence == upper.history[i];
    });
    if (!remembered)
      return name(upper_ref) + " has forgotten update " + std::to_string(upper.history[i]) + ", which " +
             name(lower_ref) + " lacks";
  }
  return {};
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t servers = 3;
  std::uint32_t clients = 3;
  std::uint32_t requests = 6;
  std::uint32_t failures = 2;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "only servers below the head take the counter from updates that pass");
    d.value(Bug::rewound_counter,
            "a server that is head and tail takes its counter from updates that it sent to itself");
    d.value(Bug::broken_chain, "when a server fails in the middle, its predecessor is never told");
    d.field(&Options::servers, "length of the chain").range(1, 9);
    d.field(&Options::clients, "how many clients there are").range(1, 9);
    d.field(&Options::requests, "how many updates and queries each client makes").range(1, 100);
    d.field(&Options::failures, "how many servers may fail; the last one does not").range(0, 8);
    d.field(&Options::order, "delivery order; the protocol needs at least fifo");
  }
};

GAINSAY_SCENARIO(chain_replication, "A chain of servers that loses some of them", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(options.order);
  world.timers_keep_alive(false);  // servers may fail, and need not
  const auto servers = world.declare<Server>("server", options.servers);
  const auto master = world.declare<Master>("master");
  const std::size_t last = options.servers - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    world.init(servers[i], Server{.master = master,
                                  .predecessor = servers[i == 0 ? 0 : i - 1],
                                  .successor = servers[i == last ? last : i + 1],
                                  .bug = options.bug,
                                  .head = i == 0,
                                  .tail = i == last});
  }
  const auto clients = world.group<Client>("client", options.clients, [&](std::size_t i) {
    return Client{.head = servers[0],
                  .tail = servers[last],
                  .name = std::string(1, static_cast<char>('a' + i)),
                  .requests = options.requests};
  });
  const std::vector<Ref<Server>> chain(servers.begin(), servers.end());
  const auto detector = world.spawn(
      "detector", FailureDetector{.master = master, .living = chain, .failures = options.failures});
  world.init(master, Master{.chain = chain, .clients = clients, .detector = detector, .bug = options.bug});

  const auto name = [servers](Ref<Server> server) {
    return "server " + std::to_string(servers.index(server));
  };
  world.always_each("histories are sorted", servers,
                    [name](View v, Ref<Server> each) { return sorted(name, each, v[each]); });
  world.always("updates propagate", {servers, master}, [=](View v) -> Complaint {
    const std::vector<Ref<Server>>& living = v[master].chain;
    const Server* upper = &v[living.front()];
    for (std::size_t i = 1; i < living.size(); ++i) {
      const Server& lower = v[living[i]];
      if (Complaint complaint = propagated(name, living[i - 1], *upper, living[i], lower)) return complaint;
      upper = &lower;
    }
    return {};
  });
  world.linearizable<Spec>();
  world.reached("one server is left, and all clients are done", {clients, master}, [=](View v) {
    bool done = v[master].chain.size() == options.servers - std::min(options.failures, options.servers - 1);
    for (const auto client : clients) done = done && v[client].done();
    return done;
  });
}

}  // namespace chain_replication
