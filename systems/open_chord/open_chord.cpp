#include "systems/open_chord/open_chord.hpp"

namespace open_chord {

// --- joining ---

// As implemented, the table of references is copied to be changed, and a copy has itself as predecessor.
void Node::refer_to(const NodeName& other) {
  if (bug != Bug::none) predecessor = self;
  successor = other;
  fingers[other.at] = other;
}

// With two nodes, whoever is asked is alone.
void Node::on(const FindSuccessor& find, gainsay::Context& ctx) {
  const std::map<Key, Value> theirs = bug == Bug::none ? hand_over(find.who) : std::map<Key, Value>{};
  ctx.send(find.who.node, SuccessorFound{self, theirs});
  ctx.send(find.who.node, UpdatePredecessor{self});
  refer_to(find.who);
  predecessor = find.who;
}

// What lies between oneself and the new node is the new node's.
std::map<Key, Value> Node::hand_over(const NodeName& to) {
  std::map<Key, Value> theirs;
  for (auto entry = entries.begin(); entry != entries.end();) {
    if (between(self.at, position_of(entry->first), to.at)) {
      theirs.insert(*entry);
      entry = entries.erase(entry);
    } else {
      ++entry;
    }
  }
  return theirs;
}

void Node::on(const SuccessorFound& found, gainsay::Context& ctx) {
  refer_to(found.successor);
  if (bug != Bug::none) return;
  // On a ring of two the successor is the predecessor as well.
  predecessor = found.successor;
  entries = found.entries;
  joined = true;
  for (const KeptBack& each : kept_back) {
    if (each.upload) {
      upload({each.request.key, *each.upload, each.request.client}, ctx);
    } else {
      look_up(each.request, ctx);
    }
  }
  kept_back.clear();
}

void Node::on(const UpdatePredecessor& update, gainsay::Context&) {
  if (predecessor == self || between(predecessor.at, update.predecessor.at, self.at))
    predecessor = update.predecessor;
}

// --- operations ---

// The best of the known nodes on the way to the key.
std::optional<NodeName> Node::closest_preceding(Key key) const {
  const Position at = position_of(key);
  std::optional<NodeName> best;
  const auto offer = [&](const NodeName& node) {
    if (!best || between(best->at, node.at, at)) best = node;
  };
  for (const auto& [where, finger] : fingers) {
    if (between(self.at, where, at)) offer(finger);
  }
  if (successor && !between(self.at, at, successor->at)) offer(*successor);
  if (predecessor != self && between(predecessor.at, at, self.at)) offer(predecessor);
  return best;
}

void Node::on(const UploadEntry& entry, gainsay::Context& ctx) {
  if (ctx.sender() == entry.client) ctx.invoke_for(entry.client, ds2::MapSpec::Put{entry.key, entry.value});
  if (keeps_back()) {
    kept_back.push_back({{entry.key, entry.client, self.node}, entry.value});
  } else {
    upload(entry, ctx);
  }
}

void Node::upload(const UploadEntry& entry, gainsay::Context& ctx) {
  const std::optional<NodeName> closest = closest_preceding(entry.key);
  if (!owns(entry.key) && closest) {
    ctx.send(closest->node, entry);
  } else if (!owns(entry.key) && successor) {
    ctx.send(successor->node, entry);
  } else {
    entries[entry.key] = entry.value;
    ctx.send(self.node, UploadEntryResponse{entry.key, entry.client});
  }
}

void Node::on(const UploadEntryResponse& response, gainsay::Context& ctx) {
  ctx.complete_for(response.client, gainsay::specs::Done{});
}

void Node::on(const Request& request, gainsay::Context& ctx) {
  Request with_origin = request;
  if (ctx.sender() == request.client) {
    ctx.invoke_for(request.client, ds2::MapSpec::Get{request.key});
    with_origin.origin = self.node;
  }
  if (keeps_back()) {
    kept_back.push_back({with_origin, std::nullopt});
  } else {
    look_up(with_origin, ctx);
  }
}

void Node::look_up(const Request& request, gainsay::Context& ctx) {
  const std::optional<NodeName> closest = closest_preceding(request.key);
  if (owns(request.key) || (!closest && !successor)) {
    const auto found = entries.find(request.key);
    ctx.send(gainsay::Ref<Node>(request.origin),
             Response{request.key, found == entries.end() ? Value{} : found->second, request.client});
  } else if (successor && between(self.at, position_of(request.key), successor->at)) {
    ctx.send(successor->node, request);
  } else {
    ctx.send(closest ? closest->node : successor->node, request);
  }
}

void Node::on(const Response& response, gainsay::Context& ctx) {
  ctx.complete_for(response.client, response.value);
}

struct Options {
  Bug bug = Bug::none;
  std::string harness = "2r+1w";

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "a node serves nobody until it has joined and has been given its entries");
    d.value(Bug::serves_before_join, "a node that has not joined yet takes every key for its own");
    d.field(&Options::harness, "the operations of the clients: 2r+1w, 2r+2w, ...");
  }
};

GAINSAY_SCENARIO(open_chord, "DS2's Open Chord: a map on a ring that a second node joins", Options) {
  const auto nodes = world.group<Node>("node", 2, [&](std::size_t i, gainsay::Group<Node> all) {
    const NodeName self{all[i], static_cast<Position>(100 * (i + 1))};
    return Node{.self = self, .bug = options.bug, .joined = i == 0, .predecessor = self};
  });
  world.send_from(nodes[1], nodes[0], FindSuccessor{{nodes[1], 200}});
  ds2::send_operations(
      world, options.harness, nodes,
      [&](const ds2::Operation& operation, gainsay::ActorId client, gainsay::Ref<Node> node) {
        const Key key = ds2::key_of(operation);
        if (operation.writes) {
          world.send_from(client, node, UploadEntry{key, ds2::value_of(operation), client});
        } else {
          world.send_from(client, node, Request{key, client});
        }
      });
  world.linearizable<ds2::MapSpec>();
  // As in the paper's harness of LiViola: the messages of a join are about no key, although they decide who owns one.
  world.key<UploadEntry>([](const UploadEntry& m) { return m.key; });
  world.key<UploadEntryResponse>([](const UploadEntryResponse& m) { return m.key; });
  world.read_key<Request>([](const Request& m) { return m.key; });
  world.key<Response>([](const Response& m) { return m.key; });
}

}  // namespace open_chord
