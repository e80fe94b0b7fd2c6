#include "systems/fabric/fabric.hpp"

#include <algorithm>
#include <chrono>

namespace fabric {

using gainsay::ActorId;
using gainsay::Context;
using gainsay::Ref;

constexpr std::uint32_t replica_count = 3;

// --- replicas ---

void ReplicaRuntime::take(const Op& op) {
  ++lsn;
  user.apply(op);
}

// A request may come again, from a service that does not know whether the last primary answered it.
void ReplicaRuntime::on(const Request& request, Context& ctx) {
  if (role != Role::primary) return;
  const bool is_new = !user.has(request.op.id);
  if (is_new) {
    take(request.op);
    ctx.send(service, Replicate{term, lsn, request.op});
  }
  unanswered.try_emplace(request.op.id, lsn);
  answer_committed(ctx);
}

void ReplicaRuntime::on(const Replicate& replicate, Context& ctx) {
  if (replicate.term < term) return;
  if (replicate.term > term) {  // of a new primary, before its copy
    term = replicate.term;
    built = false;
    queued.clear();
  }
  if (!built) {
    if (bug != Bug::dropped_replication) queued[replicate.lsn] = replicate.op;
    return;
  }
  if (replicate.lsn == lsn + 1) take(replicate.op);
  acknowledge_all(ctx);
}

void ReplicaRuntime::acknowledge_all(Context& ctx) const {
  ctx.send(service, Acknowledge{term, lsn, ctx.self()});
}

void ReplicaRuntime::on(const BuildReplica& build, Context& ctx) {
  ctx.send(ctx.self(*this), CopyMade{{term, build.replica, lsn, user}});
}

void ReplicaRuntime::on(const CopyMade& made, Context& ctx) { ctx.send(service, made.copy); }

// Also for active replicas, when the primary is new: what they lack comes with it.
void ReplicaRuntime::on(const Copy& copy, Context& ctx) {
  if (copy.term < term) return;
  term = copy.term;
  lsn = copy.lsn;
  user = copy.user;
  for (const auto& [number, op] : queued) {
    if (number == lsn + 1) take(op);
  }
  queued.clear();
  if (!built) ctx.send(service, Built{});
  built = true;
  acknowledge_all(ctx);
}

void ReplicaRuntime::on(const ChangeRole& change, Context& ctx) {
  if (change.role == Role::active)
    ctx.check(role != Role::primary, "a replica that is primary is promoted to active secondary");
  role = change.role;
  if (role != Role::primary) return;  // others learn of a term by what its primary sends
  term = change.term;
  built = true;
  queued.clear();
}

void ReplicaRuntime::on(const Acknowledge& acknowledge, Context& ctx) {
  if (role != Role::primary || acknowledge.term != term) return;
  Lsn& known = acknowledged[acknowledge.replica];
  known = std::max(known, acknowledge.lsn);
  for (Lsn number = committed + 1; number <= lsn; ++number) {
    std::uint64_t have = 1;
    for (const auto& [replica, up_to] : acknowledged) have += up_to >= number ? 1 : 0;
    if (paxos::is_majority(have, replica_count)) committed = number;
  }
  answer_committed(ctx);
}

void ReplicaRuntime::answer_committed(Context& ctx) {
  std::erase_if(unanswered, [&](const auto& each) {
    const auto& [op, number] = each;
    if (number > committed) return false;
    ctx.send(service, Answer{op});
    if (user.passes_on()) ctx.send(cluster, Request{ServiceName::total, {op, user.amounts.at(op)}});
    return true;
  });
}

void ReplicaRuntime::on(const Fail&, Context& ctx) {
  ctx.reply(Failed{});
  ctx.halt();
}

// --- services ---

// The third replica is still being built.
void ServiceRuntime::on_start(Context& ctx) {
  for (const auto& [replica, role] : replicas) {
    if (role == Role::idle) ctx.send(primary, BuildReplica{Ref<ReplicaRuntime>(replica)});
  }
}

void ServiceRuntime::on(const Request& request, Context& ctx) {
  open.try_emplace(request.op.id, request);
  if (primary != gainsay::nobody) ctx.send(primary, request);
}

void ServiceRuntime::on(const Answer& answer, Context& ctx) {
  const auto request = open.find(answer.op);
  if (request == open.end()) return;
  if (request->second.client != gainsay::nobody) ctx.send(Ref<Client>(request->second.client), answer);
  open.erase(request);
}

// What a primary sent before it failed is lost with it.
void ServiceRuntime::on(const Replicate& replicate, Context& ctx) {
  if (!from_primary(ctx)) return;
  for (const auto& [replica, role] : replicas) {
    if (replica != primary) ctx.send(Ref<ReplicaRuntime>(replica), replicate);
  }
}

void ServiceRuntime::on(const Acknowledge& acknowledge, Context& ctx) {
  if (primary != gainsay::nobody) ctx.send(primary, acknowledge);
}

void ServiceRuntime::on(const Copy& copy, Context& ctx) {
  if (from_primary(ctx) && replicas.contains(copy.to)) ctx.send(copy.to, copy);
}

void ServiceRuntime::on(const Built&, Context& ctx) {
  const auto built = replicas.find(ctx.sender());
  if (built == replicas.end()) return;
  if (built->second != Role::idle && bug != Bug::promotion) return;
  built->second = Role::active;
  ctx.send(Ref<ReplicaRuntime>(built->first), ChangeRole{Role::active, term});
}

// --- failover ---

void ServiceRuntime::on(const FailPrimary&, Context& ctx) {
  const bool someone_can = std::any_of(replicas.begin(), replicas.end(),
                                       [](const auto& each) { return each.second == Role::active; });
  if (primary != gainsay::nobody && someone_can) ctx.send(primary, Fail{});
}

// Only who has a copy may be elected; of these, who got furthest has all that was committed.
void ServiceRuntime::on(const Failed&, Context& ctx) {
  replicas.erase(ctx.sender());
  primary = {};
  if (bug == Bug::promotion) {
    const auto any = ctx.choose(static_cast<std::uint32_t>(replicas.size()));
    promote(std::next(replicas.begin(), any)->first, ctx);
    return;
  }
  progress.clear();
  candidates = 0;
  for (const auto& [replica, role] : replicas) {
    if (role != Role::active) continue;
    ++candidates;
    ctx.send(Ref<ReplicaRuntime>(replica), GetProgress{});
  }
}

void ServiceRuntime::on(const Progress& told, Context& ctx) {
  progress[ctx.sender()] = told.lsn;
  if (progress.size() < candidates) return;
  const auto best = std::max_element(progress.begin(), progress.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  promote(best->first, ctx);
}

void ServiceRuntime::promote(ActorId replica, Context& ctx) {
  primary = Ref<ReplicaRuntime>(replica);
  replicas[replica] = Role::primary;
  ++term;
  ctx.send(primary, ChangeRole{Role::primary, term});
  const Ref<ReplicaRuntime> joining =
      ctx.spawn("replica.new",
                ReplicaRuntime{.service = ctx.self(*this), .cluster = cluster, .bug = bug, .user = {name}});
  replicas[joining] = Role::idle;
  for (const auto& [each, role] : replicas) {
    if (each != primary) ctx.send(primary, BuildReplica{Ref<ReplicaRuntime>(each)});
  }
  for (const auto& [op, request] : open) ctx.send(primary, request);
}

// --- the cluster and its client ---

void ClusterRuntime::on_start(Context& ctx) {
  if (failures > 0) ctx.after(std::chrono::seconds(1), FailTick{});
}

void ClusterRuntime::on(const FailTick&, Context& ctx) {
  if (--failures > 0) ctx.after(std::chrono::seconds(1), FailTick{});
  const auto name = ctx.choose(2) == 0 ? ServiceName::ingest : ServiceName::total;
  ctx.send(services.at(name), FailPrimary{});
}

void ClusterRuntime::on(const Request& request, Context& ctx) {
  ctx.send(services.at(request.service), request);
}

void Client::on_start(Context& ctx) {
  for (OpId op = 1; op <= requests; ++op)
    ctx.send(cluster, Request{ServiceName::ingest, {op, 10 * op}, ctx.self()});
}

struct Options {
  Bug bug = Bug::none;
  std::uint32_t requests = 3;
  std::uint32_t failures = 1;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "only active secondaries are elected");
    d.value(Bug::promotion,
            "any secondary is elected, also one that waits for its copy and is promoted when that comes");
    d.value(Bug::dropped_replication, "a replica that waits for its copy does not keep what comes before it");
    d.field(&Options::requests, "how many requests the client makes").range(1, 20);
    d.field(&Options::failures, "how often a primary fails").range(0, 9);
    d.field(&Options::order, "delivery order; the model needs at least fifo");
  }
};

