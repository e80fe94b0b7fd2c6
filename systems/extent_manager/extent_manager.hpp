// The extent manager (component/, plain C++) wrapped in an actor, with mocked nodes, a testing driver and a
// repair monitor: figures 4 to 7 of Deligiannis et al. (see README.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "gainsay/gainsay.hpp"
#include "systems/extent_manager/component/extent_manager.hpp"

namespace extent_manager {

using storage::ExtentId;
using storage::NodeId;

enum class Bug { none, late_report, kept_records };
enum class Driver { replicate, repair };

struct Options {
  Bug bug = Bug::none;
  Driver driver = Driver::repair;
  std::uint32_t extents = 1;
  std::uint32_t losses = 0;
  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::driver,
            "replicate: the extents are on one of three nodes; repair: one of three holders fails");
    d.field(&Options::extents, "how many extents there are").range(1, 16);
    d.field(&Options::losses, "how many repair tasks the network may lose").range(0, 100);
    d.value(Bug::late_report,
            "a sync report of a node that has expired is taken: the node counts as a replica for ever");
    d.value(Bug::kept_records, "a node that expires stays on record as a holder");
  }
};

struct ExtentNode;

struct Heartbeat {
  NodeId node = 0;
};
struct SyncReport {
  NodeId node = 0;
  std::vector<ExtentId> extents;
};
struct ExpirationTick {};
struct RepairTick {};
struct HeartbeatTick {};
struct SyncTick {};
struct FailTick {};
struct FromManager {  // intercepted on its way out of the manager
  NodeId node = 0;
  ExtentId extent = 0;
  NodeId source = 0;
};
struct RepairTask {
  ExtentId extent = 0;
  gainsay::ActorId source;
};
struct CopyRequest {
  ExtentId extent = 0;
};
struct CopyResponse {
  ExtentId extent = 0;
};
struct Fail {};
struct Repaired {
  NodeId node = 0;
  ExtentId extent = 0;
};
struct Shutdown {};
struct NodeFailed {
  NodeId node = 0;
};

// Which living nodes hold which extent, in truth.
struct Replicas {
  std::map<ExtentId, std::set<NodeId>> holders;
  void add(NodeId node, ExtentId extent) { holders[extent].insert(node); }
  void remove(NodeId node) {
    for (auto& [extent, nodes] : holders) nodes.erase(node);
  }
  bool complete(std::size_t target) const {
    return std::all_of(holders.begin(), holders.end(),
                       [&](const auto& held) { return held.second.size() >= target; });
  }
};

// Figure 7. Hot whenever fewer nodes than the target hold some extent.
struct RepairMonitor {
  using Observes = gainsay::Messages<NodeFailed, Repaired>;
  std::size_t target = 3;
  Replicas replicas;
  void on(const NodeFailed& failed) { replicas.remove(failed.node); }
  void on(const Repaired& repaired) { replicas.add(repaired.node, repaired.extent); }
  bool hot() const { return !replicas.complete(target); }
};

struct TestingDriver;

// Figures 4 and 5: the real manager, its network mocked and its timers off.
class ManagerActor {
 public:
  using Receives = gainsay::Messages<Heartbeat, SyncReport, ExpirationTick, RepairTick, Shutdown>;
  ManagerActor(gainsay::ActorId driver, Bug bug, std::uint32_t losses);

  void on_start(gainsay::Context& ctx);
  void on(const Heartbeat& beat, gainsay::Context& ctx);
  void on(const SyncReport& report, gainsay::Context& ctx);
  void on(const ExpirationTick&, gainsay::Context& ctx);
  void on(const RepairTick&, gainsay::Context& ctx);
  void on(const Shutdown&, gainsay::Context& ctx) { ctx.halt(); }

  const storage::ExtentManager& manager() const { return manager_; }

 private:
  class MockedEngine final : public storage::NetworkEngine {
   public:
    MockedEngine(gainsay::ContextSlot& slot, gainsay::ActorId driver, std::uint32_t losses)
        : slot_(slot), driver_(driver), losses_(losses) {}
    void send_repair_task(NodeId node, ExtentId extent, NodeId source) override {
      if (losses_ > 0 && slot_->choose(2) == 1) {
        --losses_;
        return;
      }
      slot_->send(driver_, FromManager{node, extent, source});
    }

   private:
    gainsay::ContextSlot& slot_;
    gainsay::ActorId driver_;
    std::uint32_t losses_;  // that are left
  };

  gainsay::ContextSlot slot_;
  MockedEngine engine_;
  storage::ExtentManager manager_;
};

// A node's own extent center: the component's, as a value.
struct NodeExtents : storage::ExtentCenter {
  auto members() const { return std::tie(holders()); }
};

// Figure 6: a node, mocked down to what the manager notices of it. It keeps its extents in the component's center.
struct ExtentNode {
  using Receives =
      gainsay::Messages<HeartbeatTick, SyncTick, RepairTask, CopyRequest, CopyResponse, Fail, Shutdown>;
  NodeId id = 0;
  gainsay::Ref<ManagerActor> manager;
  gainsay::ActorId driver;
  NodeExtents center;

  void on_start(gainsay::Context& ctx);
  void on(const HeartbeatTick&, gainsay::Context& ctx);
  void on(const SyncTick&, gainsay::Context& ctx);
  void on(const RepairTask& task, gainsay::Context& ctx);
  void on(const CopyRequest& request, gainsay::Context& ctx);
  void on(const CopyResponse& response, gainsay::Context& ctx);
  void on(const Fail&, gainsay::Context& ctx);
  void on(const Shutdown&, gainsay::Context& ctx) { ctx.halt(); }
};

// Relays what the manager sends; lets a node fail and launches a new one; ends the test when every extent has
// all its replicas.
struct TestingDriver {
  using Receives = gainsay::Messages<FromManager, FailTick, Repaired>;
  bool fails_a_node = false;
  std::size_t target = 3;
  gainsay::Ref<ManagerActor> manager;
  std::vector<gainsay::Ref<ExtentNode>> nodes;
  Replicas replicas;
  std::optional<NodeId> victim;

  void on_start(gainsay::Context& ctx);
  void on(const FailTick&, gainsay::Context& ctx);
  void on(const FromManager& sent, gainsay::Context& ctx);
  void on(const Repaired& repaired, gainsay::Context& ctx);
};

}  // namespace extent_manager
