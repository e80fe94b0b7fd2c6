// Two-phase commit with a coordinator that can lose patience.
//
// Clients write and then read. For a write the coordinator asks every replica to vote; it commits when all
// have voted to commit, and aborts at the first vote to abort or when its timer fires. One transaction runs
// at a time, others queue. Roles and messages follow the TwoPhaseCommit sample of P# (Deligiannis et al.,
// "Asynchronous Programming, Analysis and Testing with State Machines", PLDI 2015), whose coordinator has the
// defect `stale_votes`.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "gainsay/gainsay.hpp"

namespace two_phase_commit {

enum class Bug { none, stale_votes };

using Transaction = std::uint32_t;  // numbered from 1 in the order in which the coordinator starts them
using Store = std::array<std::optional<std::uint32_t>, 2>;

struct Write {
  std::uint32_t slot = 0;
  std::uint32_t value = 0;
};

// client -> coordinator
struct WriteRequest {
  Write write;
};
struct ReadRequest {
  std::uint32_t slot = 0;
};
// coordinator -> client
struct WriteDone {
  bool committed = false;
};
struct ReadDone {
  std::optional<std::uint32_t> value{};
};
// coordinator -> replica
struct Prepare {
  Transaction transaction = 0;
  Write write;
};
struct GlobalCommit {
  Transaction transaction = 0;
};
struct GlobalAbort {
  Transaction transaction = 0;
};
// replica -> coordinator
struct VoteCommit {
  Transaction transaction = 0;
};
struct VoteAbort {
  Transaction transaction = 0;
};
// coordinator -> itself
struct Timeout {};

struct Replica {
  using Receives = gainsay::Messages<Prepare, GlobalCommit, GlobalAbort>;
  std::map<Transaction, Write> agreed{};  // every write it has voted to commit
  Store store{};

  void on(const Prepare& prepare, gainsay::Context& ctx) {
    if (ctx.flip()) {
      agreed.emplace(prepare.transaction, prepare.write);
      ctx.reply(VoteCommit{prepare.transaction});
    } else {
      ctx.reply(VoteAbort{prepare.transaction});
    }
  }
  void on(const GlobalCommit& commit) {
    const auto write = agreed.find(commit.transaction);
    if (write != agreed.end()) store[write->second.slot] = write->second.value;
  }
  void on(const GlobalAbort&) {}  // nothing to undo: writes are applied when they commit
};

struct Client;

struct Coordinator {
  using Receives = gainsay::Messages<WriteRequest, ReadRequest, VoteCommit, VoteAbort, Timeout>;
  struct Pending {
    gainsay::Ref<Client> client;
    Write write;
  };

  gainsay::Group<Replica> replicas;
  Bug bug = Bug::none;
  std::deque<Pending> queue{};  // the front is the transaction under way
  Transaction last = 0;
  std::uint32_t votes = 0;  // to commit the transaction under way
  std::set<Transaction> committed{};
  std::uint32_t aborted = 0;
  Store store{};

  bool waiting() const { return !queue.empty(); }

  void on(const WriteRequest& request, gainsay::Context& ctx) {
    queue.push_back({gainsay::Ref<Client>(ctx.sender()), request.write});
    if (queue.size() == 1) begin(ctx);
  }
  void on(const ReadRequest& request, gainsay::Context& ctx) { ctx.reply(ReadDone{store[request.slot]}); }

  void on(const VoteCommit& vote, gainsay::Context& ctx) {
    if (!under_way(vote.transaction)) return;
    if (++votes == replicas.size()) commit(ctx);
  }
  void on(const VoteAbort& vote, gainsay::Context& ctx) {
    if (under_way(vote.transaction)) abort(ctx);
  }
  void on(const Timeout&, gainsay::Context& ctx) { abort(ctx); }

  bool under_way(Transaction transaction) const { return !queue.empty() && transaction == last; }

  void begin(gainsay::Context& ctx) {
    ++last;
    ctx.send(replicas, Prepare{last, queue.front().write});
    ctx.after(std::chrono::milliseconds(100), Timeout{});
  }
  void commit(gainsay::Context& ctx) {
    committed.insert(last);
    store[queue.front().write.slot] = queue.front().write.value;
    ctx.send(replicas, GlobalCommit{last});
    votes = 0;
    finish(true, ctx);
  }
  void abort(gainsay::Context& ctx) {
    ++aborted;
    ctx.send(replicas, GlobalAbort{last});
    if (bug != Bug::stale_votes) votes = 0;
    finish(false, ctx);
  }
  void finish(bool did_commit, gainsay::Context& ctx);
};

struct Client {
  using Receives = gainsay::Messages<WriteDone, ReadDone>;
  gainsay::Ref<Coordinator> coordinator;
  std::uint32_t slot = 0;
  bool wrote = false;  // its write has been committed
  bool finished = false;

  bool waiting() const { return !finished; }

  void on_start(gainsay::Context& ctx) {
    slot = ctx.choose(2);
    ctx.send(coordinator, WriteRequest{{slot, ctx.choose(2)}});
  }
  void on(const WriteDone& done, gainsay::Context& ctx) {
    wrote = done.committed;
    ctx.send(coordinator, ReadRequest{slot});
  }
  void on(const ReadDone& done, gainsay::Context& ctx) {
    ctx.check(!wrote || done.value, "a slot that was written reads as empty");
    finished = true;
  }
};

inline void Coordinator::finish(bool did_commit, gainsay::Context& ctx) {
  ctx.cancel<Timeout>();
  ctx.send(queue.front().client, WriteDone{did_commit});
  queue.pop_front();
  if (!queue.empty()) begin(ctx);
}

}  // namespace two_phase_commit
