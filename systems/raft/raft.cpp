#include "systems/raft/raft.hpp"

#include <algorithm>

#include "systems/paxos/votes.hpp"

namespace raft {

using gainsay::Context;

void Server::table(gainsay::Table<Server>& t) {
  t.start(State::follower);
  t.in(State::follower)
      .entry(&Server::become_follower)
      .on<ElectionTimeout>(&Server::stand_for_election)
      .on<VoteResponse>(&Server::see_term)
      .ignore<PeriodicTimeout, AppendEntriesResponse>();
  t.in(State::candidate)
      .entry(&Server::become_candidate)
      .on<ElectionTimeout>(&Server::stand_for_election)
      .on<PeriodicTimeout>(&Server::ask_for_votes)
      .on<VoteResponse>(&Server::count_vote)
      .ignore<AppendEntriesResponse>()
      .go_to<BecomeLeader>(State::leader);
  t.in(State::leader)
      .entry(&Server::become_leader)
      .on<Request>(&Server::replicate)
      .on<AppendEntriesResponse>(&Server::append_response)
      .on<VoteResponse>(&Server::see_term)
      .ignore<ElectionTimeout, PeriodicTimeout>();
  t.in(State::follower, State::candidate)
      .on<Request>(&Server::redirect)
      .go_to<BecomeCandidate>(State::candidate);
  t.in(State::follower, State::candidate, State::leader)
      .on<VoteRequest>(&Server::vote)
      .on<AppendEntriesRequest>(&Server::append)
      .halt<ShutDown>(&Server::shut_down);
  t.in(State::candidate, State::leader).go_to<BecomeFollower>(State::follower);
}

void Server::become_follower(Context& ctx) { ctx.send(election_timer, StartTimer{}); }

void Server::become_candidate(Context& ctx) {
  ++term;
  voted_for = ctx.self();
  votes = 1;
  voters = {ctx.self()};
  ctx.send(election_timer, StartTimer{});
  ask_for_votes(ctx);
  if (servers.size() == 1) ctx.raise(BecomeLeader{});  // its own vote is a majority
}

// Also each time the periodic timer fires: a follower that gets two of these grants its vote twice.
void Server::ask_for_votes(Context& ctx) {
  ctx.send(periodic_timer, StartTimer{});
  for (const gainsay::Ref<Server> server : servers) {
    if (server != ctx.self())
      ctx.send(server, VoteRequest{term, static_cast<std::uint32_t>(log.size()), last_term()});
  }
}

void Server::count_vote(const VoteResponse& response, Context& ctx) {
  if (newer(response.term, ctx) || response.term != term || !response.granted) return;
  voters.insert(ctx.sender());
  votes = bug == Bug::duplicate_votes ? votes + 1 : static_cast<std::uint32_t>(voters.size());
  if (paxos::is_majority(votes, servers.size())) ctx.raise(BecomeLeader{});
}

void Server::become_leader(Context& ctx) {
  ctx.notify<Safety>(LeaderElected{term});
  ctx.send(manager, LeaderUpdate{term});
  ctx.send(election_timer, CancelTimer{});
  ctx.send(periodic_timer, CancelTimer{});
  next_index.assign(servers.size(), static_cast<std::uint32_t>(log.size()));
  match_index.assign(servers.size(), 0);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (servers[i] != ctx.self()) send_entries(i, ctx);
  }
}

void Server::send_entries(std::size_t server, Context& ctx) const {
  const std::uint32_t next = next_index[server];
  AppendEntriesRequest request;
  request.term = term;
  request.previous_index = next;
  request.previous_term = next == 0 ? 0 : log[next - 1].term;
  request.entries.assign(log.begin() + next, log.end());
  request.commit = commit;
  ctx.send(servers[server], request);
}

void Server::replicate(const Request& request, Context& ctx) {
  log.push_back({term, request.command});
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (servers[i] != ctx.self()) send_entries(i, ctx);
  }
  advance_commit(ctx);
}

void Server::append_response(const AppendEntriesResponse& response, Context& ctx) {
  if (newer(response.term, ctx) || response.term != term) return;
  const std::size_t server = servers.index(ctx.sender());
  if (response.success) {
    match_index[server] = std::max(match_index[server], response.matched);
    next_index[server] = match_index[server];
    advance_commit(ctx);
  } else if (next_index[server] > match_index[server]) {
    --next_index[server];
    send_entries(server, ctx);
  }
}

// An entry of one's own term that a majority has is committed, and so is all before it.
void Server::advance_commit(Context& ctx) {
  for (auto index = static_cast<std::uint32_t>(log.size()); index > commit && log[index - 1].term == term;
       --index) {
    std::size_t have = 1;
    for (std::size_t i = 0; i < servers.size(); ++i) have += match_index[i] >= index ? 1 : 0;
    if (!paxos::is_majority(have, servers.size())) continue;
    for (; commit < index; ++commit) ctx.send(client, Response{log[commit].command});
    return;
  }
}

