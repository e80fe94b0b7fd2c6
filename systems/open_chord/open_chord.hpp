// Open Chord as DS2 models it (arXiv 2110.06407, section 4.6): a map over a ring of two nodes, the second of which
// joins while clients already use both.
//
// Positions on the ring stand for the hashes of the paper's model; of those only the cyclic order matters: node 1,
// node 2, both keys. So node 1, at the end of the arc after node 2, owns both keys once node 2 has joined. An interval
// is open and wraps; from a position to itself it is everything else.
//
// The defect is in the protocol: a node that has not heard back from the ring believes to be alone, so it owns
// everything in its own eyes. It then stores what nobody else finds, and finds nothing of what others stored.
// The fixed form keeps operations back until the node has joined, and the node that shrinks hands over the entries
// that are no longer its own together with the news.
//
// Where the model follows an oddity of the implementation it says "as implemented".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/ds2_harness/map.hpp"

namespace open_chord {

enum class Bug { none, serves_before_join };

using ds2::Key;
using ds2::Value;
using Position = std::uint32_t;

struct Node;

struct NodeName {
  gainsay::Ref<Node> node;
  Position at = 0;

  friend bool operator==(const NodeName&, const NodeName&) = default;
};

// Whether x lies strictly between, on the way around the ring from `from` to `to`.
constexpr bool between(Position from, Position x, Position to) {
  if (from < to) return from < x && x < to;
  return x > from || x < to;
}

// Keys lie after all nodes.
constexpr Position position_of(Key key) { return 1000 + static_cast<Position>(key); }

// --- joining ---
struct FindSuccessor {
  NodeName who;
};
struct SuccessorFound {
  NodeName successor;
  std::map<Key, Value> entries;  // that are the new node's from now on; empty in the buggy form
};
struct UpdatePredecessor {
  NodeName predecessor;
};

// --- operations; the client goes along with them ---
struct UploadEntry {
  Key key = 0;
  Value value;
  gainsay::ActorId client{};
};
struct UploadEntryResponse {
  Key key = 0;
  gainsay::ActorId client{};
};
struct Request {
  Key key = 0;
  gainsay::ActorId client{};
  gainsay::ActorId origin{};  // the node that the client asked; unset in the client's message
};
struct Response {
  Key key = 0;
  Value value;
  gainsay::ActorId client{};
};

// An operation that a node keeps back until it has joined: an upload if it has a value.
struct KeptBack {
  Request request;
  std::optional<Value> upload;
};

struct Node {
  using Receives = gainsay::Messages<FindSuccessor, SuccessorFound, UpdatePredecessor, UploadEntry,
                                     UploadEntryResponse, Request, Response>;
  NodeName self;
  Bug bug = Bug::none;
  bool joined = false;
  std::optional<NodeName> successor;
  NodeName predecessor;  // itself at first
  std::map<Position, NodeName> fingers;
  std::map<Key, Value> entries;
  std::vector<KeptBack> kept_back;  // in the order of their arrival

  void on(const FindSuccessor& find, gainsay::Context& ctx);
  void on(const SuccessorFound& found, gainsay::Context& ctx);
  void on(const UpdatePredecessor& update, gainsay::Context& ctx);
  void on(const UploadEntry& upload, gainsay::Context& ctx);
  void on(const UploadEntryResponse& response, gainsay::Context& ctx);
  void on(const Request& request, gainsay::Context& ctx);
  void on(const Response& response, gainsay::Context& ctx);

 private:
  bool owns(Key key) const {
    return predecessor != self && between(predecessor.at, position_of(key), self.at);
  }
  bool keeps_back() const { return bug == Bug::none && !joined; }
  void refer_to(const NodeName& other);
  std::optional<NodeName> closest_preceding(Key key) const;
  std::map<Key, Value> hand_over(const NodeName& to);
  void upload(const UploadEntry& upload, gainsay::Context& ctx);
  void look_up(const Request& request, gainsay::Context& ctx);
};

}  // namespace open_chord
