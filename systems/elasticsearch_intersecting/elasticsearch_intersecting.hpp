// A replicated index with one master, and a cut that some nodes bridge (Niksic's thesis, 2018, section 2.5; the split
// brain of Elasticsearch 1.x under intersecting partitions).
//
// A write goes to the master, which sends its log to all and acknowledges what a quorum has. Who has not heard of a
// master since its last tick asks for votes; with a quorum of them it is master in a new term, with the newest log of
// those who voted. A master forgets who did not answer between two ticks, and resigns with less than a quorum. In the
// fixed form whoever has voted in a term has nothing more to do with older ones. The defect
// (`answers_both`): a node that both sides reach votes for a new master and goes on answering the old one. Both have
// a quorum then, and both acknowledge.
//
// Clients live on no node: they reach everybody, and each writes one document at any node.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace elasticsearch_intersecting {

enum class Bug { none, answers_both };

struct Write {
  std::uint32_t term = 0;  // of the master that took it
  gainsay::ActorId client = gainsay::nobody;

  friend bool operator==(const Write&, const Write&) = default;
};

struct Operate {};
struct Index {
  gainsay::ActorId client = gainsay::nobody;
  bool forwarded = false;
};
struct Elect {
  std::uint32_t term = 0;
};
struct Vote {
  std::uint32_t term = 0;
  std::uint32_t accepted_in = 0;
  std::vector<Write> log;
};
struct Replicate {
  std::uint32_t term = 0;
  std::vector<Write> log;
};
struct Replicated {
  std::uint32_t term = 0;
  std::uint32_t length = 0;
  bool follows = false;  // the sender takes the receiver for its master
};
struct Pulse {};
struct Tick {};

struct Node {
  using Receives = gainsay::Messages<Index, Elect, Vote, Replicate, Replicated, Tick>;
  gainsay::Group<Node> nodes;
  Bug bug = Bug::none;
  std::uint32_t term = 1;  // the newest in which it has voted or followed
  gainsay::ActorId master = gainsay::nobody;
  bool heard = true;              // of a master, since the last tick
  std::uint32_t accepted_in = 1;  // the term of the master whose log this is
  std::vector<Write> log;
  std::vector<Write> acknowledged;  // by this node, as a master
  std::uint32_t asked = 0;          // the term for which it wants votes; 0: none
  std::map<gainsay::ActorId, Vote> votes;
  // Of a master: what others have; who belongs to its cluster; who has answered since its last tick.
  std::map<gainsay::ActorId, std::uint32_t> match;
  std::set<gainsay::ActorId> members;
  std::set<gainsay::ActorId> answered;

  void on(const Index& index, gainsay::Context& ctx);
  void on(const Elect& elect, gainsay::Context& ctx);
  void on(const Vote& vote, gainsay::Context& ctx);
  void on(const Replicate& replicate, gainsay::Context& ctx);
  void on(const Replicated& replicated, gainsay::Context& ctx);
  void on(const Tick&, gainsay::Context& ctx);

 private:
  bool quorum(std::size_t count) const { return count > nodes.size() / 2; }
  void take_term(std::uint32_t newer);
  void replicate_to_all(gainsay::Context& ctx);
  void acknowledge(gainsay::Context& ctx);
};

struct Client {
  using Receives = gainsay::Messages<Operate>;
  gainsay::Group<Node> nodes;

  void on(const Operate&, gainsay::Context& ctx) {
    ctx.send(nodes[ctx.choose(static_cast<std::uint32_t>(nodes.size()))], Index{ctx.self(), false});
  }
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

}  // namespace elasticsearch_intersecting
