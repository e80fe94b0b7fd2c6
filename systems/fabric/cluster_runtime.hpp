// The cluster: it knows which services there are and who their primaries are, and lets replicas fail.
#pragma once

#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "systems/fabric/wire.hpp"

namespace fabric {

struct FailTick {};

struct ClusterRuntime {
  using Receives = gainsay::Messages<Resolve, Moved, Ready, FailTick>;
  std::vector<gainsay::ActorId> services{};  // by their ids
  std::uint32_t failures = 1;                // that are left
  std::map<ServiceId, Moved> primaries{};
  std::map<std::pair<ServiceId, gainsay::ActorId>, Term> waiting{};  // callers, for a primary of a later term
  std::set<ServiceId> ready{};

  void on(const Resolve& resolve, gainsay::Context& ctx) {
    waiting[{resolve.service, ctx.sender()}] = resolve.known;
    answer(resolve.service, ctx);
  }
  void on(const Moved& moved, gainsay::Context& ctx) {
    primaries[moved.service] = moved;
    answer(moved.service, ctx);
  }
  void answer(ServiceId service, gainsay::Context& ctx) {
    const auto now = primaries.find(service);
    if (now == primaries.end()) return;
    std::erase_if(waiting, [&](const auto& each) {
      const auto& [asked, known] = each;
      if (asked.first != service || known >= now->second.term) return false;
      ctx.send(asked.second, Resolved{service, now->second.term, now->second.primary});
      return true;
    });
  }

  void on(const Ready& service, gainsay::Context& ctx) {
    ready.insert(service.service);
    if (failures > 0 && ready.size() == 1) ctx.after(std::chrono::seconds(1), FailTick{});
  }
  void on(const FailTick&, gainsay::Context& ctx) {
    const auto which =
        ctx.choose(static_cast<std::uint32_t>(ready.size()), "the service in which a replica fails");
    const auto service = std::next(ready.begin(), which);
    ctx.send(services[*service], FailReplica{});
    ready.erase(service);
    if (--failures > 0 && !ready.empty()) ctx.after(std::chrono::seconds(1), FailTick{});
  }
};

}  // namespace fabric
