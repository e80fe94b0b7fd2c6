#include <algorithm>
#include <string>
#include <vector>

#include "systems/fabric/cluster_runtime.hpp"
#include "systems/fabric/cscale.hpp"
#include "systems/fabric/key_value.hpp"
#include "systems/fabric/service_runtime.hpp"

namespace fabric {

using gainsay::ActorId;
using gainsay::Complaint;
using gainsay::Ref;
using gainsay::View;

enum class Bug { none, promotion, dropped_replication, false_progress, early_answer, null_index };
enum class ServiceKind { key_value, cscale };

struct Options {
  Bug bug = Bug::none;
  ServiceKind service = ServiceKind::key_value;
  std::uint32_t services = 1;
  std::uint32_t clients = 2;
  std::uint32_t requests = 3;
  std::uint32_t failures = 1;
  bool persistent = true;
  gainsay::Delivery order = gainsay::Delivery::causal;

  static void describe(gainsay::Describe<Options>& d) {
    d.field(&Options::bug, "the seeded bug");
    d.value(Bug::none, "only active secondaries are elected");
    d.value(Bug::promotion,
            "any secondary is elected, also one that waits for its copy and is promoted when that comes");
    d.value(Bug::dropped_replication, "a replica that waits for its copy does not keep what comes before it");
    d.value(Bug::false_progress, "a copy begins where the replica ends, although it may have diverged");
    d.value(Bug::early_answer, "the key-value service answers a put before a majority has it");
    d.value(Bug::null_index, "a stage of cscale can be called before its index exists");
    d.field(&Options::service, "which service runs on the platform");
    d.value(ServiceKind::key_value, "a key-value store with clients that put and get");
    d.value(ServiceKind::cscale, "four stages: the first passes items on to two, both to the last");
    d.field(&Options::services, "how many key-value services there are").range(1, 8);
    d.field(&Options::clients, "how many clients the key-value services have").range(1, 8);
    d.field(&Options::requests, "how many requests the clients make together, in turn").range(1, 20);
    d.field(&Options::failures, "how often a replica fails").range(0, 9);
    d.field(&Options::persistent, "whether a replica that fails still has its state when it opens again");
    d.field(&Options::order, "delivery order; the model needs at least fifo");
  }
};

namespace {

constexpr std::uint32_t replica_count = 3;

PlatformBug platform_bug(Bug bug) {
  switch (bug) {
    case Bug::promotion:
      return PlatformBug::promotion;
    case Bug::dropped_replication:
      return PlatformBug::dropped_replication;
    case Bug::false_progress:
      return PlatformBug::false_progress;
    default:
      return PlatformBug::none;
  }
}

// Services on the platform, by their names: `make(id)` is the service as a replica begins with it.
template <Service S, class Make>
std::vector<Ref<ServiceRuntime<S>>> deploy(gainsay::World& world, const Options& options,
                                           Ref<ClusterRuntime> cluster, const std::vector<std::string>& names,
                                           const Make& make) {
  std::vector<Ref<ServiceRuntime<S>>> services;
  ClusterRuntime runtime{.failures = options.failures};
  for (ServiceId id = 0; id < names.size(); ++id) {
    const auto service = world.declare<ServiceRuntime<S>>(names[id]);
    const auto replicas =
        world.group<ReplicaRuntime<S>>(names[id] + " replica", replica_count, [&](std::size_t) {
          ReplicaRuntime<S> replica{
              .service = service,
              .settings = {platform_bug(options.bug), options.persistent, replica_count},
              .user = make(id)};
          replica.calls.cluster = cluster;
          return replica;
        });
    world.init(service, ServiceRuntime<S>{
                            .id = id, .cluster = cluster, .all = replicas, .bug = platform_bug(options.bug)});
    services.push_back(service);
    runtime.services.push_back(service);
  }
  world.init(cluster, runtime);

  // Nobody is idle, and all have what the primary has.
  world.finally("replicas agree", [=](View v) -> Complaint {
    for (const auto service : services) {
      for (const auto replica : v[service].all) {
        if (v[replica].role == Role::none || v[replica].role == Role::idle)
          return "a replica has never got its copy";
        if (!gainsay::reflect::equal(v[replica].user.content(), v[v[service].primary].user.content()))
          return "a replica and its primary have different operations";
      }
    }
    return {};
  });
  if (options.failures == 0) return services;
  world.reached("a primary has been replaced", [=](View v) {
    return std::any_of(services.begin(), services.end(),
                       [&](const auto service) { return v[service].term > 1 && v[service].primary_ready; });
  });
  if (!options.persistent) return services;
  world.reached("a copy was not of the whole state", [=](View v) {
    return std::any_of(services.begin(), services.end(), [&](const auto service) {
      const auto all = v[service].all;
      return std::any_of(all.begin(), all.end(),
                         [&](const auto replica) { return v[replica].copied_after > 0; });
    });
  });
  return services;
}

void key_value_world(gainsay::World& world, const Options& options, Ref<ClusterRuntime> cluster) {
  std::vector<std::string> names;
  for (ServiceId id = 0; id < options.services; ++id)
    names.push_back(options.services == 1 ? "store" : "store " + std::to_string(id));
  deploy<KeyValue>(world, options, cluster, names,
                   [&](ServiceId) { return KeyValue{.answers_early = options.bug == Bug::early_answer}; });
  world.group<KeyValueClient>("client", options.clients, [&](std::size_t i) {
    KeyValueClient client{
        .index = static_cast<std::uint32_t>(i),
        .requests =
            (options.requests + options.clients - 1 - static_cast<std::uint32_t>(i)) / options.clients,
        .services = options.services};
    client.calls.cluster = cluster;
    return client;
  });
  world.linearizable<Spec>();
}

void cscale_world(gainsay::World& world, const Options& options, Ref<ClusterRuntime> cluster) {
  const std::vector<std::vector<ServiceId>> next = {{1, 2}, {3}, {3}, {}};
  const auto services =
      deploy<Stage>(world, options, cluster, {"ingest", "left", "right", "total"}, [&](ServiceId id) {
        return Stage{.id = id, .next = next[id], .listens_early = options.bug == Bug::null_index};
      });
  StreamClient streaming{.items = options.requests};
  streaming.calls.cluster = cluster;
  const auto client = world.spawn("client", streaming);
  // The client hears of an item when the first stage has it; it reaches the last all the same, on both ways, once.
  world.finally("every item goes through", [=](View v) -> Complaint {
    std::vector<Item> arrived;
    for (const auto& [lsn, item] : v[v[services.back()].primary].user.items) arrived.push_back(item);
    std::sort(arrived.begin(), arrived.end());
    std::vector<Item> due;
    for (const std::uint32_t number : v[client].answered) due.insert(due.end(), {{number, 1}, {number, 2}});
    if (arrived != due) return "the last stage has other items than the first";
    return {};
  });
}

}  // namespace

GAINSAY_SCENARIO(fabric, "A platform whose services have replicas that may fail, and a service on it",
                 Options) {
  world.order(options.order);
  const auto cluster = world.declare<ClusterRuntime>("cluster");
  if (options.service == ServiceKind::key_value) {
    key_value_world(world, options, cluster);
  } else {
    cscale_world(world, options, cluster);
  }
}

}  // namespace fabric
