// Lightweight transactions of Cassandra: Paxos, one decision after the other, on one row.
//
// Each of three clients has one transaction and a coordinator. A coordinator asks the replicas for promises; if a
// quorum knows of a proposal that was accepted and not committed, it finishes that one first (replays it) and
// begins again; otherwise it proposes its own transaction, and commits it when a quorum has accepted it. After
// Cassandra 2.0 (Lakshman and Malik, "Cassandra: A Decentralized Structured Storage System", 2010, has the store;
// the protocol is Lamport's, "Paxos Made Simple", 2001), with the defect CASSANDRA-6023, which Niksic's thesis
// (2018), section 6.3.2, looks for in this scenario.
//
// Conditions of transactions always hold, so nothing is read before it is proposed. Messages are never lost; links
// keep their order, as connections do.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/paxos/votes.hpp"

namespace cassandra_paxos {

enum class Bug { none, shared_ballot, partial_retry };

struct Ballot {
  std::uint32_t round = 0;  // 0: none
  std::uint32_t coordinator = 0;
  friend auto operator<=>(const Ballot&, const Ballot&) = default;
};

using Transaction = std::uint32_t;  // from 1; 0: none
using Vote = paxos::Vote<Ballot, Transaction>;

// What a transaction writes: x = A; x = B and y = B; z = C.
std::map<std::string, std::string> columns_of(Transaction transaction);

struct Prepare {
  Ballot ballot;
};
struct Promise {
  Ballot ballot;
  bool promised = false;
  Vote in_progress;  // accepted, and not known to be committed
  Vote committed;    // most recently
  Ballot seen;       // if not promised: why
};
struct Propose {
  Ballot ballot;
  Transaction transaction = 0;
};
struct ProposeReply {
  Ballot ballot;
  bool accepted = false;
};
struct Commit {
  Ballot ballot;
  Transaction transaction = 0;
};
struct Committed {
  Ballot ballot;
};

// A transaction takes effect once: if it is chosen in two ballots, as it is when it is replayed, no other one is
// chosen between them.
struct Chosen {
  Ballot ballot;
  Transaction transaction = 0;
};
struct Once {
  using Observes = gainsay::Messages<Chosen>;
  std::map<Ballot, Transaction> chosen{};
  void on(const Chosen& now, gainsay::MonitorContext& monitor);
};

struct Replica {
  using Receives = gainsay::Messages<Prepare, Propose, Commit>;
  struct Cell {
    std::string value;
    Ballot written;
  };
  Bug bug = Bug::none;
  Ballot promised{};
  Vote accepted{};   // no transaction: none, or erased because it was committed
  Vote committed{};  // most recently
  std::map<std::string, Cell> row{};

  void on(const Prepare& prepare, gainsay::Context& ctx);
  void on(const Propose& propose, gainsay::Context& ctx);
  void on(const Commit& commit, gainsay::Context& ctx);
};

struct Coordinator {
  enum class Phase { idle, preparing, replaying, proposing, committing, done, unknown };
  using Receives = gainsay::Messages<Promise, ProposeReply, Committed>;
  std::uint32_t index = 0;
  gainsay::Group<Replica> replicas{};
  Bug bug = Bug::none;
  std::uint32_t attempts = 4;  // left
  Phase phase = Phase::idle;
  Ballot ballot{};
  std::uint32_t highest_round = 0;  // seen
  std::map<gainsay::ActorId, Promise> promises{};
  Vote in_progress{};
  Transaction proposal = 0;
  std::uint32_t accepts = 0;
  std::uint32_t refusals = 0;
  std::uint32_t commits = 0;

  Transaction own() const { return index + 1; }
  bool quorum(std::uint64_t n) const { return paxos::is_majority(n, replicas.size()); }

  void on_start(gainsay::Context& ctx) { prepare(ctx); }
  void on(const Promise& promise, gainsay::Context& ctx);
  void on(const ProposeReply& reply, gainsay::Context& ctx);
  void on(const Committed& committed);

  void prepare(gainsay::Context& ctx);
  void promised(gainsay::Context& ctx);
  void propose(Phase next, Transaction transaction, gainsay::Context& ctx);
};

}  // namespace cassandra_paxos
