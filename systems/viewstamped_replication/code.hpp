// The implementation (component/, plain C++) wrapped in actors, twice: as a value, which is restored from its image
// for each event and saved after it, and as the object that it is.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/viewstamped_replication/component/replica.hpp"
#include "systems/viewstamped_replication/model.hpp"

namespace viewstamped_replication {

// --- to oneself
struct ElectionTimer {};
struct WriteRequest {};
struct MembersRequest {};

using replog::Packet;

// The component's network: what it sends becomes messages of the handler at hand.
template <class Actor> class ActorNetwork final : public replog::Network {
 public:
  void use(gainsay::Context* context) { context_ = context; }
  void send(replog::NodeId to, const Packet& packet) override {
    context_->send(gainsay::Ref<Actor>(gainsay::ActorId{to}), packet);
  }

 private:
  gainsay::Context* context_ = nullptr;
};

std::shared_ptr<const replog::ClusterSettings> cluster_settings(const Constants& constants);

// What both wrappers do with an event.
template <class Actor> void handle(replog::Replica& replica, const Packet& packet, gainsay::Context& ctx) {
  replica.receive(static_cast<replog::NodeId>(ctx.sender().raw), packet);
}
template <class Actor>
void handle(replog::Replica& replica, const ElectionTimer& again, gainsay::Context& ctx) {
  ctx.send(gainsay::Ref<Actor>(ctx.self()), again);
  replica.election_timer_fired();
}
template <class Actor>
void handle(replog::Replica& replica, const WriteRequest& again, gainsay::Context& ctx) {
  ctx.send(gainsay::Ref<Actor>(ctx.self()), again);
  replica.write();
}
template <class Actor>
void handle(replog::Replica& replica, const MembersRequest& again, gainsay::Context& ctx) {
  ctx.send(gainsay::Ref<Actor>(ctx.self()), again);
  replica.change_members();
}
// What the node would throw away is delivered all the same, unless stale messages are kept.
inline bool ready(const replog::Replica& replica, const Packet& packet, Stale stale) {
  return replica.ready_for(packet) && (stale == Stale::delivered || !replica.ignores(packet));
}
inline bool ready(const replog::Replica& replica, const ElectionTimer&, Stale) {
  return replica.election_timer_runs();
}
inline bool ready(const replog::Replica& replica, const WriteRequest&, Stale) { return replica.can_write(); }
inline bool ready(const replog::Replica& replica, const MembersRequest&, Stale) {
  return replica.can_change_members();
}

// A value actor.
struct SavedReplica {
  using Receives = gainsay::Messages<Packet, ElectionTimer, WriteRequest, MembersRequest>;
  replog::NodeId self = 0;
  Constants constants;
  std::string image;

  static SavedReplica make(replog::NodeId self, const Constants& constants) {
    SavedReplica saved{self, constants, {}};
    ActorNetwork<SavedReplica> network;
    saved.image = replog::Replica(self, cluster_settings(constants), network).save();
    return saved;
  }
  template <class Use> auto with(replog::Network& network, Use use) const {
    replog::Replica replica(self, cluster_settings(constants), network);
    replica.restore(image);
    return use(replica);
  }
  template <class M> bool ask(const M& message) const {
    ActorNetwork<SavedReplica> network;
    return with(network,
                [&](const replog::Replica& replica) { return ready(replica, message, constants.stale); });
  }
  template <class M> void run(const M& message, gainsay::Context& ctx) {
    ActorNetwork<SavedReplica> network;
    network.use(&ctx);
    image = with(network, [&](replog::Replica& replica) {
      handle<SavedReplica>(replica, message, ctx);
      return replica.save();
    });
  }

  bool accepts(const Packet& packet) const { return ask(packet); }
  bool accepts(const ElectionTimer& timer) const { return ask(timer); }
  bool accepts(const WriteRequest& request) const { return ask(request); }
  bool accepts(const MembersRequest& request) const { return ask(request); }
  void on(const Packet& packet, gainsay::Context& ctx) { run(packet, ctx); }
  void on(const ElectionTimer& timer, gainsay::Context& ctx) { run(timer, ctx); }
  void on(const WriteRequest& request, gainsay::Context& ctx) { run(request, ctx); }
  void on(const MembersRequest& request, gainsay::Context& ctx) { run(request, ctx); }
};

// An opaque actor.
class LiveReplica {
 public:
  using Receives = gainsay::Messages<Packet, ElectionTimer, WriteRequest, MembersRequest>;
  LiveReplica(replog::NodeId self, std::shared_ptr<const replog::ClusterSettings> settings, Stale stale)
      : network_(std::make_unique<ActorNetwork<LiveReplica>>()),
        replica_(self, std::move(settings), *network_),
        stale_(stale) {}

  bool accepts(const Packet& packet) const { return ready(replica_, packet, stale_); }
  bool accepts(const ElectionTimer& timer) const { return ready(replica_, timer, stale_); }
  bool accepts(const WriteRequest& request) const { return ready(replica_, request, stale_); }
  bool accepts(const MembersRequest& request) const { return ready(replica_, request, stale_); }
  void on(const Packet& packet, gainsay::Context& ctx) { run(packet, ctx); }
  void on(const ElectionTimer& timer, gainsay::Context& ctx) { run(timer, ctx); }
  void on(const WriteRequest& request, gainsay::Context& ctx) { run(request, ctx); }
  void on(const MembersRequest& request, gainsay::Context& ctx) { run(request, ctx); }

  const replog::Replica& replica() const { return replica_; }

 private:
  template <class M> void run(const M& message, gainsay::Context& ctx) {
    network_->use(&ctx);
    handle<LiveReplica>(replica_, message, ctx);
  }

  std::unique_ptr<ActorNetwork<LiveReplica>> network_;
  replog::Replica replica_;
  Stale stale_;
};

// What is compared of a replica.
struct ReplicaView {
  Status status = Status::idle;
  ViewId current{};
  Log log{};
  Number commit = 0;
  gainsay::ActorId download;
  Number catchup = 0;
  bool phase2 = false;
  Position witnessed{};
};
ReplicaView view_of(const Replica& model);
ReplicaView view_of(const replog::Replica& replica);

}  // namespace viewstamped_replication
