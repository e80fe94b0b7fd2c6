// Chord: nodes on a ring of ids find the node that is responsible for a key, as machines.
//
// A node is responsible for the keys from its predecessor's id, exclusive, to its own. Finger i of a node
// covers the ids from its own + 2^i to its own + 2^(i+1), exclusive, and points to the first node at or after
// the beginning of that interval; a node that is not responsible passes a query on to the finger that covers
// the key. A client asks for keys and may have the manager create a new node meanwhile, which takes over keys
// from its successor. Every query must be answered in the end. After Stoica et al., "Chord: A Scalable
// Peer-to-Peer Lookup Service for Internet Applications" (SIGCOMM 2001); roles, messages and the defect follow
// the Chord sample of P# (Deligiannis et al., PLDI 2015), where a key that is no id of the ring is passed on
// for ever.
//
// Where we differ from the sample: nodes do not leave; a new node tells all others of itself instead of waiting
// for them to stabilise.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace chord {

enum class Bug { none, outside_ring };

using Id = std::uint32_t;  // of nodes and keys

struct Node;
struct Client;

// client -> node -> node ...
struct FindSuccessor {
  gainsay::Ref<Client> client;
  Id key = 0;
};
// node -> client; nobody is responsible for a key that is no id of the ring
struct FindSuccessorResponse {
  Id key = 0;
  gainsay::ActorId node = gainsay::nobody;
};
// client -> manager
struct CreateNode {};
// new node -> its successor and back
struct AskForKeys {
  Id node = 0;
};
struct AskForKeysResponse {
  std::set<Id> keys;
};
// new node -> all others
struct NotifyNode {
  Id node = 0;
};

struct Requested {
  Id key = 0;
};
struct Responded {
  Id key = 0;
};
// Every query is answered.
struct Liveness {
  using Observes = gainsay::Messages<Requested, Responded>;
  std::set<Id> open{};

  void on(const Requested& requested) { open.insert(requested.key); }
  void on(const Responded& responded) { open.erase(responded.key); }
  std::string hot() const {
    return open.empty() ? "" : "the query for key " + std::to_string(*open.begin()) + " is not answered";
  }
};

// The nodes that there are, by id.
using Members = std::map<Id, gainsay::Ref<Node>>;

// The first node at or after `id`, going round. REQUIRES: there is a node.
inline Members::const_iterator first_at(const Members& members, Id id) {
  const auto found = members.lower_bound(id);
  return found == members.end() ? members.begin() : found;
}

struct Ready {};

struct Node {
  enum class State { joining, serving };
  using Receives = gainsay::Messages<FindSuccessor, AskForKeys, AskForKeysResponse, NotifyNode>;
  struct Finger {
    Id start = 0;
    Id end = 0;
    Id node = 0;
  };

  gainsay::Machine<State> machine{};
  Id id = 0;
  Id ids = 8;  // how many there are on the ring
  Bug bug = Bug::none;
  Members members{};  // all that it knows of, itself included
  std::set<Id> keys{};
  std::vector<Finger> fingers{};

  static void table(gainsay::Table<Node>& t) {
    t.start(State::joining);
    t.in(State::joining)
        .entry(&Node::join)
        .on<AskForKeysResponse>(&Node::take_over)
        .on<NotifyNode>(&Node::meet)
        .defer<FindSuccessor, AskForKeys>()
        .go_to<Ready>(State::serving);
    t.in(State::serving)
        .on<FindSuccessor>(&Node::find)
        .on<AskForKeys>(&Node::hand_over)
        .on<NotifyNode>(&Node::meet);
  }

  void join(gainsay::Context& ctx);
  void take_over(const AskForKeysResponse& response, gainsay::Context& ctx);
  void hand_over(const AskForKeys& ask, gainsay::Context& ctx);
  void meet(const NotifyNode& notify, gainsay::Context& ctx);
  void find(const FindSuccessor& query, gainsay::Context& ctx);
  void point_fingers();
};

// Creates the node that the client asks for.
struct ClusterManager {
  enum class State { managing };
  using Receives = gainsay::Messages<CreateNode>;

  gainsay::Machine<State> machine{};
  Members members{};
  Id ids = 8;
  Id new_id = 0;
  Bug bug = Bug::none;

  static void table(gainsay::Table<ClusterManager>& t) {
    t.start(State::managing);
    t.in(State::managing).on<CreateNode>(&ClusterManager::create);
  }
  void create(gainsay::Context& ctx) {
    ctx.spawn("new node", Node{.id = new_id, .ids = ids, .bug = bug, .members = members});
  }
};

// Asks for one key after another; early keys of its list are likelier.
struct Client {
  enum class State { asking, done };
  using Receives = gainsay::Messages<FindSuccessorResponse>;

  gainsay::Machine<State> machine{};
  gainsay::Ref<ClusterManager> manager;
  Members members{};
  Id ids = 8;
  Id new_id = 0;
  std::vector<Id> keys{};
  std::uint32_t queries = 1;
  bool created = false;

  static void table(gainsay::Table<Client>& t) {
    t.start(State::asking);
    t.in(State::asking)
        .entry(&Client::ask)
        .on<FindSuccessorResponse>(&Client::answered)
        .may_go_to(State::asking, State::done);
    t.in(State::done).ignore<FindSuccessorResponse>();
  }

  void ask(gainsay::Context& ctx);
  void answered(const FindSuccessorResponse& response, gainsay::Context& ctx);
  bool responsible(Id key, Id node) const;
};

}  // namespace chord
