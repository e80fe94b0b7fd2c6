// Raft with servers, timers and client as machines: elections, log replication, a client that writes.
//
// A follower that its election timer wakes becomes a candidate and asks for votes; while it is a candidate,
// its periodic timer makes it ask again. A majority of votes makes it the leader of its term; it appends what
// the client asks for and tells the others. Timers flip coins at each tick, so that they fire at any time or
// never. Roles, messages and the defect `duplicate_votes` are those of the Raft sample of P# (Deligiannis et
// al., "Asynchronous Programming, Analysis and Testing with State Machines", PLDI 2015); the protocol is that
// of Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm" (USENIX ATC 2014), section 5.
//
// Where we differ from the sample: votes compare terms of logs before their lengths (section 5.4.1 of the
// second paper); a timer gives up after some ticks, so that executions end; a request that reaches a server
// which does not lead goes back to the cluster manager, never in circles.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace raft {

enum class Bug { none, duplicate_votes };

using Term = std::uint32_t;
using Command = std::uint32_t;

struct Entry {
  Term term = 0;
  Command command = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Server;
struct Client;
struct ClusterManager;

// candidate -> server
struct VoteRequest {
  Term term = 0;
  std::uint32_t last_index = 0;  // how long the candidate's log is
  Term last_term = 0;            // of its last entry
};
// server -> candidate
struct VoteResponse {
  Term term = 0;
  bool granted = false;
};
// leader -> server
struct AppendEntriesRequest {
  Term term = 0;
  std::uint32_t previous_index = 0;  // what the sender thinks the receiver has
  Term previous_term = 0;
  std::vector<Entry> entries;  // what comes after that
  std::uint32_t commit = 0;
};
// server -> leader
struct AppendEntriesResponse {
  Term term = 0;
  bool success = false;
  std::uint32_t matched = 0;  // how much of the log is now the leader's
};
// client -> manager -> server
struct Request {
  Command command = 0;
};
// server -> client
struct Response {
  Command command = 0;
};
// server -> manager
struct LeaderUpdate {
  Term term = 0;
};
struct Redirect {
  Request request;
};
// client -> manager -> server
struct ShutDown {};

// server -> timer
struct StartTimer {};
struct CancelTimer {};
// timer -> itself
struct Tick {};
// timer -> server
struct ElectionTimeout {};
struct PeriodicTimeout {};

// There is at most one leader in each term.
struct LeaderElected {
  Term term = 0;
};
struct Safety {
  using Observes = gainsay::Messages<LeaderElected>;
  std::set<Term> terms{};  // that have had a leader

  void on(const LeaderElected& elected, gainsay::MonitorContext& monitor) {
    monitor.check(terms.insert(elected.term).second,
                  [&] { return "more than one leader in term " + std::to_string(elected.term); });
  }
};

// While it is active it ticks; at each tick it flips coins, and only if all of them fall well it fires. After
// `ticks` of them it gives up.
template <class Timeout> struct Timer {
  enum class State { inactive, active };
  using Receives = gainsay::Messages<StartTimer, CancelTimer, Tick, gainsay::Halt>;

  gainsay::Machine<State> machine{};
  gainsay::Ref<Server> server;
  std::uint32_t flips = 1;
  std::uint32_t ticks = 1;
  std::uint32_t ticked = 0;

  static void table(gainsay::Table<Timer>& t) {
    t.start(State::inactive);
    t.in(State::inactive).template go_to<StartTimer>(State::active).template ignore<CancelTimer, Tick>();
    t.in(State::active)
        .entry(&Timer::begin)
        .template on<Tick>(&Timer::tick)
        .template go_to<CancelTimer>(State::inactive)
        .template ignore<StartTimer>();
  }

  void begin(gainsay::Context& ctx) {
    ticked = 0;
    ctx.send(ctx.self(*this), Tick{});
  }
  void tick(gainsay::Context& ctx);
};
using ElectionTimer = Timer<ElectionTimeout>;
using PeriodicTimer = Timer<PeriodicTimeout>;

struct BecomeFollower {};
struct BecomeCandidate {};
struct BecomeLeader {};

struct Server {
  enum class State { follower, candidate, leader };
  using Receives = gainsay::Messages<VoteRequest, VoteResponse, AppendEntriesRequest, AppendEntriesResponse,
                                     ElectionTimeout, PeriodicTimeout, Request, ShutDown>;

  gainsay::Machine<State> machine{};
  gainsay::Group<Server> servers;
  gainsay::Ref<ClusterManager> manager;
  gainsay::Ref<Client> client;
  gainsay::Ref<ElectionTimer> election_timer;
  gainsay::Ref<PeriodicTimer> periodic_timer;
  Bug bug = Bug::none;
  Term term = 0;
  gainsay::ActorId voted_for{};  // in this term
  std::uint32_t votes = 0;       // for oneself, in this term
  std::set<gainsay::ActorId> voters{};
  std::vector<Entry> log{};
  std::uint32_t commit = 0;                  // how much of the log is committed
  std::vector<std::uint32_t> next_index{};   // leaders: what each server gets next, from 0
  std::vector<std::uint32_t> match_index{};  // leaders: how much of the log each server is known to have

