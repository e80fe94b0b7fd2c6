// What a user of the platform writes, and what the platform does for it.
//
// A service is an ordinary class. The platform runs several replicas of it and calls it back; what takes time is begun
// by a callback and ended by a call of the Platform that it was given, at once or in a later step:
//
//     open          -> opened          the process of a replica has begun, also after a failure
//     change_role   -> role_changed    it has become an active secondary or the primary
//     request       -> answer          a call of a client or of another service; the primary's
//     replicate     -> committed       a majority has the operation
//     call          -> answered        another service has answered
//
// On every replica operations are applied one by one in the order of their numbers; a replica that lacks some gets a
// copy first, whole or from where its own state ends. A service forgets in open what a process does not keep on disk.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "gainsay/gainsay.hpp"

namespace fabric {

using Lsn = std::uint32_t;        // numbers the operations of a service, from 1
using Term = std::uint32_t;       // numbers the primaries of a service, from 1
using ServiceId = std::uint32_t;  // numbers the services of a cluster, from 0

enum class Role { none, idle, active, primary };

// A call, by who made it.
struct CallId {
  gainsay::ActorId caller = gainsay::nobody;
  std::uint32_t number = 0;
  auto operator<=>(const CallId&) const = default;
};

template <class S> struct ReplicaRuntime;

// What a service may ask for, within a callback.
template <class S> class Platform {
 public:
  Platform(ReplicaRuntime<S>& runtime, gainsay::Context& ctx) : runtime_(runtime), ctx_(ctx) {}

  // The service is called back with the step at some moment, unless the replica fails before.
  void later(const typename S::Step& step) { runtime_.later(step, ctx_); }
  void opened() { runtime_.opened(ctx_); }
  void role_changed() { runtime_.role_changed(ctx_); }
  // From now on clients find this primary.
  void listen() { runtime_.listen(ctx_); }
  // Numbers an operation, has it applied here before this returns, and sends it to the other replicas.
  Lsn replicate(const typename S::Operation& operation) { return runtime_.replicate(operation, ctx_); }
  Lsn last() const { return runtime_.last().lsn; }
  Lsn committed() const { return runtime_.committed; }
  void answer(CallId call, const typename S::Reply& reply) { runtime_.answer(call, reply, ctx_); }
  // Calls a service of the same class, as often as it takes until it answers.
  void call(ServiceId service, std::uint32_t number, const typename S::Request& request) {
    runtime_.calls.call({service, number}, request, ctx_);
  }

 private:
  ReplicaRuntime<S>& runtime_;
  gainsay::Context& ctx_;
};

template <class S>
concept Service = requires(S service, const S& state, Platform<S>& platform, Role role, Lsn lsn, CallId call,
                           const typename S::Step& step, const typename S::Request& request,
                           const typename S::Operation& operation, const typename S::Part& part) {
  service.open(platform);
  service.change_role(role, platform);
  service.resume(step, platform);
  service.request(call, request, platform);
  service.apply(lsn, operation);
  service.committed(lsn, platform);
  // What came after an operation, in parts, and how another replica takes a part.
  { state.copy(lsn) } -> std::same_as<std::vector<typename S::Part>>;
  service.paste(part);
  service.erase();  // of the state, back to before the first operation
};

}  // namespace fabric