void Server::vote(const VoteRequest& request, Context& ctx) {
  const bool stepped_down = newer(request.term, ctx);
  const bool up_to_date = request.last_term > last_term() ||
                          (request.last_term == last_term() && request.last_index >= log.size());
  const bool free = voted_for == gainsay::nobody || voted_for == ctx.sender();
  const bool granted =
      request.term == term && free && up_to_date && (stepped_down || machine.state == State::follower);
  if (granted) voted_for = ctx.sender();
  ctx.reply(VoteResponse{term, granted});
}

void Server::append(const AppendEntriesRequest& request, Context& ctx) {
  const bool stepped_down = newer(request.term, ctx);
  if (request.term < term) {
    ctx.reply(AppendEntriesResponse{term, false, 0});
    return;
  }
  // The leader of this term is known; whoever stood for election in it has lost.
  if (!stepped_down && machine.state == State::candidate) ctx.raise(BecomeFollower{});
  const std::uint32_t previous = request.previous_index;
  if (previous > log.size() || (previous > 0 && log[previous - 1].term != request.previous_term)) {
    ctx.reply(AppendEntriesResponse{term, false, 0});
    return;
  }
  for (std::size_t i = 0; i < request.entries.size(); ++i) {
    const std::size_t at = previous + i;
    if (at < log.size() && log[at] == request.entries[i]) continue;
    log.resize(at);  // what does not agree with the leader's log goes, with all after it
    log.push_back(request.entries[i]);
  }
  const auto matched = static_cast<std::uint32_t>(previous + request.entries.size());
  commit = std::max(commit, std::min(request.commit, matched));
  ctx.reply(AppendEntriesResponse{term, true, matched});
}

// A newer term makes a follower of everybody.
bool Server::newer(Term theirs, Context& ctx) {
  if (theirs <= term) return false;
  term = theirs;
  voted_for = gainsay::nobody;
  votes = 0;
  voters.clear();
  if (machine.state != State::follower) ctx.raise(BecomeFollower{});
  return true;
}

void Server::redirect(const Request& request, Context& ctx) { ctx.send(manager, Redirect{request}); }

void Server::shut_down(Context& ctx) {
  ctx.send(election_timer, gainsay::Halt{});
  ctx.send(periodic_timer, gainsay::Halt{});
}

enum class Timers { v0, v1, v2 };

struct Options {
  Bug bug = Bug::none;
  std::uint32_t servers = 5;
  std::uint32_t requests = 3;
  Timers timers = Timers::v0;
  std::uint32_t ticks = 1;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a candidate counts the servers that voted for it");
    d.value(Bug::duplicate_votes, "a candidate counts votes, also when one server sends two");
    d.field(&Options::servers, "how many servers there are").range(1, 9);
    d.field(&Options::requests, "how many requests the client makes").range(1, 9);
    d.field(&Options::timers,
            "how many coins an election timer flips at each tick; it fires if all show heads");
    d.value(Timers::v0, "1");
    d.value(Timers::v1, "4");
    d.value(Timers::v2, "6");
    d.field(&Options::ticks, "number of ticks after which an election timer gives up").range(1, 1000);
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(raft, "Servers elect a leader that replicates what a client asks for", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(options.order);
  const std::uint32_t n = options.servers;
  const std::uint32_t flips = options.timers == Timers::v0 ? 1 : options.timers == Timers::v1 ? 4 : 6;
  const auto manager = world.declare<ClusterManager>("manager");
  const auto client = world.spawn("client", Client{.manager = manager, .requests = options.requests});
  const auto servers = world.declare<Server>("server", n);
  const auto election_timers = world.group<ElectionTimer>("election timer", n, [&](std::size_t i) {
    return ElectionTimer{.server = servers[i], .flips = flips, .ticks = options.ticks};
  });
  const auto periodic_timers = world.group<PeriodicTimer>(
      "periodic timer", n, [&](std::size_t i) { return PeriodicTimer{.server = servers[i]}; });
  for (std::size_t i = 0; i < n; ++i) {
    world.init(servers[i], Server{.servers = servers,
                                  .manager = manager,
                                  .client = client,
                                  .election_timer = election_timers[i],
                                  .periodic_timer = periodic_timers[i],
                                  .bug = options.bug});
  }
  world.init(manager, ClusterManager{.servers = servers});

  world.monitor<Safety>("one leader in a term");
  world.finally("committed entries agree", [=](View v) -> Complaint {
    for (const auto server : servers) {
      const Server& one = v[server];
      const Server& first = v[servers[0]];
      const std::uint32_t both = std::min(one.commit, first.commit);
      if (!std::equal(one.log.begin(), one.log.begin() + both, first.log.begin()))
        return "servers 0 and " + std::to_string(servers.index(server)) + " have committed different entries";
    }
    return {};
  });
  world.reached("a leader is elected", servers, [=](View v) {
    for (const auto server : servers) {
      if (v[server].machine.state == Server::State::leader) return true;
    }
    return false;
  });
  world.reached("the client gets all its answers", client,
                [=](View v) { return v[client].machine.state == Client::State::done; });
}

}  // namespace raft