GAINSAY_SCENARIO(fabric, "Two chained services on replicas whose primary may fail", Options) {
  using gainsay::Complaint;
  using gainsay::View;

  world.order(options.order);
  const auto cluster = world.declare<ClusterRuntime>("cluster");
  ClusterRuntime runtime{.failures = options.failures};
  for (const ServiceName name : {ServiceName::ingest, ServiceName::total}) {
    const std::string text = name == ServiceName::ingest ? "ingest" : "total";
    const auto service = world.declare<ServiceRuntime>(text);
    runtime.services[name] = service;
    const auto replicas = world.group<ReplicaRuntime>(text + " replica", replica_count, [&](std::size_t i) {
      return ReplicaRuntime{.service = service,
                            .cluster = cluster,
                            .bug = options.bug,
                            .role = i == 0   ? Role::primary
                                    : i == 1 ? Role::active
                                             : Role::idle,
                            .built = i < 2,
                            .user = {name}};
    });
    ServiceRuntime managing{.name = name, .cluster = cluster, .bug = options.bug, .primary = replicas[0]};
    managing.replicas = {
        {replicas[0], Role::primary}, {replicas[1], Role::active}, {replicas[2], Role::idle}};
    world.init(service, managing);
  }
  world.init(cluster, runtime);
  const auto client = world.spawn("client", Client{.cluster = cluster, .requests = options.requests});

  const auto services = runtime.services;
  // Nobody is idle, all have what was answered, and nothing else.
  world.finally("replicas agree", [=](View v) -> Complaint {
    for (const auto& [name, service] : services) {
      for (const auto& [id, role] : v[service].replicas) {
        const ReplicaRuntime& replica = v[Ref<ReplicaRuntime>(id)];
        if (replica.role == Role::idle) return "a replica has never got its copy";
        for (const OpId op : v[client].answered) {
          if (!replica.user.has(op)) return "a replica lacks operation " + std::to_string(op);
        }
        if (replica.user.amounts != v[v[service].primary].user.amounts)
          return "a replica and its primary hold different amounts";
      }
    }
    return {};
  });
  world.reached("a primary has been replaced", [=](View v) {
    for (const auto& [name, service] : services) {
      if (v[service].term > 1 && v[service].primary != gainsay::nobody) return true;
    }
    return options.failures == 0;
  });
}

}  // namespace fabric
