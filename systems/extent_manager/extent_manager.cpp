#include "systems/extent_manager/extent_manager.hpp"

#include <chrono>

namespace extent_manager {

using gainsay::Context;
using gainsay::Ref;
using namespace std::chrono_literals;

// --- the manager ---

static storage::ManagerSettings settings_of(Bug bug) {
  storage::ManagerSettings settings;
  settings.mock_timers = true;
  settings.reports_of_known_nodes_only = bug != Bug::late_report;
  settings.expiry_forgets_extents = bug != Bug::kept_records;
  return settings;
}

ManagerActor::ManagerActor(gainsay::ActorId driver, Bug bug, std::uint32_t losses)
    : engine_(slot_, driver, losses), manager_(engine_, settings_of(bug)) {}

void ManagerActor::on_start(Context& ctx) {
  ctx.after(1s, ExpirationTick{});
  ctx.after(1s, RepairTick{});
}

void ManagerActor::on(const Heartbeat& beat, Context& ctx) {
  const auto loan = slot_.lend(ctx);
  manager_.process_heartbeat(beat.node);
}

void ManagerActor::on(const SyncReport& report, Context& ctx) {
  const auto loan = slot_.lend(ctx);
  manager_.process_sync_report(report.node, report.extents);
}

void ManagerActor::on(const ExpirationTick&, Context& ctx) {
  const auto loan = slot_.lend(ctx);
  manager_.expire_nodes();
  ctx.after(1s, ExpirationTick{});
}

void ManagerActor::on(const RepairTick&, Context& ctx) {
  const auto loan = slot_.lend(ctx);
  manager_.repair_extents();
  ctx.after(1s, RepairTick{});
}

// --- nodes ---

void ExtentNode::on_start(Context& ctx) {
  ctx.after(1s, HeartbeatTick{});
  ctx.after(1s, SyncTick{});
}

void ExtentNode::on(const HeartbeatTick&, Context& ctx) {
  ctx.send(manager, Heartbeat{id});
  ctx.after(1s, HeartbeatTick{});
}

void ExtentNode::on(const SyncTick&, Context& ctx) {
  ctx.send(manager, SyncReport{id, center.sync_report(id)});
  ctx.after(1s, SyncTick{});
}

void ExtentNode::on(const RepairTask& task, Context& ctx) { ctx.send(task.source, CopyRequest{task.extent}); }

void ExtentNode::on(const CopyRequest& request, Context& ctx) {
  const auto held = center.holders().find(request.extent);
  if (held != center.holders().end() && held->second.contains(id)) ctx.reply(CopyResponse{request.extent});
}

void ExtentNode::on(const CopyResponse& response, Context& ctx) {
  center.add(id, response.extent);
  ctx.notify<RepairMonitor>(Repaired{id, response.extent});
  ctx.send(driver, Repaired{id, response.extent});
}

void ExtentNode::on(const Fail&, Context& ctx) {
  ctx.notify<RepairMonitor>(NodeFailed{id});
  ctx.halt();
}

// --- the driver ---

void TestingDriver::on_start(Context& ctx) {
  if (fails_a_node) ctx.after(1s, FailTick{});
}

void TestingDriver::on(const FailTick&, Context& ctx) {
  victim = ctx.choose(static_cast<std::uint32_t>(nodes.size()));
  replicas.remove(*victim);
  ctx.send(nodes[*victim], Fail{});
  const auto id = static_cast<NodeId>(nodes.size());
  nodes.push_back(ctx.spawn("node.new", ExtentNode{.id = id, .manager = manager, .driver = ctx.self()}));
}

void TestingDriver::on(const FromManager& sent, Context& ctx) {
  ctx.send(nodes[sent.node], RepairTask{sent.extent, nodes[sent.source]});
}

void TestingDriver::on(const Repaired& repaired, Context& ctx) {
  if (repaired.node == victim) return;  // it got a copy just before it failed
  replicas.add(repaired.node, repaired.extent);
  if (!replicas.complete(target) || victim.has_value() != fails_a_node) return;
  ctx.send(manager, Shutdown{});
  for (const Ref<ExtentNode> node : nodes) ctx.send(node, Shutdown{});
  ctx.halt();
}

GAINSAY_SCENARIO(extent_manager, "An extent manager that repairs lost replicas, wrapped unchanged", Options) {
  using gainsay::View;
  constexpr std::uint32_t node_count = 3;
  const bool repair = options.driver == Driver::repair;
  const auto driver = world.declare<TestingDriver>("driver");
  const auto manager =
      world.wrap<ManagerActor>("manager", gainsay::ActorId(driver), options.bug, options.losses);
  Replicas replicas;
  const NodeId holder_count = repair ? node_count : 1;
  for (ExtentId extent = 0; extent < options.extents; ++extent) {
    for (NodeId id = 0; id < holder_count; ++id) replicas.add(id, extent);
  }
  const auto nodes = world.group<ExtentNode>("node", node_count, [&](std::size_t i) {
    ExtentNode node{.id = static_cast<NodeId>(i), .manager = manager, .driver = driver};
    for (ExtentId extent = 0; node.id < holder_count && extent < options.extents; ++extent)
      node.center.add(node.id, extent);
    return node;
  });
  world.init(driver, TestingDriver{.fails_a_node = repair,
                                   .manager = manager,
                                   .nodes = {nodes.begin(), nodes.end()},
                                   .replicas = replicas});
  world.monitor<RepairMonitor>("repair", RepairMonitor{.replicas = replicas});
  world.reached("the extent has all its replicas again", [driver, repair](View v) {
    return v[driver].victim.has_value() == repair && v.halted(driver);
  });
}

}  // namespace extent_manager
