// One service: it manages the replicas, and all that they tell each other goes through it.
//
// The first replica is the first primary. When a primary fails, the active secondary that got furthest
// takes its place; what the old one sends from then on is dropped. A replica is idle until the primary of the term has
// brought it up to date, then it is an active secondary.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>

#include "systems/fabric/cluster_runtime.hpp"
#include "systems/fabric/replica_runtime.hpp"

namespace fabric {

template <class S> struct ServiceRuntime {
  using W = Wire<S>;
  using Replica = gainsay::Ref<ReplicaRuntime<S>>;
  using Receives =
      gainsay::Messages<Opened, RoleChanged, Listening, Built, Progress, Acknowledge, typename W::Replicate,
                        typename W::CopyPart, typename W::CopyEnd, FailReplica>;
  struct Member {
    Role role = Role::idle;
    std::uint32_t life = 0;
    Progress progress{};
  };

  ServiceId id = 0;
  gainsay::Ref<ClusterRuntime> cluster{};
  gainsay::Group<ReplicaRuntime<S>> all{};
  PlatformBug bug = PlatformBug::none;
  Term term = 0;
  std::map<gainsay::ActorId, Member> members{};  // the replicas that have opened
  Replica primary{};                             // nobody while one is elected
  bool primary_ready = false;
  std::uint32_t awaited = 0;  // answers in an election
  bool told_ready = false;

  void on_start(gainsay::Context& ctx) { ctx.send(all, Open{}); }

  void on(const Opened& opened, gainsay::Context& ctx) {
    members[ctx.sender()] = {Role::idle, opened.life, opened.progress};
    if (term == 0 && ctx.sender() == all[0]) {
      promote(ctx.sender(), ctx);
    } else if (primary_ready) {
      build(ctx.sender(), ctx);
    }
  }

  void on(const RoleChanged& changed, gainsay::Context& ctx) {
    if (!from_primary(ctx) || changed.term != term) return;
    primary_ready = true;
    for (const auto& [replica, member] : members) {
      if (replica != primary) build(replica, ctx);
    }
    tell_ready(ctx);
  }

  void on(const Listening& listening, gainsay::Context& ctx) {
    if (from_primary(ctx) && listening.term == term) ctx.send(cluster, Moved{id, term, primary});
  }

  void build(gainsay::ActorId replica, gainsay::Context& ctx) {
    const Member& member = members.at(replica);
    ctx.send(primary, BuildReplica{replica, member.life, member.progress});
  }

  void on(const Built& built, gainsay::Context& ctx) {
    const auto member = members.find(ctx.sender());
    if (member == members.end()) return;
    const bool due = member->second.role == Role::idle && built.term == term;
    if (!due && bug != PlatformBug::promotion) return;
    member->second.role = Role::active;
    ctx.send(Replica(member->first), ChangeRole{Role::active, term});
    tell_ready(ctx);
  }

  // --- what replicas tell each other ---

  bool from_primary(const gainsay::Context& ctx) const { return ctx.sender() == primary; }

  void on(const typename W::Replicate& replicate, gainsay::Context& ctx) {
    if (!from_primary(ctx)) return;
    for (const auto& [replica, member] : members) {
      if (replica != primary) ctx.send(Replica(replica), replicate);
    }
  }
  void on(const Acknowledge& acknowledge, gainsay::Context& ctx) {
    if (primary != gainsay::nobody) ctx.send(primary, acknowledge);
  }
  void on(const typename W::CopyPart& part, gainsay::Context& ctx) { pass_on(part, ctx); }
  void on(const typename W::CopyEnd& end, gainsay::Context& ctx) { pass_on(end, ctx); }

  template <class M> void pass_on(const M& message, gainsay::Context& ctx) {
    const gainsay::ActorId to = message.copy.replica;
    if (from_primary(ctx) && members.contains(to)) ctx.send(Replica(to), message);
  }

  // --- failures ---

  bool has_active() const {
    return std::any_of(members.begin(), members.end(),
                       [](const auto& each) { return each.second.role == Role::active; });
  }
  void tell_ready(gainsay::Context& ctx) {
    if (told_ready || !primary_ready || !has_active()) return;
    told_ready = true;
    ctx.send(cluster, Ready{id});
  }

  // Any replica, at any moment in which an active secondary could take over.
  void on(const FailReplica&, gainsay::Context& ctx) {
    if (!primary_ready || !has_active()) return;
    const auto which = ctx.choose(static_cast<std::uint32_t>(members.size()), "the replica that fails");
    const gainsay::ActorId victim = std::next(members.begin(), which)->first;
    members.erase(victim);
    ctx.send(Replica(victim), Fail{});
    told_ready = false;
    if (victim == primary) {
      elect(ctx);
    } else {
      tell_ready(ctx);
    }
  }

  // Only active secondaries may be elected; of these, who got furthest has all that was committed.
  void elect(gainsay::Context& ctx) {
    primary = {};
    primary_ready = false;
    if (bug == PlatformBug::promotion) {
      const auto any = ctx.choose(static_cast<std::uint32_t>(members.size()), "the next primary");
      promote(std::next(members.begin(), any)->first, ctx);
      return;
    }
    awaited = 0;
    for (const auto& [replica, member] : members) {
      if (member.role != Role::active) continue;
      ++awaited;
      ctx.send(Replica(replica), GetProgress{});
    }
  }

  void on(const Progress& progress, gainsay::Context& ctx) {
    members.at(ctx.sender()).progress = progress;
    if (--awaited > 0) return;
    const auto best = std::max_element(members.begin(), members.end(), [](const auto& a, const auto& b) {
      const auto rank = [](const Member& member) {
        return std::pair(member.role == Role::active, member.progress);
      };
      return rank(a.second) < rank(b.second);
    });
    promote(best->first, ctx);
  }

  void promote(gainsay::ActorId replica, gainsay::Context& ctx) {
    primary = Replica(replica);
    members.at(replica).role = Role::primary;
    ++term;
    ctx.send(primary, ChangeRole{Role::primary, term});
  }
};

}  // namespace fabric
