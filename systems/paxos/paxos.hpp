// Single-decree Paxos (Lamport, "Paxos Made Simple", 2001), one ballot per proposer, reordered but lossless
// messages.
//
// The protocol is kept literal and its state minimal, because the numbers of its states and transitions are
// tests: `index`, `acceptors` and `bug` never change; everything else in Proposer and Acceptor is protocol
// state. What does not fit the ballot or the phase is ignored silently, and answers beyond a majority are
// still counted.
#pragma once

#include <cstdint>

#include "gainsay/gainsay.hpp"
#include "systems/paxos/votes.hpp"

namespace paxos {

enum class Bug { none, lowest };

using Ballot = std::int32_t;  // -1: none
using Value = std::int32_t;

struct Start {};
struct Prepare {
  Ballot ballot = 0;
};
struct Promise {
  Ballot ballot = 0;
  Ballot voted_ballot = -1;
  Value voted = 0;
};
struct Accept {
  Ballot ballot = 0;
  Value value = 0;
};
struct Accepted {
  Ballot ballot = 0;
  Value value = 0;
};

struct Acceptor {
  using Receives = gainsay::Messages<Prepare, Accept>;
  Ballot promised = -1;
  Ballot voted_ballot = -1;
  Value voted = 0;

  void on(const Prepare& prepare, gainsay::Context& ctx) {
    if (prepare.ballot <= promised) return;
    promised = prepare.ballot;
    ctx.reply(Promise{prepare.ballot, voted_ballot, voted});
  }
  void on(const Accept& accept, gainsay::Context& ctx) {
    if (accept.ballot < promised) return;
    promised = accept.ballot;
    voted_ballot = accept.ballot;
    voted = accept.value;
    ctx.reply(Accepted{accept.ballot, accept.value});
  }
};

struct Proposer {
  using Receives = gainsay::Messages<Start, Promise, Accepted>;
  std::int32_t index = 0;
  gainsay::Group<Acceptor> acceptors;
  Bug bug = Bug::none;

  Ballot ballot = 0;
  Value own = 0;
  std::int32_t phase = 0;  // 1: collects promises; 2: has sent its value
  std::uint32_t promises = 0;
  Ballot best_ballot = -1;  // of the votes that promises told of, the one that binds, and its value
  Value best = 0;
  std::uint32_t accepted = 0;

  bool majority(std::uint32_t n) const { return is_majority(n, acceptors.count); }
  bool has_chosen() const { return majority(accepted); }
  // What it sends, or has sent, in phase 2.
  Value proposal() const { return best_ballot >= 0 ? best : own; }

  void on(const Start&, gainsay::Context& ctx) {
    ballot = index;
    own = 100 + index;
    phase = 1;
    ctx.send(acceptors, Prepare{ballot});
  }
  void on(const Promise& promise, gainsay::Context& ctx) {
    if (promise.ballot != ballot || phase != 1) return;
    ++promises;
    if (promise.voted_ballot >= 0 && binds(promise.voted_ballot)) {
      best_ballot = promise.voted_ballot;
      best = promise.voted;
    }
    if (!majority(promises)) return;
    phase = 2;
    ctx.send(acceptors, Accept{ballot, proposal()});
  }
  void on(const Accepted& vote) {
    if (vote.ballot == ballot) ++accepted;
  }

  // Whether a vote of ballot b is to be preferred to the best one so far.
  bool binds(Ballot b) const {
    if (bug == Bug::lowest) return best_ballot < 0 || b < best_ballot;
    return b > best_ballot;
  }
};

}  // namespace paxos
