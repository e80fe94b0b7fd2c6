// One replica: it runs the user's service and keeps it up to date.
//
// The primary numbers operations and sends them to the others, several at a time; an operation is committed when a
// majority has it. A secondary is built by a copy of the primary of the term; operations that reach it before wait.
// `terms` has the last operation of every term: a copy can begin where a replica ends only if the primary has the same
// last operation; otherwise the replica has gone on with operations that were lost, and is copied whole.
// A failure ends the process. The next one has what was on the disk, or nothing.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "systems/fabric/calls.hpp"
#include "systems/fabric/wire.hpp"
#include "systems/paxos/votes.hpp"

namespace fabric {

// Defects of the platform; those of services are in the services.
enum class PlatformBug { none, promotion, dropped_replication, false_progress };

template <class S> struct ServiceRuntime;

template <class S> struct ReplicaRuntime {
  using W = Wire<S>;
  using Receives =
      gainsay::Messages<Open, Fail, ChangeRole, GetProgress, BuildReplica, Acknowledge, typename W::Replicate,
                        typename W::CopyNext, typename W::CopyPart, typename W::CopyEnd, typename W::Later,
                        typename W::Call, typename W::Answer, Resolved, Refused>;
  struct Settings {
    PlatformBug bug = PlatformBug::none;
    bool persistent = true;
    std::uint32_t replicas = 3;
  };

  gainsay::Ref<ServiceRuntime<S>> service{};
  Settings settings{};
  // on the disk
  S user{};
  std::map<Term, Lsn> terms{};
  // of the process
  std::uint32_t life = 0;
  Role role = Role::none;
  Term term = 0;
  bool built = false;                             // has the state of this term's primary
  Lsn copied_after = 0;                           // where its copy began
  std::map<Lsn, typename S::Operation> queued{};  // what came before the copy
  std::vector<typename S::Part> parts{};          // of a copy that is not whole
  Calls<S> calls{};
  // of the primary
  Lsn committed = 0;
  std::map<gainsay::ActorId, Lsn> acknowledged{};  // by replicas that have more than what is committed
  std::map<CallId, typename W::Call> unanswered{};

  // --- a process begins and ends ---

  void on(const Open&, gainsay::Context& ctx) { begin(ctx); }

  void on(const Fail&, gainsay::Context& ctx) {
    for (const auto& [id, call] : unanswered) ctx.send(id.caller, Refused{call.service, call.term});
    begin(ctx);
  }

  void begin(gainsay::Context& ctx) {
    ReplicaRuntime next{.service = service, .settings = settings, .user = user, .life = life + 1};
    next.calls.cluster = calls.cluster;
    if (settings.persistent) {
      next.terms = terms;
    } else {
      next.user.erase();
    }
    *this = next;
    Platform<S> platform(*this, ctx);
    user.open(platform);
  }

  void opened(gainsay::Context& ctx) {
    role = Role::idle;
    ctx.send(service, Opened{life, last()});
  }

  // --- roles ---

  void on(const ChangeRole& change, gainsay::Context& ctx) {
    if (change.role == Role::active)
      ctx.check(role != Role::primary, "a replica that is primary is promoted to active secondary");
    role = change.role;
    if (role == Role::primary) {  // others learn of a term by what its primary sends
      enter(change.term);
      built = true;
      queued.clear();
    }
    Platform<S> platform(*this, ctx);
    user.change_role(role, platform);
  }

  void role_changed(gainsay::Context& ctx) {
    if (role == Role::primary) ctx.send(service, RoleChanged{term});
  }

  void listen(gainsay::Context& ctx) { ctx.send(service, Listening{term}); }

  void on(const typename W::Later& later, gainsay::Context& ctx) {
    if (later.life != life) return;
    Platform<S> platform(*this, ctx);
    user.resume(later.step, platform);
  }
  void later(const typename S::Step& step, gainsay::Context& ctx) {
    ctx.send(ctx.self(*this), typename W::Later{life, step});
  }

  // --- calls ---

  // The caller was told of a primary in the term of the call: if it is another now, this may be the same replica.
  void on(const typename W::Call& call, gainsay::Context& ctx) {
    if (role != Role::primary || call.term != term) {
      ctx.reply(Refused{call.service, call.term});
      return;
    }
    const CallId id{ctx.sender(), call.number};
    unanswered.try_emplace(id, call);
    Platform<S> platform(*this, ctx);
    user.request(id, call.request, platform);
  }
  void answer(CallId id, const typename S::Reply& reply, gainsay::Context& ctx) {
    const auto call = unanswered.find(id);
    if (call == unanswered.end()) return;
    ctx.send(id.caller, typename W::Answer{call->second.service, id.number, reply});
    unanswered.erase(call);
  }
  void on(const Resolved& resolved, gainsay::Context& ctx) { calls.take(resolved, ctx); }
  void on(const Refused& refused, gainsay::Context& ctx) { calls.take(refused, ctx); }
  void on(const typename W::Answer& answer, gainsay::Context& ctx) {
    if (!calls.close({answer.service, answer.number})) return;
    Platform<S> platform(*this, ctx);
    if constexpr (requires { user.answered(answer.service, answer.number, answer.reply, platform); })
      user.answered(answer.service, answer.number, answer.reply, platform);
  }

  // --- replication ---

  Progress last() const {
    return terms.empty() ? Progress{} : Progress{terms.rbegin()->first, terms.rbegin()->second};
  }
  void take(Lsn lsn, const typename S::Operation& operation) {
    terms[term] = lsn;
    user.apply(lsn, operation);
  }
  void enter(Term now) {
    if (now == term) return;
    term = now;
    built = false;
    queued.clear();
    parts.clear();
  }

  Lsn replicate(const typename S::Operation& operation, gainsay::Context& ctx) {
    const Lsn lsn = last().lsn + 1;
    take(lsn, operation);
    ctx.send(service, typename W::Replicate{term, lsn, operation});
    return lsn;
  }

  void on(const typename W::Replicate& replicate, gainsay::Context& ctx) {
    if (replicate.term < term) return;
    enter(replicate.term);  // it may come before the copy
    if (!built) {
      if (settings.bug != PlatformBug::dropped_replication) queued[replicate.lsn] = replicate.operation;
      return;
    }
    if (replicate.lsn == last().lsn + 1) take(replicate.lsn, replicate.operation);
    acknowledge(ctx);
  }

  void acknowledge(gainsay::Context& ctx) const {
    ctx.send(service, Acknowledge{term, last().lsn, ctx.self()});
  }

  void on(const Acknowledge& acknowledge, gainsay::Context& ctx) {
    if (role != Role::primary || acknowledge.term != term) return;
    if (acknowledge.lsn <= committed) return;
    Lsn& known = acknowledged[acknowledge.replica];
    known = std::max(known, acknowledge.lsn);
    const Lsn before = committed;
    for (Lsn lsn = committed + 1; lsn <= last().lsn; ++lsn) {
      std::uint64_t have = 1;
      for (const auto& [replica, up_to] : acknowledged) have += up_to >= lsn ? 1 : 0;
      if (paxos::is_majority(have, settings.replicas)) committed = lsn;
    }
    std::erase_if(acknowledged, [&](const auto& each) { return each.second <= committed; });
    if (committed == before) return;
    Platform<S> platform(*this, ctx);
    user.committed(committed, platform);
  }

  void on(const GetProgress&, gainsay::Context& ctx) { ctx.reply(last()); }

  // --- copies ---

  bool has(const Progress& progress) const {
    if (settings.bug == PlatformBug::false_progress) return progress.lsn <= last().lsn;
    const auto found = terms.find(progress.term);
    return found != terms.end() && progress.lsn <= found->second;
  }

  void on(const BuildReplica& build, gainsay::Context& ctx) {
    if (role != Role::primary) return;
    const Lsn after = has(build.progress) ? build.progress.lsn : 0;
    ctx.send(ctx.self(*this),
             typename W::CopyNext{{term, build.replica, build.life, after}, user.copy(after), terms});
  }

  void on(const typename W::CopyNext& next, gainsay::Context& ctx) {
    if (role != Role::primary || next.copy.term != term) return;
    if (next.parts.empty()) {
      ctx.send(service, typename W::CopyEnd{next.copy, next.terms});
      return;
    }
    ctx.send(service, typename W::CopyPart{next.copy, next.parts.front()});
    ctx.send(ctx.self(*this),
             typename W::CopyNext{next.copy, {next.parts.begin() + 1, next.parts.end()}, next.terms});
  }

  void on(const typename W::CopyPart& part) {
    if (part.copy.term < term || part.copy.life != life) return;
    enter(part.copy.term);
    parts.push_back(part.part);
  }

  void on(const typename W::CopyEnd& end, gainsay::Context& ctx) {
    if (end.copy.term < term || end.copy.life != life) return;
    enter(end.copy.term);
    if (end.copy.after == 0) user.erase();
    for (const typename S::Part& part : parts) user.paste(part);
    terms = end.terms;
    copied_after = end.copy.after;
    built = true;
    for (const auto& [lsn, operation] : queued) {
      if (lsn == last().lsn + 1) take(lsn, operation);
    }
    queued.clear();
    parts.clear();
    ctx.send(service, Built{term});
    acknowledge(ctx);
  }
};

}  // namespace fabric
