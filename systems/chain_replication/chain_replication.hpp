// Chain replication: updates enter at the head of a chain of servers and are answered by its tail.
//
// The head numbers updates and sends them down the chain; each server applies them, remembers those that the tail
// has not acknowledged, and passes acknowledgements back up. Queries go to the tail. A failure detector lets
// servers fail, one at a time; the master then gives the chain a new head or tail, or joins the two neighbours of
// a server that failed in the middle: the successor tells how far it got, the predecessor sends it the rest. After
// van Renesse and Schneider, "Chain Replication for Supporting High Throughput and Availability" (OSDI 2004),
// sections 3 and 3.1; roles, messages and both defects follow the ChainReplication sample of P# (Deligiannis et
// al., "Asynchronous Programming, Analysis and Testing with State Machines", PLDI 2015).
//
// Where we differ from the sample: servers that fail do stop; clients learn of a new head or tail and ask again,
// and numbers of requests keep an update from being applied twice; the invariants are about the states of the
// servers, not about copies of their histories that a monitor keeps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "gainsay/oracle/specs/kv.hpp"

namespace chain_replication {

enum class Bug { none, rewound_counter, broken_chain };

using Sequence = std::uint32_t;  // numbers of updates, from 1
using Key = std::uint32_t;
using Value = std::string;  // empty: there is none
using Spec = gainsay::specs::Kv<Key, Value>;

struct Server;
struct Client;
struct Master;

// client -> head, client -> tail
struct Update {
  std::uint32_t request = 0;
  Key key = 0;
  Value value;
};
struct Query {
  std::uint32_t request = 0;
  Key key = 0;
};
// tail -> client
struct ResponseToUpdate {
  std::uint32_t request = 0;
};
struct ResponseToQuery {
  std::uint32_t request = 0;
  Value value;
};
// server -> successor
struct ForwardUpdate {
  Sequence sequence = 0;
  gainsay::Ref<Client> client;
  Update update;
};
// server -> predecessor: the tail has all up to this one
struct BackwardAck {
  Sequence sequence = 0;
};
// master -> server
struct BecomeHead {};
struct BecomeTail {};
struct NewPredecessor {
  gainsay::Ref<Server> predecessor;
};
struct NewSuccessor {
  gainsay::Ref<Server> successor;
  Sequence received = 0;
  Sequence acknowledged = 0;
};
// server -> master
struct NewSuccessorInfo {
  Sequence received = 0;      // the last update that reached it
  Sequence acknowledged = 0;  // the last one that it acknowledged
};
struct Success {};
// failure detector <-> master
struct FailureDetected {
  gainsay::Ref<Server> server;
};
struct FailureCorrected {};
// failure detector -> server, and back: it has stopped
struct Fail {};
struct Stopped {};
// failure detector -> itself
struct FailureTick {};
// master -> client
struct UpdateHeadTail {
  gainsay::Ref<Server> head;
  gainsay::Ref<Server> tail;
};

struct Server {
  using Receives = gainsay::Messages<Update, Query, ForwardUpdate, BackwardAck, BecomeHead, BecomeTail,
                                     NewPredecessor, NewSuccessor, Fail>;
  gainsay::Ref<Master> master{};
  gainsay::Ref<Server> predecessor{};  // of the head: itself
  gainsay::Ref<Server> successor{};    // of the tail: itself
  Bug bug = Bug::none;
  bool head = false;
  bool tail = false;
  Sequence next = 1;  // what the head gives to the next update
  Sequence acknowledged = 0;
  std::map<Key, Value> store{};
  std::vector<Sequence> history{};    // of updates, as applied
  std::vector<ForwardUpdate> sent{};  // down the chain, not yet acknowledged by the tail
  std::map<gainsay::ActorId, std::uint32_t> last_request{};  // of each client, that was applied

  // Who is not head or tail yet will be when the master says so.
  bool accepts(const Update&) const { return head; }
  bool accepts(const Query&) const { return tail; }

  void on(const Update& update, gainsay::Context& ctx);
  void on(const Query& query, gainsay::Context& ctx) const;
  void on(const ForwardUpdate& forward, gainsay::Context& ctx);
  void on(const BackwardAck& ack, gainsay::Context& ctx);
  void on(const BecomeHead&, gainsay::Context& ctx);
  void on(const BecomeTail&, gainsay::Context& ctx);
  void on(const NewPredecessor& changed, gainsay::Context& ctx);
  void on(const NewSuccessor& changed, gainsay::Context& ctx);
  void on(const Fail&, gainsay::Context& ctx) {
    ctx.reply(Stopped{});
    ctx.halt();
  }

  void apply(const ForwardUpdate& forward);
  void answer(const ForwardUpdate& forward, gainsay::Context& ctx);
  void acknowledge(Sequence sequence, gainsay::Context& ctx);
};

struct Master {
  enum class State { watching, repairing };
  using Receives = gainsay::Messages<FailureDetected, NewSuccessorInfo, Success>;

  gainsay::Machine<State> machine{};
  std::vector<gainsay::Ref<Server>> chain{};  // that live, from head to tail
  gainsay::Group<Client> clients{};
  gainsay::ActorId detector{};
  Bug bug = Bug::none;
  std::size_t gap = 0;  // while repairing: who has a new predecessor

  static void table(gainsay::Table<Master>& t) {
    t.start(State::watching);
    t.in(State::watching).on<FailureDetected>(&Master::failed).may_go_to(State::repairing);
    t.in(State::repairing)
        .on<NewSuccessorInfo>(&Master::fix_successor)
        .on<Success>(&Master::corrected)
        .may_go_to(State::watching);
  }
  void failed(const FailureDetected& failure, gainsay::Context& ctx);
  void fix_successor(const NewSuccessorInfo& info, gainsay::Context& ctx);
  void corrected(gainsay::Context& ctx);
};

// Lets servers fail, the next one when the chain is whole again. Nobody is taken to have failed who still works.
struct FailureDetector {
  using Receives = gainsay::Messages<FailureTick, Stopped, FailureCorrected>;
  gainsay::Ref<Master> master{};
  std::vector<gainsay::Ref<Server>> living{};
  std::uint32_t failures = 2;

  void on_start(gainsay::Context& ctx) { arm(ctx); }
  void on(const FailureTick&, gainsay::Context& ctx);
  void on(const Stopped&, gainsay::Context& ctx);
  void on(const FailureCorrected&, gainsay::Context& ctx) { arm(ctx); }
  void arm(gainsay::Context& ctx);
};

// First its updates, then as many queries.
struct Client {
  using Receives = gainsay::Messages<ResponseToUpdate, ResponseToQuery, UpdateHeadTail>;
  gainsay::Ref<Server> head{};
  gainsay::Ref<Server> tail{};
  std::string name{};
  Value value{};               // the last one that it wrote, or tried to
  std::uint32_t requests = 6;  // how many it makes: updates and queries
  std::uint32_t request = 0;
  gainsay::Invocation operation{};

  bool is_update() const { return 2 * request <= requests; }
  Key key() const { return request % 2 == 1 ? 1 : 100; }
  bool done() const { return request > requests; }
  std::string waiting() const {
    return done() ? "" : "request " + std::to_string(request) + " is not answered";
  }

  void on_start(gainsay::Context& ctx) { next(ctx); }
  void on(const ResponseToUpdate& response, gainsay::Context& ctx);
  void on(const ResponseToQuery& response, gainsay::Context& ctx);
  void on(const UpdateHeadTail& changed, gainsay::Context& ctx);
  void next(gainsay::Context& ctx);
  void ask(gainsay::Context& ctx);
};

}  // namespace chain_replication
