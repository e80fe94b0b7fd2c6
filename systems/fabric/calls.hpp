// Calls of services by name, as clients make them and services among each other: the cluster is asked for the primary,
// and asked again when that refuses. A call is open until it is answered, and may be made more than once.
#pragma once

#include <map>

#include "systems/fabric/wire.hpp"

namespace fabric {

struct ClusterRuntime;

// A call, by what is called.
struct Called {
  ServiceId service = 0;
  std::uint32_t number = 0;
  auto operator<=>(const Called&) const = default;
};

template <class S> struct Calls {
  struct Known {
    Term term = 0;
    gainsay::ActorId primary = gainsay::nobody;  // nobody: the cluster has been asked
  };
  gainsay::Ref<ClusterRuntime> cluster{};
  std::map<ServiceId, Known> known{};
  std::map<Called, typename S::Request> open{};

  void call(Called called, const typename S::Request& request, gainsay::Context& ctx) {
    if (!open.try_emplace(called, request).second) return;
    const auto [at, is_new] = known.try_emplace(called.service);
    if (is_new) ctx.send(cluster, Resolve{called.service, 0});
    if (at->second.primary != gainsay::nobody) send(called, request, at->second, ctx);
  }
  void take(const Resolved& resolved, gainsay::Context& ctx) {
    const Known now{resolved.term, resolved.primary};
    known[resolved.service] = now;
    for (const auto& [called, request] : open) {
      if (called.service == resolved.service) send(called, request, now, ctx);
    }
  }
  // Of several calls that one primary refuses, the first asks the cluster.
  void take(const Refused& refused, gainsay::Context& ctx) {
    const auto at = known.find(refused.service);
    if (at == known.end() || at->second.term != refused.term || at->second.primary == gainsay::nobody) return;
    at->second.primary = gainsay::nobody;
    ctx.send(cluster, Resolve{refused.service, refused.term});
  }
  // False: it was answered before.
  bool close(Called called) { return open.erase(called) == 1; }

 private:
  static void send(Called called, const typename S::Request& request, const Known& to,
                   gainsay::Context& ctx) {
    ctx.send(to.primary, typename Wire<S>::Call{called.service, to.term, called.number, request});
  }
};

}  // namespace fabric
