#include "systems/chord/chord.hpp"

#include <algorithm>

namespace chord {

using gainsay::Context;

// --- nodes

void Node::join(Context& ctx) {
  const bool founder = members.contains(id);
  members[id] = ctx.self(*this);
  point_fingers();
  if (founder) {
    ctx.raise(Ready{});
  } else {
    ctx.send(members.at(fingers.front().node), AskForKeys{id});
  }
}

// Finger i points to the first node at or after its start; of a new node's own fingers, the first to another.
void Node::point_fingers() {
  fingers.clear();
  Members others = members;
  if (others.size() > 1 && keys.empty()) others.erase(id);
  for (Id distance = 1; distance < ids; distance *= 2) {
    const Id start = (id + distance) % ids;
    fingers.push_back({start, (id + 2 * distance) % ids, first_at(others, start)->first});
  }
}

void Node::take_over(const AskForKeysResponse& response, Context& ctx) {
  keys = response.keys;
  point_fingers();
  for (const auto& [other, node] : members) {
    if (other != id) ctx.send(node, NotifyNode{id});
  }
  ctx.raise(Ready{});
}

// The new node gets the keys up to its own id, going round from it to here.
void Node::hand_over(const AskForKeys& ask, Context& ctx) {
  const auto behind = [&](Id key) { return (id + ids - key) % ids; };
  std::set<Id> theirs;
  for (const Id key : keys) {
    if (behind(key) >= behind(ask.node)) theirs.insert(key);
  }
  for (const Id key : theirs) keys.erase(key);
  members[ask.node] = gainsay::Ref<Node>(ctx.sender());
  point_fingers();
  ctx.reply(AskForKeysResponse{theirs});
}

void Node::meet(const NotifyNode& notify, Context& ctx) {
  members[notify.node] = gainsay::Ref<Node>(ctx.sender());
  point_fingers();
}

void Node::find(const FindSuccessor& query, Context& ctx) {
  const Id key = query.key;
  if (key >= ids && bug != Bug::outside_ring) {
    ctx.send(query.client, FindSuccessorResponse{key, gainsay::nobody});
    return;
  }
  if (keys.contains(key)) {
    ctx.send(query.client, FindSuccessorResponse{key, ctx.self()});
    return;
  }
  const auto covers = [&](const Finger& finger) {
    return finger.start < finger.end ? finger.start <= key && key < finger.end
                                     : finger.start <= key || key < finger.end;
  };
  const auto finger = std::find_if(fingers.begin(), fingers.end(), covers);
  // What a finger to oneself covers is one's own, or is no id of the ring.
  const bool elsewhere = finger != fingers.end() && finger->node != id;
  const Id next = elsewhere ? finger->node : fingers.front().node;
  ctx.send(members.at(next), query);
}

// --- the client

void Client::ask(Context& ctx) {
  --queries;
  if (!created && ctx.flip()) {
    created = true;
    ctx.send(manager, CreateNode{});
  }
  std::size_t index = 0;
  while (index + 1 < keys.size() && ctx.flip()) ++index;
  auto entry = members.begin();
  std::advance(entry, ctx.choose(static_cast<std::uint32_t>(members.size())));
  ctx.notify<Liveness>(Requested{keys[index]});
  ctx.send(entry->second, FindSuccessor{ctx.self(*this), keys[index]});
}

// Of a key that the new node takes over, the node that had it before was responsible a while ago.
bool Client::responsible(Id key, Id node) const {
  Members with_new = members;
  with_new[new_id] = {};
  return first_at(members, key)->first == node || (created && first_at(with_new, key)->first == node);
}

void Client::answered(const FindSuccessorResponse& response, Context& ctx) {
  ctx.notify<Liveness>(Responded{response.key});
  Id node = new_id;
  for (const auto& [id, ref] : members) {
    if (ref == response.node) node = id;
  }
  const bool right = response.key >= ids ? response.node == gainsay::nobody : responsible(response.key, node);
  ctx.check(right, [&] { return "the wrong node answers for key " + std::to_string(response.key); });
  ctx.go_to(queries > 0 ? State::asking : State::done);
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t nodes = 3;
  std::uint32_t queries = 2;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a query for a key that is not an id of the ring is answered immediately");
    d.value(Bug::outside_ring,
            "a query for a key that is not an id of the ring is forwarded for ever (liveness)");
    d.field(&Options::nodes, "how many nodes form the ring; 3: ids 0, 1, 3; 5: also 5 and 7").range(2, 5);
    d.field(&Options::queries, "how many keys the client asks for").range(1, 10);
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(chord, "Nodes on a ring find who is responsible for a key while a node joins", Options) {
  using gainsay::View;
  constexpr Id ids = 8;
  constexpr Id new_id = 6;
  constexpr Id all_nodes[] = {0, 1, 3, 5, 7};

  world.order(options.order);
  const auto nodes = world.declare<Node>("node", options.nodes);
  Members members;
  for (std::size_t i = 0; i < nodes.size(); ++i) members[all_nodes[i]] = nodes[i];
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node node{.id = all_nodes[i], .ids = ids, .bug = options.bug, .members = members};
    for (Id key = 0; key < ids; ++key) {
      if (first_at(members, key)->first == node.id) node.keys.insert(key);
    }
    world.init(nodes[i], node);
  }
  const auto manager = world.spawn(
      "manager", ClusterManager{.members = members, .ids = ids, .new_id = new_id, .bug = options.bug});
  const auto client = world.spawn("client", Client{.manager = manager,
                                                   .members = members,
                                                   .ids = ids,
                                                   .new_id = new_id,
                                                   .keys = {1, 2, 6, 17},
                                                   .queries = options.queries});

  world.monitor<Liveness>("queries are answered");
  world.reached("all queries are answered", client,
                [=](View v) { return v[client].machine.state == Client::State::done; });
}

}  // namespace chord
