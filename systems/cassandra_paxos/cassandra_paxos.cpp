#include "systems/cassandra_paxos/cassandra_paxos.hpp"

#include <algorithm>

namespace cassandra_paxos {

using gainsay::Context;

std::map<std::string, std::string> columns_of(Transaction transaction) {
  switch (transaction) {
    case 1:
      return {{"x", "A"}};
    case 2:
      return {{"x", "B"}, {"y", "B"}};
    default:
      return {{"z", std::string(1, static_cast<char>('A' + transaction - 1))}};
  }
}

void Once::on(const Chosen& now, gainsay::MonitorContext& monitor) {
  chosen[now.ballot] = now.transaction;
  for (auto first = chosen.begin(); first != chosen.end(); ++first) {
    Transaction between = 0;
    for (auto later = std::next(first); later != chosen.end(); ++later) {
      if (later->second != first->second) {
        between = later->second;
      } else {
        monitor.check(between == 0, [&] {
          return "transaction " + std::to_string(first->second) + " takes effect twice, with transaction " +
                 std::to_string(between) + " between";
        });
      }
    }
  }
}

// --- replicas ---

// A promise is no vote. With shared_ballot one number stands for both: what was voted for in an old ballot looks
// as if it had been voted for in the ballot that was promised last.
void Replica::on(const Prepare& prepare, Context& ctx) {
  Promise reply{prepare.ballot, false, accepted, committed, promised};
  if (bug == Bug::shared_ballot) reply.in_progress.ballot = promised;
  if (prepare.ballot > promised) {
    reply.promised = true;
    promised = prepare.ballot;
  }
  ctx.reply(reply);
}

void Replica::on(const Propose& propose, Context& ctx) {
  const bool accept = propose.ballot >= promised;
  if (accept) {
    promised = propose.ballot;
    accepted = {propose.ballot, propose.transaction};
  }
  ctx.reply(ProposeReply{propose.ballot, accept});
}

// What is committed is not in progress any more, whatever was promised since.
void Replica::on(const Commit& commit, Context& ctx) {
  for (const auto& [column, value] : columns_of(commit.transaction)) {
    Cell& cell = row[column];
    if (cell.written < commit.ballot) cell = {value, commit.ballot};
  }
  committed.raise_to({commit.ballot, commit.transaction});
  const Ballot in_progress = bug == Bug::shared_ballot ? promised : accepted.ballot;
  if (in_progress <= commit.ballot) accepted = {};
  ctx.reply(Committed{commit.ballot});
}

// --- coordinators ---

void Coordinator::prepare(Context& ctx) {
  if (attempts == 0) {
    phase = Phase::unknown;
    return;
  }
  --attempts;
  phase = Phase::preparing;
  ballot = {++highest_round, index};
  promises.clear();
  in_progress = {};
  ctx.send(replicas, Prepare{ballot});
}

// Of two proposals in one ballot the first that was heard of stays.
void Coordinator::on(const Promise& promise, Context& ctx) {
  highest_round = std::max(highest_round, promise.seen.round);
  if (phase != Phase::preparing || promise.ballot != ballot) return;
  if (!promise.promised) {
    prepare(ctx);
    return;
  }
  promises[ctx.sender()] = promise;
  if (promise.in_progress.value != 0) in_progress.raise_to(promise.in_progress);
  if (quorum(promises.size())) promised(ctx);
}

void Coordinator::promised(Context& ctx) {
  Vote committed;
  for (const auto& [replica, promise] : promises) committed.raise_to(promise.committed);
  if (in_progress.value != 0 && in_progress.ballot > committed.ballot) {
    propose(Phase::replaying, in_progress.value, ctx);
    return;
  }
  bool all_know = true;
  for (const auto& [replica, promise] : promises) {
    if (promise.committed.ballot == committed.ballot) continue;
    all_know = false;
    ctx.send(gainsay::Ref<Replica>(replica), Commit{committed.ballot, committed.value});
  }
  if (all_know) {
    propose(Phase::proposing, own(), ctx);
  } else {
    prepare(ctx);
  }
}

void Coordinator::propose(Phase next, Transaction transaction, Context& ctx) {
  phase = next;
  proposal = transaction;
  accepts = 0;
  refusals = 0;
  ctx.send(replicas, Propose{ballot, transaction});
}

void Coordinator::on(const ProposeReply& reply, Context& ctx) {
  if (reply.ballot != ballot || (phase != Phase::replaying && phase != Phase::proposing)) return;
  reply.accepted ? ++accepts : ++refusals;
  const bool replaying = phase == Phase::replaying;
  if (quorum(accepts)) {
    ctx.notify<Once>(Chosen{ballot, proposal});
    phase = Phase::committing;
    commits = 0;
    ctx.send(replicas, Commit{ballot, proposal});
    if (replaying) prepare(ctx);
  } else if (!quorum(replicas.size() - refusals)) {
    // Whoever did accept one's own transaction may get another to replay it: it must not be proposed again.
    if (replaying || bug == Bug::partial_retry) {
      prepare(ctx);
    } else {
      phase = Phase::unknown;
    }
  }
}

void Coordinator::on(const Committed& committed) {
  if (phase != Phase::committing || committed.ballot != ballot) return;
  if (quorum(++commits)) phase = Phase::done;
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t replicas = 3;
  std::uint32_t clients = 3;
  std::uint32_t attempts = 4;
  gainsay::Delivery order = gainsay::Delivery::fifo;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a replica keeps the ballot that it promised apart from the one in which it voted");
    d.value(Bug::shared_ballot, "it keeps one ballot for both (CASSANDRA-6023)");
    d.value(Bug::partial_retry,
            "a transaction that some replicas have accepted is proposed again (CASSANDRA-6013)");
    d.field(&Options::replicas, "how many replicas there are").range(1, 9);
    d.field(&Options::clients, "how many clients there are, with one transaction each").range(1, 9);
    d.field(&Options::attempts, "maximum number of times a coordinator asks for promises").range(1, 100);
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(cassandra_paxos, "Lightweight transactions compete for a row", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(options.order);
  const auto replicas = world.group<Replica>("replica", options.replicas,
                                             [&](std::size_t) { return Replica{.bug = options.bug}; });
  const auto coordinators = world.group<Coordinator>("coordinator", options.clients, [&](std::size_t i) {
    return Coordinator{.index = static_cast<std::uint32_t>(i),
                       .replicas = replicas,
                       .bug = options.bug,
                       .attempts = options.attempts};
  });
  world.monitor<Once>("a transaction takes effect once");
  // Every commit reaches every replica.
  world.finally("replicas agree", [=](View v) -> Complaint {
    for (const auto each : replicas) {
      if (gainsay::reflect::equal(v[each].row, v[replicas[0]].row)) continue;
      return "replicas 0 and " + std::to_string(replicas.index(each)) + " hold different rows";
    }
    return {};
  });
  world.reached("a transaction is acknowledged", coordinators, [=](View v) {
    for (const auto each : coordinators) {
      if (v[each].phase == Coordinator::Phase::done) return true;
    }
    return false;
  });
}

}  // namespace cassandra_paxos
