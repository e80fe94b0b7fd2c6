#include "systems/replicating_storage/replicating_storage.hpp"

#include <chrono>

namespace replicating_storage {

using gainsay::Context;
using namespace std::chrono_literals;

// --- the manager ---

void NodeManager::on_start(Context& ctx) { ctx.after(1s, RepairTick{}); }

void NodeManager::on(const Request& request, Context& ctx) {
  data += request.command;
  for (const auto& [id, node] : nodes) ctx.send(node, StoreRequest{data});
}

// The report of a node that was removed would bring it back into the records, where nothing removes it again.
void NodeManager::on(const SyncReport& report, Context& ctx) {
  if (bug == Bug::late_report || nodes.contains(report.node)) reported[report.node] = report.data;
  asked.erase(report.node);
  ctx.reply(SyncTaken{});
}

void NodeManager::on(const NotifyFailure& failure, Context& ctx) {
  nodes.erase(failure.node);
  reported.erase(failure.node);
  const NodeId id = next++;
  nodes[id] =
      ctx.spawn("node.new", StorageNode{.id = id, .manager = ctx.self(*this), .environment = environment});
}

void NodeManager::on(const RepairTick&, Context& ctx) {
  ctx.after(1s, RepairTick{});
  Data latest = 0;
  for (const auto& [id, held] : reported) latest = std::max(latest, held);
  std::uint32_t copies = 0;
  for (const auto& [id, held] : reported) copies += held == latest ? 1 : 0;
  for (const auto& [id, held] : reported) {
    if (copies >= replicas) return;
    if (held == latest) continue;
    if (nodes.contains(id) && asked.insert(id).second) ctx.send(nodes.at(id), SyncRequest{latest});
    ++copies;
  }
}

void NodeManager::on(const ShutDown& shut_down, Context& ctx) {
  for (const auto& [id, node] : nodes) ctx.send(node, shut_down);
  ctx.halt();
}

// --- nodes ---

void StorageNode::on_start(Context& ctx) {
  ctx.notify<Repair>(Updated{id, data});
  ctx.after(1s, SyncTick{});
}

void StorageNode::hold(Data newer, Context& ctx) {
  if (newer <= data) return;
  data = newer;
  ctx.notify<Repair>(Updated{id, data});
  ctx.send(environment, Updated{id, data});
}

void StorageNode::on(const SyncTick&, Context& ctx) { ctx.send(manager, SyncReport{id, data}); }

void StorageNode::on(const SyncTaken&, Context& ctx) { ctx.after(1s, SyncTick{}); }

void StorageNode::on(const FaultInject&, Context& ctx) {
  ctx.notify<Repair>(Failed{id});
  ctx.halt();
}

// --- the environment ---

void Environment::on_start(Context& ctx) { ctx.after(1s, FailureTick{}); }

void Environment::on(const FailureTick&, Context& ctx) {
  victim = ctx.choose(static_cast<std::uint32_t>(nodes.size()));
  living.erase(*victim);
  ctx.send(nodes[*victim], FaultInject{});
  ctx.send(manager, NotifyFailure{*victim});
}

// Data only grows and the client asks once, so what three nodes hold is final.
void Environment::on(const Updated& updated, Context& ctx) {
  if (updated.node == victim) return;
  living[updated.node] = updated.data;
  if (!victim.has_value() || agreeing(living) < replicas) return;
  ctx.send(manager, ShutDown{});
  ctx.halt();
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t replicas = 3;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "the manager ignores reports of nodes that it has removed");
    d.value(Bug::late_report,
            "a report of a node that has failed is taken: the node counts as a replica for ever");
    d.field(&Options::replicas, "how many nodes hold the data").range(2, 7);
    d.field(&Options::order, "delivery order");
  }
};

GAINSAY_SCENARIO(replicating_storage, "A node manager that repairs the data of a failed node", Options) {
  world.order(options.order);
  const std::uint32_t n = options.replicas;
  const auto manager = world.declare<NodeManager>("manager");
  const auto environment = world.declare<Environment>("environment");
  const auto nodes = world.group<StorageNode>("node", n, [&](std::size_t i) {
    return StorageNode{.id = static_cast<NodeId>(i), .manager = manager, .environment = environment};
  });
  NodeManager managing{.environment = environment, .bug = options.bug, .replicas = n, .next = n};
  Repair repair{.replicas = n};
  for (NodeId i = 0; i < n; ++i) {
    managing.nodes[i] = nodes[i];
    repair.living[i] = 0;
  }
  world.init(manager, managing);
  world.init(environment, Environment{.manager = manager, .nodes = nodes, .replicas = n});
  world.spawn("client", Client{.manager = manager});

  world.monitor<Repair>("repair", repair);
  world.reached("the data has all its replicas again", environment,
                [environment](gainsay::View v) { return v.halted(environment); });
}

}  // namespace replicating_storage
