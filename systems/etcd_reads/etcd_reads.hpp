// A register replicated by Raft, with the three kinds of reads that etcd has had (Niksic's thesis, 2018, section 2.1;
// Kingsbury's reports on etcd).
//
// Writes go through the log. A read may go through it too (quorum: the fixed form), may be answered by any node from
// its own copy (`local_reads`), or by whoever is taken for the leader, without asking a majority (`consistent_reads`).
// Clients live on no node: they reach everybody. A client has one operation: a read, a write of 0 or a write of 1, at
// any node, all with equal chances. Raft is whole but for snapshots and membership; an Append carries the whole log.
//
// Clocks: every node ticks. At a tick a leader sends its log again; who has not heard of a leader since its last tick
// asks for votes. Where clocks go equally fast (strategy `nemesis`) nobody suspects a leader that it hears.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "gainsay/oracle/specs/register.hpp"

namespace etcd_reads {

enum class Bug { none, local_reads, consistent_reads };

using Spec = gainsay::specs::Register<int>;

struct Entry {
  std::uint32_t term = 0;
  bool read = false;
  int value = 0;
  gainsay::ActorId client = gainsay::nobody;

  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Operate {};
struct Request {
  bool read = false;
  int value = 0;
  gainsay::ActorId client = gainsay::nobody;
  bool forwarded = false;
};
struct RequestVote {
  std::uint32_t term = 0;
  std::uint32_t last_term = 0;
  std::uint32_t length = 0;
};
struct Vote {
  std::uint32_t term = 0;
  bool granted = false;
};
struct Append {
  std::uint32_t term = 0;
  std::vector<Entry> log;
  std::uint32_t commit = 0;
};
struct Appended {
  std::uint32_t term = 0;
  std::uint32_t length = 0;  // so many entries are those of the leader
};
struct Pulse {};
struct Tick {};

enum class Role { follower, candidate, leader };

struct Node {
  using Receives = gainsay::Messages<Request, RequestVote, Vote, Append, Appended, Tick>;
  gainsay::Group<Node> nodes;
  Bug bug = Bug::none;
  Role role = Role::follower;
  std::uint32_t term = 1;
  gainsay::ActorId voted_for = gainsay::nobody;
  gainsay::ActorId leader = gainsay::nobody;
  bool heard = true;  // of a leader, since the last tick
  std::vector<Entry> log;
  std::uint32_t commit = 0;
  int value = 0;                                    // after the committed entries
  std::set<gainsay::ActorId> votes;                 // of a candidate
  std::map<gainsay::ActorId, std::uint32_t> match;  // of a leader: what others have

  void on(const Tick&, gainsay::Context& ctx);
  void on(const Request& request, gainsay::Context& ctx);
  void on(const RequestVote& request, gainsay::Context& ctx);
  void on(const Vote& vote, gainsay::Context& ctx);
  void on(const Append& append, gainsay::Context& ctx);
  void on(const Appended& appended, gainsay::Context& ctx);

 private:
  std::uint32_t last_term() const { return log.empty() ? 0 : log.back().term; }
  std::uint32_t length() const { return static_cast<std::uint32_t>(log.size()); }
  bool majority(std::size_t count) const { return count > nodes.size() / 2; }
  void adopt(std::uint32_t newer, gainsay::Context& ctx);
  void campaign(gainsay::Context& ctx);
  void replicate(gainsay::Context& ctx);
  void advance(gainsay::Context& ctx);
  void apply(std::uint32_t upto, gainsay::Context& ctx);
};

// Lives on the node whose clock it is.
struct Clock {
  using Receives = gainsay::Messages<Pulse>;
  gainsay::Ref<Node> node;

  void on_start(gainsay::Context& ctx) { ctx.after(std::chrono::milliseconds(100), Pulse{}); }
  void on(const Pulse&, gainsay::Context& ctx) {
    ctx.send(node, Tick{});
    ctx.after(std::chrono::milliseconds(100), Pulse{});
  }
};

struct Client {
  using Receives = gainsay::Messages<Operate>;
  gainsay::Group<Node> nodes;

  void on(const Operate&, gainsay::Context& ctx);
};

}  // namespace etcd_reads