  static void table(gainsay::Table<Server>& t);
  // What is kept by index goes where the server goes (explore --symmetry).
  void rename(const gainsay::Renaming& r) {
    r.rearrange(servers, next_index);
    r.rearrange(servers, match_index);
  }

  // --- followers
  void become_follower(gainsay::Context& ctx);
  void stand_for_election(gainsay::Context& ctx) { ctx.raise(BecomeCandidate{}); }
  // --- candidates
  void become_candidate(gainsay::Context& ctx);
  void ask_for_votes(gainsay::Context& ctx);
  void count_vote(const VoteResponse& response, gainsay::Context& ctx);
  // --- leaders
  void become_leader(gainsay::Context& ctx);
  void replicate(const Request& request, gainsay::Context& ctx);
  void append_response(const AppendEntriesResponse& response, gainsay::Context& ctx);
  // --- everybody
  void vote(const VoteRequest& request, gainsay::Context& ctx);
  void append(const AppendEntriesRequest& request, gainsay::Context& ctx);
  void see_term(const VoteResponse& response, gainsay::Context& ctx) { newer(response.term, ctx); }
  void redirect(const Request& request, gainsay::Context& ctx);
  void shut_down(gainsay::Context& ctx);

  bool newer(Term theirs, gainsay::Context& ctx);
  void send_entries(std::size_t server, gainsay::Context& ctx) const;
  void advance_commit(gainsay::Context& ctx);
  Term last_term() const { return log.empty() ? 0 : log.back().term; }
};

// Knows who leads, and brings the client's requests there.
struct ClusterManager {
  enum class State { unavailable, available };
  using Receives = gainsay::Messages<LeaderUpdate, Request, Redirect, ShutDown>;

  gainsay::Machine<State> machine{};
  gainsay::Group<Server> servers;
  gainsay::Ref<Server> leader{};
  Term term = 0;

  static void table(gainsay::Table<ClusterManager>& t) {
    t.start(State::unavailable);
    t.in(State::unavailable)
        .defer<Request>()
        .on<LeaderUpdate>(&ClusterManager::update)
        .on<Redirect>(&ClusterManager::hold)
        .may_go_to(State::available);
    t.in(State::available)
        .on<LeaderUpdate>(&ClusterManager::update)
        .on<Request>(&ClusterManager::forward)
        .on<Redirect>(&ClusterManager::redirected)
        .may_go_to(State::available, State::unavailable);
    t.in(State::unavailable, State::available).halt<ShutDown>(&ClusterManager::shut_down);
  }

  void update(const LeaderUpdate& update, gainsay::Context& ctx) {
    if (update.term <= term) return;
    term = update.term;
    leader = gainsay::Ref<Server>(ctx.sender());
    ctx.go_to(State::available);
  }
  void forward(const Request& request, gainsay::Context& ctx) { ctx.send(leader, request); }
  // Back into one's own queue, where it waits for a leader.
  void hold(const Redirect& redirect, gainsay::Context& ctx) { ctx.send(ctx.self(*this), redirect.request); }
  void redirected(const Redirect& redirect, gainsay::Context& ctx) {
    hold(redirect, ctx);
    if (ctx.sender() == leader) ctx.go_to(State::unavailable);
  }
  void shut_down(gainsay::Context& ctx) { ctx.send(servers, ShutDown{}); }
};

struct Client {
  enum class State { waiting, done };
  using Receives = gainsay::Messages<Response>;

  gainsay::Machine<State> machine{};
  gainsay::Ref<ClusterManager> manager;
  std::uint32_t requests = 3;
  Command last = 0;

  static void table(gainsay::Table<Client>& t) {
    t.start(State::waiting);
    t.in(State::waiting)
        .entry(&Client::request)
        .on<Response>(&Client::answered)
        .may_go_to(State::waiting, State::done);
    t.in(State::done).entry(&Client::finish).ignore<Response>();
  }

  void request(gainsay::Context& ctx) { ctx.send(manager, Request{++last}); }
  void answered(const Response& response, gainsay::Context& ctx) {
    if (response.command == last) ctx.go_to(last < requests ? State::waiting : State::done);
  }
  void finish(gainsay::Context& ctx) { ctx.send(manager, ShutDown{}); }
};

template <class Timeout> void Timer<Timeout>::tick(gainsay::Context& ctx) {
  bool fires = true;
  for (std::uint32_t i = 0; i < flips && fires; ++i) fires = ctx.flip();
  if (fires) ctx.send(server, Timeout{});
  if (fires || ++ticked == ticks) {
    ctx.raise(CancelTimer{});
  } else {
    ctx.send(ctx.self(*this), Tick{});
  }
}

}  // namespace raft
