// Multi-Paxos: nodes fill a log, one slot after the other, under a leader that each may try to become.
//
// A node whose timer fires asks all for promises with a ballot of its own; a majority makes it the leader. The
// promises tell it of every vote that was given; it proposes those values again, in their slots, and empty
// commands where a slot was left out, then what clients asked for. A value that a majority accepts in one ballot
// is chosen, and everybody is told. Lamport, "Paxos Made Simple" (2001), section 3. Roles and sizes follow the
// MultiPaxos sample of P# (Deligiannis et al., "Asynchronous Programming, Analysis and Testing with State
// Machines", PLDI 2015): three nodes, two updates.
//
// Where we differ from the sample: there, nothing is ever chosen (an acceptor does not record the slot, so it drops
// all that it is asked to accept), so it can serve as no reference; node, leader election and timers are one actor
// here. One of its slips, promises of earlier ballots that are counted, is a bug of ours.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/paxos/votes.hpp"

namespace multi_paxos {

enum class Bug { none, minority, stale_promises };

using Ballot = std::uint32_t;   // round * nodes + node + 1; 0: none
using Slot = std::uint32_t;     // from 1
using Command = std::uint32_t;  // from 1; 0: an empty one
using Vote = paxos::Vote<Ballot, Command>;

// client -> every node
struct Update {
  Command command = 0;
};
// would-be leader -> node, and back
struct Prepare {
  Ballot ballot = 0;
};
struct Promise {
  Ballot ballot = 0;
  std::map<Slot, Vote> votes;
};
// leader -> node, and back
struct Accept {
  Ballot ballot = 0;
  Slot slot = 0;
  Command command = 0;
};
struct Accepted {
  Ballot ballot = 0;
  Slot slot = 0;
};
// leader -> everybody
struct Chosen {
  Slot slot = 0;
  Command command = 0;
};
// node -> itself: it has not heard of a leader for some time
struct LeaderTimeout {};

// In a slot one command is chosen, and only what a client asked for, or an empty one.
struct Agreement {
  using Observes = gainsay::Messages<Chosen>;
  Command commands = 0;  // that there are
  std::map<Slot, Command> log{};

  void on(const Chosen& chosen, gainsay::MonitorContext& monitor) {
    monitor.check(chosen.command <= commands, "a command is chosen that no client asked for");
    const auto [slot, is_new] = log.try_emplace(chosen.slot, chosen.command);
    monitor.check(is_new || slot->second == chosen.command, [&] {
      return "commands " + std::to_string(slot->second) + " and " + std::to_string(chosen.command) +
             " are both chosen in slot " + std::to_string(chosen.slot);
    });
  }
};

struct Node {
  using Receives = gainsay::Messages<Update, Prepare, Promise, Accept, Accepted, Chosen, LeaderTimeout>;
  std::uint32_t index = 0;
  gainsay::Group<Node> nodes{};
  Bug bug = Bug::none;

  // as an acceptor
  Ballot promised = 0;
  std::map<Slot, Vote> votes{};
  // as a leader, or one who would like to be
  Ballot ballot = 0;
  bool leads = false;
  std::set<gainsay::ActorId> promisers{};
  std::map<Slot, Vote> binding{};  // the highest vote of each slot that promises told of
  std::map<Slot, Command> proposed{};
  std::map<Slot, std::set<gainsay::ActorId>> acceptors{};
  // as a learner
  std::vector<Command> asked{};  // as they came
  std::map<Slot, Command> log{};

  void on_start(gainsay::Context& ctx);
  void on(const Update& update, gainsay::Context& ctx);
  void on(const LeaderTimeout&, gainsay::Context& ctx);
  void on(const Prepare& prepare, gainsay::Context& ctx);
  void on(const Promise& promise, gainsay::Context& ctx);
  void on(const Accept& accept, gainsay::Context& ctx);
  void on(const Accepted& accepted, gainsay::Context& ctx);
  void on(const Chosen& chosen) { log[chosen.slot] = chosen.command; }

  void lead(gainsay::Context& ctx);
  void propose(Slot slot, Command command, gainsay::Context& ctx);
  void propose_new(Command command, gainsay::Context& ctx);
};

// Asks all nodes, because it does not know who leads.
struct Client {
  using Receives = gainsay::Messages<>;
  gainsay::Group<Node> nodes{};
  Command command = 0;
  void on_start(gainsay::Context& ctx) { ctx.send(nodes, Update{command}); }
};

}  // namespace multi_paxos
