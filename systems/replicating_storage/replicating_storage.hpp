// A store that keeps its data on three nodes and repairs what a failing node takes with it.
//
// The node manager passes a client's request on to every node, hears from each node what it holds (sync
// reports, sent whenever the node's timer fires), and now and then has nodes that are behind brought up to date.
// The environment lets one node fail and tells the manager, which replaces it by an empty one. In the end three
// living nodes must hold the same data. Roles, messages and the defect are those of the ReplicatingStorage
// sample of P# (Deligiannis et al., "Asynchronous Programming, Analysis and Testing with State Machines", PLDI
// 2015); it is a small sibling of systems/extent_manager, whose manager is wrapped production code.
//
// Where we differ from the sample: a store request carries the sum of all commands, not the last one, so that
// data only grows; timers are those of the world instead of machines that flip coins, and nobody sends the same
// thing twice before it was taken, so that unfair schedules do not pile up messages; the environment ends the test
// when the data has its replicas again, where the sample goes on until a bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "gainsay/gainsay.hpp"

namespace replicating_storage {

enum class Bug { none, late_report };

using NodeId = std::uint32_t;
using Data = std::uint32_t;

struct StorageNode;

// client -> manager
struct Request {
  Data command = 0;
};
// manager -> node
struct StoreRequest {
  Data data = 0;
};
struct SyncRequest {
  Data data = 0;
};
// node -> manager
struct SyncReport {
  NodeId node = 0;
  Data data = 0;
};
// manager -> node: the report was taken, the next one may come
struct SyncTaken {};
// environment -> node, and -> manager
struct FaultInject {};
struct NotifyFailure {
  NodeId node = 0;
};
// node -> environment and monitor: it holds this now
struct Updated {
  NodeId node = 0;
  Data data = 0;
};
// node -> monitor
struct Failed {
  NodeId node = 0;
};
// environment -> manager -> node
struct ShutDown {};
// timers
struct SyncTick {};
struct RepairTick {};
struct FailureTick {};

// How many of the nodes hold what most of them hold.
inline std::uint32_t agreeing(const std::map<NodeId, Data>& nodes) {
  std::map<Data, std::uint32_t> holders;
  std::uint32_t most = 0;
  for (const auto& [node, data] : nodes) most = std::max(most, ++holders[data]);
  return most;
}

// Hot while fewer living nodes than there should be agree on the data.
struct Repair {
  using Observes = gainsay::Messages<Updated, Failed>;
  std::uint32_t replicas = 3;
  std::map<NodeId, Data> living{};

  void on(const Updated& updated) { living[updated.node] = updated.data; }
  void on(const Failed& failed) { living.erase(failed.node); }
  std::string hot() const {
    const std::uint32_t agree = agreeing(living);
    if (agree >= replicas) return "";
    return "only " + std::to_string(agree) + " living nodes hold the same data";
  }
};

struct NodeManager {
  using Receives = gainsay::Messages<Request, SyncReport, NotifyFailure, RepairTick, ShutDown>;
  gainsay::ActorId environment{};
  std::map<NodeId, gainsay::Ref<StorageNode>> nodes{};  // that live
  Bug bug = Bug::none;
  std::uint32_t replicas = 3;
  NodeId next = 3;
  Data data = 0;                      // all that was asked for
  std::map<NodeId, Data> reported{};  // what each node was last known to hold
  std::set<NodeId> asked{};           // to sync, and have not reported since

  void on_start(gainsay::Context& ctx);
  void on(const Request& request, gainsay::Context& ctx);
  void on(const SyncReport& report, gainsay::Context& ctx);
  void on(const NotifyFailure& failure, gainsay::Context& ctx);
  void on(const RepairTick&, gainsay::Context& ctx);
  void on(const ShutDown& shut_down, gainsay::Context& ctx);
};

struct StorageNode {
  using Receives = gainsay::Messages<StoreRequest, SyncRequest, SyncTick, SyncTaken, FaultInject, ShutDown>;
  NodeId id = 0;
  gainsay::Ref<NodeManager> manager{};
  gainsay::ActorId environment{};
  Data data = 0;

  void on_start(gainsay::Context& ctx);
  void on(const StoreRequest& request, gainsay::Context& ctx) { hold(request.data, ctx); }
  void on(const SyncRequest& request, gainsay::Context& ctx) { hold(request.data, ctx); }
  void on(const SyncTick&, gainsay::Context& ctx);
  void on(const SyncTaken&, gainsay::Context& ctx);
  void on(const FaultInject&, gainsay::Context& ctx);
  void on(const ShutDown&, gainsay::Context& ctx) { ctx.halt(); }
  void hold(Data newer, gainsay::Context& ctx);
};

struct Client {
  using Receives = gainsay::Messages<>;
  gainsay::Ref<NodeManager> manager{};
  void on_start(gainsay::Context& ctx) { ctx.send(manager, Request{1 + ctx.choose(2)}); }
};

// Lets one node fail, and ends the test when the data that the client sent has its replicas again.
struct Environment {
  using Receives = gainsay::Messages<FailureTick, Updated>;
  gainsay::Ref<NodeManager> manager{};
  gainsay::Group<StorageNode> nodes{};
  std::uint32_t replicas = 3;
  std::map<NodeId, Data> living{};
  std::optional<NodeId> victim{};

  void on_start(gainsay::Context& ctx);
  void on(const FailureTick&, gainsay::Context& ctx);
  void on(const Updated& updated, gainsay::Context& ctx);
};

}  // namespace replicating_storage
