// ZooKeeper's fast leader election: three nodes look for a leader, one of them crashes and comes back.
//
// A node that looks for a leader votes for itself, tells everybody, and takes over every vote that beats its own:
// a newer epoch, then a newer transaction, then a higher id. Where a majority votes alike it waits a little for a
// better vote, and then leads or follows. That alone lets two nodes believe that they lead, when a message comes
// later than the wait lasts; so believers go on to discovery: followers connect to their leader, and who has no
// majority of followers in time, or no leader that accepts it, looks again. After Reed and Junqueira, "A simple
// totally ordered broadcast protocol" (LADIS 2008), and ZooKeeper 3.4.3, whose election Niksic's thesis (2018),
// section 6.3.3, examines: three nodes, one crash, one reboot.
//
// Time is simulated: a message takes up to half a second, the wait 200 ms, discovery five seconds at most. The
// links of a node that crashes break, and the others notice.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/paxos/votes.hpp"

namespace zookeeper_election {

enum class Bug { none, no_discovery, vote_order };

using NodeId = std::uint32_t;
using Round = std::uint32_t;
using Life = std::uint32_t;  // a node has another one after every start

struct Node;

struct Vote {
  NodeId leader = 0;
  std::uint32_t epoch = 1;
  std::uint32_t transaction = 0;  // the last that the leader knows
  friend bool operator==(const Vote&, const Vote&) = default;
};

enum class State { down, looking, following, leading };

struct Notification {
  NodeId from = 0;
  Vote vote;
  Round round = 0;
  State state = State::down;  // of the sender
};
// discovery: follower -> leader, and back
struct Follow {
  NodeId from = 0;
  Life life = 0;
};
struct Accepted {
  std::uint32_t epoch = 0;
  Life life = 0;  // of the follower: what was sent to an earlier one is not for this one
};
struct Refused {};
// either way: I am not your follower, or your leader, any more; a node that crashes says it to all
struct Closed {
  NodeId from = 0;
  Life life = 0;  // of the sender, when it followed or led
};
// environment -> node
struct Start {};
struct Crash {};
// timers
struct Finalize {};
struct Resend {};
struct DiscoveryOver {};
struct CrashTick {};
struct RebootTick {};

struct Established {
  NodeId leader = 0;
};
struct Lost {
  NodeId leader = 0;
};
// Sooner or later there is a leader.
struct Leadership {
  using Observes = gainsay::Messages<Established, Lost>;
  std::set<NodeId> leaders{};
  void on(const Established& now) { leaders.insert(now.leader); }
  void on(const Lost& now) { leaders.erase(now.leader); }
  std::string hot() const { return leaders.empty() ? "there is no leader" : ""; }
};

// In one round a node's vote only gets better, or the election need not end.
struct Voted {
  NodeId node = 0;
  Round round = 0;
  Vote vote;
};
struct Voting {
  using Observes = gainsay::Messages<Voted>;
  struct Votes {
    Round round = 0;
    Vote last;
    std::vector<Vote> left;
  };
  std::map<NodeId, Votes> of{};
  void on(const Voted& now, gainsay::MonitorContext& monitor);
};

struct Node {
  using Receives = gainsay::Messages<Notification, Follow, Accepted, Refused, Closed, Start, Crash, Finalize,
                                     Resend, DiscoveryOver>;
  struct Heard {
    Vote vote;
    Round round = 0;
    State state = State::looking;
  };
  NodeId id = 0;
  gainsay::Group<Node> nodes{};
  Bug bug = Bug::none;
  bool timed = true;          // false: no timers; who has a majority decides at once
  std::uint32_t crashes = 0;  // untimed: crashes that are left, each an event after a start
  Life life = 0;
  std::uint32_t epoch = 1;  // kept on disk, as its life is; everything below is not
  Round round = 0;
  State state = State::down;
  Vote vote{};
  bool finalizing = false;
  std::map<NodeId, Heard> looking_votes{};  // of this round
  std::map<NodeId, Heard> decided_votes{};  // of who is not looking, of any round
  std::map<NodeId, Life> followers{};
  bool established = false;  // as a leader: by a majority; as a follower: accepted

  // A leader to be takes followers when it has found out that it leads.
  bool accepts(const Follow&) const { return state != State::looking; }

  void on(const Start&, gainsay::Context& ctx);
  void on(const Crash&, gainsay::Context& ctx);
  void on(const Notification& heard, gainsay::Context& ctx);
  void on(const Finalize&, gainsay::Context& ctx);
  void on(const Resend&, gainsay::Context& ctx);
  void on(const Follow& follow, gainsay::Context& ctx);
  void on(const Accepted& accepted, gainsay::Context& ctx);
  void on(const Refused&, gainsay::Context& ctx);
  void on(const Closed& closed, gainsay::Context& ctx);
  void on(const DiscoveryOver&, gainsay::Context& ctx);

  Vote own_vote() const { return {id, epoch, 0}; }
  bool beats(const Vote& one, const Vote& other) const;
  bool majority(std::size_t n) const { return paxos::is_majority(n, nodes.size()); }
  std::size_t agreeing_with_vote() const;
  std::size_t decided_for(NodeId leader) const;
  void look(gainsay::Context& ctx);
  void tell(gainsay::Ref<Node> whom, gainsay::Context& ctx) const;
  void broadcast(gainsay::Context& ctx);
  void hear_looking(const Notification& heard, gainsay::Context& ctx);
  void hear_decided(const Notification& heard, gainsay::Context& ctx);
  void wait_if_many_agree(gainsay::Context& ctx);
  void decide(const Vote& decided, gainsay::Context& ctx);
  void establish_if_many_follow(gainsay::Context& ctx);
  void give_up(gainsay::Context& ctx);
  void clear(gainsay::Context& ctx);
};

// Crashes one node at some moment, and starts it again at some later one.
struct Environment {
  using Receives = gainsay::Messages<CrashTick, RebootTick>;
  gainsay::Group<Node> nodes{};
  bool crashes = true;
  std::optional<NodeId> victim{};

  void on_start(gainsay::Context& ctx);
  void on(const CrashTick&, gainsay::Context& ctx);
  void on(const RebootTick&, gainsay::Context& ctx);
};

}  // namespace zookeeper_election
